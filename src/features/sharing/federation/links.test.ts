import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { addShared, contactOf, contextAt, link, outbound, share } from '#test/support/federation.ts'
import { type Instance, openInstance } from '#test/support/instance.ts'
import { endHost, joinHost } from './commands/hosts.ts'
import { inviteInstance } from './commands/invites.ts'
import { syncHost } from './commands/sync-host.ts'

const addEvent = async (host: Instance, title: string, sharedWith: number[]): Promise<number> =>
  (await addShared(host, { title }, sharedWith)).id

const copiesAt = async (guest: Instance) =>
  (await guest.db.read.selectFrom('partner_event').select(['title', 'signup_url']).orderBy('remote_id').execute()).map(
    ({ title, signup_url }) => [title, new URL(signup_url).pathname],
  )

describe('links between instances', async () => {
  const a = await openInstance({ host: 'a.localhost' })
  const b = await openInstance({ host: 'b.localhost' })
  const c = await openInstance({ host: 'c.localhost' })

  test('an invitation links two instances, events are synced, and the link ends on both sides', async () => {
    const { hostId, guestId } = await link(a, b)
    const race = await addEvent(a, 'Harbour run', [guestId])
    await addEvent(a, 'For us alone', [])
    assert.deepEqual(await syncHost(contextAt(b), contactOf(b), hostId), { outcome: 'copied', events: 1 })
    assert.deepEqual(await copiesAt(b), [['Harbour run', `/events/shared/${race}/${guestId}/`]])
    assert.deepEqual(await syncHost(contextAt(b), contactOf(b), hostId), { outcome: 'unchanged' })
    await share(a, race, [])
    assert.deepEqual(await syncHost(contextAt(b), contactOf(b), hostId), { outcome: 'copied', events: 0 })
    const [host] = await b.db.read.selectFrom('federated_host').select(['speaks_turnout', 'failures_in_row', 'name']).execute()
    assert.deepEqual(host, { speaks_turnout: true, failures_in_row: 0, name: new URL(a.base).host })
    assert.deepEqual(await endHost(contextAt(b), outbound, hostId), { ok: true })
    assert.deepEqual(await a.db.read.selectFrom('federated_guest').select('id').where('url', '=', b.base).execute(), [])
    assert.deepEqual(await b.db.read.selectFrom('oauth_application').select('id').execute(), [])
  })

  test('each guest receives only the events shared with it', async () => {
    const ab = await link(a, b)
    const ac = await link(a, c)
    await addEvent(a, 'For b', [ab.guestId])
    await addEvent(a, 'For c', [ac.guestId])
    await syncHost(contextAt(b), contactOf(b), ab.hostId)
    await syncHost(contextAt(c), contactOf(c), ac.hostId)
    assert.deepEqual(
      [(await copiesAt(b)).map(([title]) => title), (await copiesAt(c)).map(([title]) => title)],
      [['For b'], ['For c']],
    )
  })

  test('people are asked for consent to the organisation, not to the address of its server', async () => {
    await a.db.write
      .insertInto('setting')
      .values({ name: 'organization_name', value: JSON.stringify('Wasserwacht Nord') })
      .execute()
    const d = await openInstance({ host: 'd.localhost' })
    const invited = await inviteInstance(contextAt(a), d.base)
    assert.ok(invited.ok)
    const since = new Date(d.now.getTime() - 3600_000)
    const joined = await joinHost({ ...contextAt(d), now: since }, outbound, invited.shareString)
    assert.ok(joined.ok)
    assert.deepEqual(await d.db.read.selectFrom('federated_host').select('created_at').execute(), [{ created_at: since }])
    const names = await d.db.read.selectFrom('oauth_application').select('name').execute()
    await a.db.write.deleteFrom('setting').where('name', '=', 'organization_name').execute()
    assert.deepEqual(names, [{ name: 'Wasserwacht Nord' }])
  })

  test('an invitation is valid for one instance and two days', async () => {
    const invited = await inviteInstance(contextAt(a), c.base)
    assert.ok(invited.ok)
    assert.deepEqual(await joinHost(contextAt(b), outbound, invited.shareString), { ok: false, reason: 'for_another' })
    assert.deepEqual(await joinHost(contextAt(c), outbound, invited.shareString), { ok: false, reason: 'already_joined' })
    assert.deepEqual(await inviteInstance(contextAt(a), a.base), { ok: false, reason: 'own_url' })
    const before = await b.db.read.selectFrom('oauth_application').select('id').execute()
    await b.db.write.updateTable('federated_host').set({ ended_by_partner_at: b.now }).execute()
    const late = await inviteInstance({ ...contextAt(a), now: new Date(a.now.getTime() - 49 * 3600_000) }, b.base)
    assert.ok(late.ok)
    const refused = await joinHost(contextAt(b), outbound, late.shareString)
    assert.deepEqual(refused, { ok: false, reason: 'host_refused', why: 'Invite code is expired' })
    assert.deepEqual(
      await b.db.read.selectFrom('oauth_application').select('id').execute(),
      before,
      'no application is left behind',
    )
    await b.db.write.updateTable('federated_host').set({ ended_by_partner_at: null }).execute()
  })

  test('a 403 marks the link as ended and keeps the copies; a new invitation restores it', async () => {
    const [host] = await b.db.read.selectFrom('federated_host').select('id').execute()
    const copies = await copiesAt(b)
    await a.db.write.deleteFrom('federated_guest').where('url', '=', b.base).execute()
    assert.deepEqual(await syncHost(contextAt(b), contactOf(b), host!.id), { outcome: 'ended' })
    assert.deepEqual(await syncHost(contextAt(b), contactOf(b), host!.id), { outcome: 'ended' })
    assert.deepEqual(await copiesAt(b), copies)
    const entries = await b.db.read
      .selectFrom('journal')
      .select('kind')
      .where('kind', '=', 'federated_host.ended_by_partner')
      .execute()
    assert.equal(entries.length, 1)
    const since = new Date(b.now.getTime() - 3600_000)
    await b.db.write.updateTable('federated_host').set({ created_at: since }).execute()
    const { hostId } = await link(a, b)
    assert.equal(hostId, host!.id)
    const [restored] = await b.db.read.selectFrom('federated_host').select(['ended_by_partner_at', 'created_at']).execute()
    assert.deepEqual(restored, { ended_by_partner_at: null, created_at: since })
  })

  test('copies of a host that does not respond are kept, and retries back off', async () => {
    const [host] = await c.db.read.selectFrom('federated_host').select('id').execute()
    const unreachable = { ...contactOf(c), outbound: makeOutbound({ allow: [] }), chance: () => 0.5 }
    for (const minutes of [2, 4, 8]) {
      const { outcome } = await syncHost(contextAt(c), unreachable, host!.id)
      assert.equal(outcome, 'failed')
      const [row] = await c.db.read
        .selectFrom('federated_host')
        .select(['next_attempt_at', 'last_attempt_at', 'last_error'])
        .execute()
      assert.equal((row!.next_attempt_at.getTime() - row!.last_attempt_at!.getTime()) / 60_000, minutes)
      assert.match(row!.last_error!, /OUTBOUND_ALLOW/)
    }
    assert.deepEqual(
      (await copiesAt(c)).map(([title]) => title),
      ['For c'],
    )
    const ended = await endHost(contextAt(c), makeOutbound({ allow: [] }), host!.id)
    assert.ok(!ended.ok && ended.reason === 'host_silent')
    assert.deepEqual(await endHost(contextAt(c), makeOutbound({ allow: [] }), host!.id, { evenIfUnreachable: true }), {
      ok: true,
    })
  })
})
