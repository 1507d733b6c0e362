import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '#test/support/database.ts'
import { listen } from './listen.ts'

const { url, drop } = await freshDatabase()
const other = new pg.Client({ connectionString: url })
await other.connect()
after(async () => {
  await other.end()
  await drop()
})
const CHANNEL = 'Some "channel"'
const quoted = pg.escapeIdentifier(CHANNEL)
const findListening = async (): Promise<number[]> => {
  const { rows } = await other.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and query = $1',
    [`listen ${quoted}`],
  )
  return rows.map(({ pid }) => pid)
}

/** What was reported, and a promise of the next report of a kind. */
function recordReports() {
  const seen: string[] = []
  let changed = Promise.withResolvers<void>()
  const note = (what: string) => {
    seen.push(what)
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const until = async (what: string, count: number) => {
    while (seen.filter((each) => each === what).length < count) await changed.promise
  }
  return { seen, until, onMessage: () => note('message'), onError: () => note('error') }
}

test('each message is told, and each new connection, because messages may have been missed', async () => {
  const { seen, until, ...handlers } = recordReports()
  const listener = listen({ url, channel: CHANNEL, reconnectMs: 1, ...handlers })
  await until('message', 1)
  await other.query(`notify "another channel"`)
  await other.query(`notify ${quoted}`)
  await until('message', 2)
  assert.deepEqual(seen, ['message', 'message'])
  const [pid] = await findListening()
  await other.query('select pg_terminate_backend($1)', [pid])
  await until('message', 3)
  assert.ok(seen.includes('error'))
  await other.query(`notify ${quoted}`)
  await until('message', 4)
  const before = seen.length
  await listener.close()
  while ((await findListening()).length);
  await other.query(`notify ${quoted}`)
  assert.equal(seen.length, before, 'closing is no error')
})

test('a server that cannot be reached is reported with each attempt, until the listener is closed', async () => {
  const { seen, until, ...handlers } = recordReports()
  const listener = listen({ url: 'postgres://turnout@127.0.0.1:1/x', channel: CHANNEL, reconnectMs: 1, ...handlers })
  await until('error', 3)
  await listener.close()
  const { length } = seen
  await new Promise((done) => setImmediate(done))
  assert.deepEqual([seen.includes('message'), seen.length], [false, length])
})
