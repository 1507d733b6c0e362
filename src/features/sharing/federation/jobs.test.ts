import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { federationTasks } from './jobs.ts'

const DAY = 24 * 3600_000
const at = (ms: number) => new Date(NOW.getTime() + ms)

describe('the tasks about partners', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const { site } = world.app
  const run = (name: string, outbound: Outbound = { send: () => assert.fail('no request is expected') }) =>
    federationTasks({ db: world.db, clock: { now: () => NOW }, site, outbound })
      .find((task) => task.name === name)!
      .run({})

  test('clean-up: invitations are kept for a day after their end, sessions of visitors to their end', async () => {
    const codes = { expiresTomorrow: DAY, endsNow: 0, endedADayAgo: -DAY, endedBefore: -DAY - 1 }
    for (const [name, ms] of Object.entries(codes))
      await write
        .insertInto('invite_code')
        .values({
          url: 'https://b.example',
          code_hash: hashSecret(name),
          code_sealed: name,
          created_at: at(-9 * DAY),
          expires_at: at(ms),
        })
        .execute()
    const guest = { name: 'Nord', url: 'https://nord.example', client_id: 'c', client_secret_sealed: 's' }
    const { id: federated_guest_id } = await write
      .insertInto('federated_guest')
      .values(guest)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: visitor_id } = await write
      .insertInto('visitor')
      .values({ federated_guest_id, email: 'nils@nord.example', display_name: 'Nils' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const sessions = { goesOn: 1, endsNow: 0, ended: -1 }
    for (const [name, ms] of Object.entries(sessions))
      await write
        .insertInto('visitor_session')
        .values({ id_hash: Buffer.from(name), visitor_id, created_at: at(-DAY), expires_at: at(ms) })
        .execute()
    await run('clean_up_federation')
    const left = {
      codes: (await read.selectFrom('invite_code').select('code_sealed').orderBy('expires_at', 'desc').execute()).map(
        ({ code_sealed }) => code_sealed,
      ),
      sessions: (await read.selectFrom('visitor_session').select('id_hash').orderBy('expires_at', 'desc').execute()).map(
        ({ id_hash }) => id_hash.toString(),
      ),
    }
    assert.deepEqual(left, { codes: ['expiresTomorrow', 'endsNow', 'endedADayAgo'], sessions: ['goesOn', 'endsNow'] })
  })

  test('partners are asked when they are due, unless they are paused; those that answer fast come first', async () => {
    const fast = Array.from({ length: 8 }, (_, index) => ({ name: `fast${index}`, last_latency_ms: 10 + index }))
    const hosts = [
      { name: 'never', last_latency_ms: null },
      { name: 'failing', failures_in_row: 3, last_latency_ms: 5 },
      { name: 'slow', last_latency_ms: 900 },
      { name: 'later', last_latency_ms: 1, next_attempt_at: at(1) },
      { name: 'paused', last_latency_ms: 1, paused: true },
      ...fast,
    ]
    for (const host of hosts) {
      const link = { url: `https://${host.name}.example`, access_token_sealed: site.keyring.seal(host.name) }
      await write
        .insertInto('federated_host')
        .values({ next_attempt_at: NOW, ...host, ...link })
        .execute()
    }
    const asked: string[] = []
    const { promise: areEightAsked, resolve } = Promise.withResolvers<void>()
    const outbound: Outbound = {
      send: async (url) => {
        if (asked.push(new URL(url).hostname.split('.')[0]!) === 8) resolve()
        await areEightAsked
        return { status: 200, headers: {}, text: '{"next":null,"results":[]}' }
      },
    }
    await run('sync_hosts', outbound)
    assert.deepEqual(
      asked.slice(0, 8).sort(),
      fast.map(({ name }) => name),
    )
    assert.deepEqual(asked.slice(8).sort(), ['failing', 'never', 'slow'])
    asked.length = 0
    await run('sync_hosts', outbound)
    assert.deepEqual(asked, [], 'each has a next time now')
  })
})
