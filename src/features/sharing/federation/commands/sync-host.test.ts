import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { deleteExternalParticipations } from './delete-external-participations.ts'
import { pauseHost } from './hosts.ts'
import { inviteInstance } from './invites.ts'
import { syncHost } from './sync-host.ts'

const HOUR_MS = 3_600_000

describe('our copy of the events of a host', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { now } = world
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)
  const iso = (hours: number) => at(hours).toISOString()
  const olga = contextAs(world, OLGA)
  const application = async (name: string) =>
    (
      await write
        .insertInto('oauth_application')
        .values({
          name,
          client_id: name,
          client_secret_hash: 'x',
          redirect_uris: [],
          allowed_scopes: ['ME_READ'],
          created_at: now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const [ofWest, ofOst] = [await application('West'), await application('Ost')]
  for (const [application_id, { id }] of [[ofWest, ANN], [ofWest, BEN], [ofOst, ANN]] as const) // biome-ignore format: a table
    await write
      .insertInto('oauth_consent')
      .values({ application_id, user_id: id, scopes: ['ME_READ'], granted_at: now })
      .execute()
  const addHost = async (name: string, application_id: number) => {
    const url = `https://${name.toLowerCase()}.example`
    const values = { name, url, access_token_sealed: world.app.site.keyring.seal('token'), speaks_turnout: true, application_id }
    return (await write.insertInto('federated_host').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  let west = 0
  let ost = 0
  beforeEach(async () => {
    await write.deleteFrom('federated_host').execute()
    await write.deleteFrom('journal').execute()
    west = await addHost('West', ofWest)
    ost = await addHost('Ost', ofOst)
  })
  const shared = (id: number, more: object = {}) => ({
    id,
    title: `Event ${id}`,
    description: `About ${id}`,
    location: `Pier ${id}`,
    type: { title: 'Race' },
    start_time: iso(24),
    end_time: iso(48),
    signup_url: `https://west.example/events/${id}/`,
    ...more,
  })
  const stated = (shift: number, user: number, more: object = {}) => ({
    event: 1,
    shift,
    shift_label: `Shift ${shift}`,
    user,
    state: 1,
    start_time: iso(25),
    end_time: iso(26),
    ...more,
  })
  type Answer = { status: number; text?: string; headers?: Record<string, string> }
  const hostThat = (answers: Record<string, Answer>) => {
    const asked: { url: string; headers: Record<string, string> }[] = []
    const send = async (url: string, { headers }: { headers: Record<string, string> }) => {
      asked.push({ url, headers })
      // An older version, which does not tell of changes.
      const [, answer] = Object.entries(answers).find(([part]) => url.includes(part)) ?? ['', { status: 404 }]
      return { text: '', headers: {}, ...answer }
    }
    return { outbound: { send } as unknown as Outbound, asked }
  }
  const listing = (results: object[], etag?: string): Answer => ({
    status: 200,
    text: JSON.stringify({ next: null, results }),
    headers: etag ? { etag } : {},
  })
  const sync = (answers: Record<string, Answer>, { hostId = west, hours = 0 } = {}) => {
    let ticks = 0
    const clock = { now: () => new Date(at(hours).getTime() + 30 * ticks++) }
    return syncHost({ ...olga, now: at(hours) }, { outbound: hostThat(answers).outbound, clock, chance: () => 0.5 }, hostId)
  }
  const both = (events: object[], people: object[] = [], etag?: string) => ({
    '/federation/events/': listing(events, etag),
    '/federation/participations/': listing(people),
  })
  const eventsOf = (hostId: number) =>
    write.selectFrom('partner_event').selectAll().where('host_id', '=', hostId).orderBy('remote_id').execute()
  const hostOf = (id: number) => write.selectFrom('federated_host').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const journal = async () =>
    (await write.selectFrom('journal').select(['kind', 'subject_id', 'changes']).orderBy('id').execute()).map(
      ({ kind, subject_id, changes }) => [kind, subject_id, changes],
    )

  test('has every field, is replaced by the next list, and is that of this host alone', async () => {
    assert.deepEqual(await sync(both([shared(1, { signup_url: 'https://ost.example/1/' })]), { hostId: ost }), {
      outcome: 'copied',
      events: 1,
    })
    const others = await eventsOf(ost)
    assert.deepEqual(
      await sync(
        both(
          [shared(1), shared(2), shared(2, { title: 'Twice' }), shared(3, { signup_url: 'https://evil.example/' })],
          [],
          '"1"',
        ),
      ),
      {
        outcome: 'copied',
        events: 3,
      },
    )
    const [first, second, ...rest] = await eventsOf(west)
    const { id: firstId, ...row } = first!
    const { id: _id, ...own } = others[0]!
    assert.deepEqual(row, { ...own, host_id: west, signup_url: 'https://west.example/events/1/' })
    assert.deepEqual(row, {
      host_id: west,
      remote_id: 1,
      title: 'Event 1',
      description: 'About 1',
      location: 'Pier 1',
      type_title: 'Race',
      signup_url: 'https://west.example/events/1/',
      start_time: at(24),
      end_time: at(48),
      fetched_at: now,
    })
    assert.deepEqual([second!.remote_id, second!.title, rest], [2, 'Twice', []])
    const changed = {
      title: 'New',
      description: null,
      location: 'Quay',
      type: { title: 'Fair' },
      start_time: iso(30),
      end_time: null,
      signup_url: 'https://west.example/new/',
    }
    await write.updateTable('federated_host').set({ failures_in_row: 3, last_error: 'x', ended_by_partner_at: now }).execute()
    assert.deepEqual(await sync(both([shared(1, changed)], [], '"2"'), { hours: 1 }), { outcome: 'copied', events: 1 })
    assert.deepEqual(await eventsOf(west), [
      {
        ...first,
        id: firstId,
        title: 'New',
        description: null,
        location: 'Quay',
        type_title: 'Fair',
        start_time: at(30),
        end_time: null,
        signup_url: 'https://west.example/new/',
        fetched_at: at(1),
      },
    ])
    const host = await hostOf(west)
    assert.deepEqual(
      [
        host.last_attempt_at,
        host.last_success_at,
        host.last_error,
        host.failures_in_row,
        host.ended_by_partner_at,
        host.etag,
        host.last_latency_ms,
      ],
      [at(1), at(1), null, 0, null, '"2"', 90],
    )
    assert.deepEqual((await hostOf(ost)).failures_in_row, 3)
    assert.deepEqual(await sync({ ...both([]), '/federation/events/': { status: 304 } }, { hours: 2 }), { outcome: 'unchanged' })
    assert.deepEqual(
      [(await eventsOf(west))[0]!.fetched_at, (await hostOf(west)).etag, await eventsOf(ost)],
      [at(2), '"2"', others],
    )
    assert.deepEqual(await sync(both([]), { hours: 3 }), { outcome: 'copied', events: 0 })
    assert.deepEqual([await eventsOf(west), await eventsOf(ost), (await hostOf(west)).etag], [[], others, null])
    assert.deepEqual(await sync(both([]), { hostId: 999_999 }), { outcome: 'unknown_host' })
  })

  test('says where our people stand: those who were there, at the time of the event, until the next list', async () => {
    await sync(both([shared(1, { signup_url: 'https://ost.example/1/' })], [stated(1, ANN.id)]), { hostId: ost })
    const day = (hours: number) => ({ start_time: iso(hours), end_time: iso(hours) })
    const people = [
      stated(1, ANN.id, { state: 0 }),
      stated(1, ANN.id),
      stated(2, BEN.id),
      stated(3, OLGA.id),
      stated(4, ANN.id, { event: 2 }),
      stated(5, ANN.id, { start_time: iso(26), end_time: iso(25) }),
      stated(6, ANN.id, day(0)),
      stated(7, ANN.id, day(-0.001)),
      stated(8, ANN.id, day(72)),
      stated(9, ANN.id, day(72.001)),
    ]
    await write
      .insertInto('denied_statement')
      .values([
        { user_id: BEN.id, host_id: west, remote_shift_id: 2, denied_at: now },
        { user_id: ANN.id, host_id: ost, remote_shift_id: 6, denied_at: now },
        { user_id: BEN.id, host_id: west, remote_shift_id: 8, denied_at: now },
      ])
      .execute()
    const rowsOf = async (hostId: number) =>
      (
        await write
          .selectFrom('participation_abroad as a')
          .innerJoin('partner_event as e', 'e.id', 'a.partner_event_id')
          .select(['a.remote_shift_id', 'a.user_id', 'a.state', 'a.shift_label', 'a.denied', 'a.start_time', 'a.fetched_at'])
          .where('e.host_id', '=', hostId)
          .orderBy('a.remote_shift_id')
          .execute()
      ).map(Object.values)
    const ofOst = await rowsOf(ost)
    assert.deepEqual(ofOst, [[1, ANN.id, 1, 'Shift 1', false, at(25), now]])
    await sync(both([shared(1), shared(3)], people), { hours: 1 })
    const expected = [
      [1, ANN.id, 0, 'Shift 1', false, at(25), at(1)],
      [2, BEN.id, 1, 'Shift 2', true, at(25), at(1)],
      [6, ANN.id, 1, 'Shift 6', false, at(0), at(1)],
      [8, ANN.id, 1, 'Shift 8', false, at(72), at(1)],
    ]
    assert.deepEqual(await rowsOf(west), expected)
    assert.deepEqual(await rowsOf(ost), ofOst)
    await sync({ '/federation/events/': listing([shared(1)]), '/federation/participations/': { status: 500 } }, { hours: 2 })
    assert.deepEqual([await rowsOf(west), (await hostOf(west)).last_success_at], [expected, at(2)], 'without an answer, it stays')
    await sync({ '/federation/events/': listing([shared(1)]), '/federation/participations/': { status: 403 } }, { hours: 2 })
    assert.deepEqual(await rowsOf(west), expected)
    const [event] = await eventsOf(west)
    for (const { id } of [ANN, BEN])
      await write
        .insertInto('partner_event_opening')
        .values({ user_id: id, partner_event_id: event!.id, opened_at: now })
        .execute()
    await transact(write, (tx) => deleteExternalParticipations(tx, ANN.id))
    assert.deepEqual([await rowsOf(ost), (await rowsOf(west)).map(([shift]) => shift)], [[], [2]])
    const left = async (table: 'denied_statement' | 'partner_event_opening') =>
      (await write.selectFrom(table).select('user_id').execute()).map(({ user_id }) => user_id)
    assert.deepEqual([await left('denied_statement'), await left('partner_event_opening')], [[BEN.id, BEN.id], [BEN.id]])
    await sync(both([shared(1)], []), { hours: 3 })
    assert.deepEqual(await rowsOf(west), [])
    await write.updateTable('federated_host').set({ speaks_turnout: false }).execute()
    await sync({ '/federation/events/': listing([shared(1)]) })
    assert.equal((await hostOf(west)).last_error, null, 'others are not asked')
  })

  test('stays when the host refuses or fails, which is noted and recorded once', async () => {
    await sync(both([shared(1)], [], '"1"'))
    const before = [await eventsOf(west), await hostOf(ost)]
    const refused = { '/federation/events/': { status: 403 } }
    assert.deepEqual(await sync(refused, { hours: 1 }), { outcome: 'ended' })
    assert.deepEqual(await sync(refused, { hours: 2 }), { outcome: 'ended' })
    const ended = await hostOf(west)
    assert.deepEqual([ended.ended_by_partner_at, ended.last_attempt_at, ended.last_success_at], [at(1), at(2), now])
    assert.deepEqual(await journal(), [['federated_host.ended_by_partner', west, { name: 'West', url: 'https://west.example' }]])
    const failing = { '/federation/events/': { status: 500 } }
    assert.deepEqual(await sync(failing, { hours: 3 }), { outcome: 'failed', why: 'it answered 500' })
    await sync({ '/federation/events/': { status: 200, text: 'no JSON' } }, { hours: 4 })
    const failed = await hostOf(west)
    assert.deepEqual(
      [failed.failures_in_row, failed.last_error, failed.last_attempt_at, failed.ended_by_partner_at],
      [2, 'the list is no JSON', at(4), at(1)],
    )
    assert.ok(failed.next_attempt_at > at(4))
    assert.deepEqual([await eventsOf(west), await hostOf(ost)], before)
    assert.deepEqual((await journal()).length, 1)
  })

  test('is not updated while it is paused, which is recorded', async () => {
    assert.equal(await pauseHost(olga, west, false), false)
    assert.equal(await pauseHost({ ...olga, now: at(5) }, west, true), true)
    assert.equal(await pauseHost(olga, west, true), false)
    assert.deepEqual(
      [(await hostOf(west)).paused, (await hostOf(west)).next_attempt_at, (await hostOf(ost)).paused],
      [true, at(5), false],
    )
    assert.equal(await pauseHost(olga, west, false), true)
    assert.equal((await hostOf(west)).paused, false)
    assert.equal(await pauseHost(olga, 999_999, true), false)
    assert.deepEqual(await journal(), [
      ['federated_host.paused', west, { name: 'West' }],
      ['federated_host.resumed', west, { name: 'West' }],
    ])
    await write.deleteFrom('journal').execute()
    const made = await inviteInstance(olga, 'https://new.example')
    assert.ok(made.ok)
    const { code_sealed, created_by_id, created_at } = await write
      .selectFrom('invite_code')
      .selectAll()
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    assert.match(world.app.site.keyring.unseal(code_sealed), /^[0-9a-f]{64}$/)
    assert.deepEqual(
      [created_by_id, created_at, await journal()],
      [OLGA.id, now, [['invite_code.created', made.id, { url: 'https://new.example' }]]],
    )
  })
})
