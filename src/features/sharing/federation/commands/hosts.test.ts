import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { contextAs } from '#test/support/command-context.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { endHost, pauseHost } from './hosts.ts'

describe('a link to a host', async () => {
  const world = await openWorld()
  const { write } = world.db
  const olga = contextAs(world, OLGA)
  let added = 0
  const addHost = async () => {
    const row = { name: `Host ${++added}`, url: `https://host${added}.example`, next_attempt_at: world.now }
    const sealed = { access_token_sealed: world.app.site.keyring.seal('token') }
    const { id } = await write
      .insertInto('federated_host')
      .values({ ...row, ...sealed })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, ...row }
  }
  const hostOf = (id: number) => write.selectFrom('federated_host').selectAll().where('id', '=', id).executeTakeFirst()
  const entriesOf = async (id: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('subject_kind', '=', 'federated_host')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, changes])
  const answering = (status: number): Outbound => ({ send: async () => ({ status, headers: {}, text: '' }) })
  const silent: Outbound = { send: () => Promise.reject(new OutboundError('unreachable', 'nobody answers')) }

  const ANSWERS: [what: string, outbound: Outbound, why: RegExp | undefined][] = [
    ['ends it', answering(204), undefined],
    ['has ended it before', answering(403), undefined],
    ['answers 200', answering(200), /^it did not end the link$/],
    ['answers 404', answering(404), /^it did not end the link$/],
    ['has a fault', answering(500), /./],
    ['does not answer', silent, /./],
  ]
  for (const [what, outbound, why] of ANSWERS)
    for (const evenIfUnreachable of [false, true])
      test(`ends ${evenIfUnreachable ? 'in any case' : 'if both sides agree'}: the host ${what}`, async () => {
        const [{ id, name, url }, other] = [await addHost(), await addHost()]
        const outcome = await endHost(olga, outbound, id, evenIfUnreachable ? { evenIfUnreachable } : {})
        const isEnded = why === undefined || evenIfUnreachable
        assert.equal(outcome.ok, isEnded)
        if (!outcome.ok) {
          assert.equal(outcome.reason, 'host_silent')
          assert.match('why' in outcome ? outcome.why : '', why!)
        }
        assert.equal((await hostOf(id)) === undefined, isEnded)
        assert.deepEqual(
          await entriesOf(id),
          isEnded ? [['federated_host.left', { name, url, host_was_told: why === undefined }]] : [],
        )
        assert.equal((await hostOf(other.id))?.name, other.name)
      })

  test('does not end twice', async () => {
    const { id } = await addHost()
    assert.deepEqual(await endHost(olga, answering(204), id), { ok: true })
    assert.deepEqual(await endHost(olga, answering(204), id), { ok: false, reason: 'unknown_host' })
  })

  test('is paused and resumed once, and asked at once then; another one is not', async () => {
    const [{ id }, other] = [await addHost(), await addHost()]
    const before = await hostOf(other.id)
    const later = { ...olga, now: new Date(world.now.getTime() + 5) }
    const pause = async (paused: boolean) => {
      const isChanged = await pauseHost(later, id, paused)
      const { paused: isPaused, next_attempt_at } = (await hostOf(id))!
      return [isChanged, isPaused, next_attempt_at.getTime() - world.now.getTime()]
    }
    assert.deepEqual(await pause(false), [false, false, 0])
    assert.deepEqual(await pause(true), [true, true, 5])
    assert.deepEqual(await pause(true), [false, true, 5])
    assert.deepEqual(await pause(false), [true, false, 5])
    assert.equal((await entriesOf(id)).length, 2)
    assert.deepEqual(await hostOf(other.id), before)
    assert.equal(await pauseHost(later, 999_999, true), false)
  })
})
