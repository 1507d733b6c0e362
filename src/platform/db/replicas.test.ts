import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { startReplication } from '#test/support/standby.ts'
import { connectTo, type HostChooser, type ServerState } from './host-chooser.ts'
import { makePool, openDatabase } from './pool.ts'
import { readPosition } from './replicas.ts'

const POSITIONS: [text: string, expected: bigint][] = [
  ['0/0', 0n],
  ['0/16B3748', 0x16b3748n],
  ['1/0', 0x1_0000_0000n],
  ['16/B374D848', 0x16_b374_d848n],
]
for (const [text, expected] of POSITIONS) test(`reads position ${text}`, () => assert.equal(readPosition(text), expected))

/** Many more than a standby needs to replay a few rows. */
const MOST_POLLS = 5_000

let servers: Awaited<ReturnType<typeof startReplication>>
before(async () => {
  servers = await startReplication()
  await servers.asSuperuser(servers.primary.url, 'create table note (text text); grant all on note to turnout')
})
after(() => servers.stop())

const pause = () => servers.asSuperuser(servers.standby.url, 'select pg_wal_replay_pause()')
const resume = () => servers.asSuperuser(servers.standby.url, 'select pg_wal_replay_resume()')

function open(readUrl = servers.standby.url) {
  const db = openDatabase({ url: servers.primary.url, readUrl })
  const write = (text: string) => sql`insert into note values (${text})`.execute(db.write)
  const hasNote = async (reader: typeof db.read, text: string) =>
    (await sql`select from note where text = ${text}`.execute(reader)).rows.length > 0
  const isStandby = async (reader: typeof db.read) =>
    (await sql<{ yes: boolean }>`select pg_is_in_recovery() as yes`.execute(reader)).rows[0]!.yes
  /** Until the standby has what the primary has. */
  const untilStandbyIsUsed = async () => {
    for (let poll = 0; !(await isStandby(await db.chooseReader())); poll++) {
      assert.ok(poll < MOST_POLLS, 'the standby is not used')
      await db.replicas!.poll()
    }
  }
  return { db, write, hasNote, isStandby, untilStandbyIsUsed }
}

test('a new connection knows the role of its server, which may have changed since it was chosen', async () => {
  const states: ServerState[] = []
  const accepts = (state: ServerState) => states.push(state) > 0
  for (const { url } of [servers.primary, servers.standby]) {
    const { host, port } = new pg.Client({ connectionString: url })
    const others = { attach: () => {}, detach: () => {}, suspect: () => {}, close: () => {} }
    const hosts = { choose: async () => ({ host, port }), accepts, ...others } as unknown as HostChooser
    const pool = makePool({ url, hosts, max: 1, onError: () => {} })
    await pool.query('select 1')
    await pool.end()
  }
  assert.deepEqual(states, [
    { recovering: false, readOnly: false },
    { recovering: true, readOnly: true },
  ])
})

test('reads go to a replica that has everything', async () => {
  const { db, write, hasNote, untilStandbyIsUsed } = open()
  await write('first')
  await untilStandbyIsUsed()
  assert.equal(await hasNote(await db.chooseReader(), 'first'), true)
  await db.close()
})

test('what was just written is read, also by another node, while a replica is behind', async () => {
  const one = open()
  const other = open()
  await one.untilStandbyIsUsed()
  await other.untilStandbyIsUsed()
  await pause()
  await one.write('second')
  assert.equal(await other.hasNote(await other.db.chooseReader(), 'second'), true)
  assert.equal(await one.hasNote(await one.db.chooseReader(), 'second'), true)
  await resume()
  await one.untilStandbyIsUsed()
  await one.db.close()
  await other.db.close()
})

test('twin: without the position, the replica answers with old data', async () => {
  const { db, write, hasNote, untilStandbyIsUsed } = open()
  await untilStandbyIsUsed()
  const unchecked = await db.chooseReader()
  await pause()
  await write('third')
  assert.equal(await hasNote(unchecked, 'third'), false)
  await resume()
  await db.close()
})

test('the primary answers while no replica is reachable', async () => {
  const { db, write, hasNote, isStandby } = open('postgresql://turnout@127.0.0.1:1/turnout')
  await db.replicas!.poll()
  await db.replicas!.poll()
  await write('fourth')
  const reader = await db.chooseReader()
  assert.equal(await isStandby(reader), false)
  assert.equal(await hasNote(reader, 'fourth'), true)
  await db.close()
})

test('with several hosts, a standby is not used for writes, even if it was the primary before', async () => {
  const hosts = [servers.standby, servers.primary].map(({ url }) => new URL(url).searchParams.get('host')!)
  const both = new URL(servers.primary.url)
  both.searchParams.set('host', hosts.join(','))
  const pool = makePool({ url: both.href, max: 1, onError: () => {} })
  await pool.query(`insert into note values ('fifth')`)
  await pool.end()
  const readOnly = makePool({ url: `${both.href}&target_session_attrs=standby`, max: 1, onError: () => {} })
  await assert.rejects(readOnly.query(`insert into note values ('sixth')`), { code: '25006' })
  await readOnly.end()
})

test('a connection of its own leads to the server that accepts writes', async () => {
  const hosts = [servers.standby, servers.primary].map(({ url }) => new URL(url).searchParams.get('host')!)
  const both = new URL(servers.primary.url)
  both.searchParams.set('host', hosts.join(','))
  for (const url of [both.href, servers.primary.url]) {
    const client = await connectTo(url, { application_name: 'of its own' })
    await client.connect()
    const { rows } = await client.query(`select pg_is_in_recovery() as standby, current_setting('application_name') as name`)
    assert.deepEqual(rows, [{ standby: false, name: 'of its own' }])
    await client.end()
  }
})

// The last one: the server stays a primary.
test('a replica that was promoted is not read from, though it has everything', async () => {
  const { db, untilStandbyIsUsed } = open()
  await untilStandbyIsUsed()
  await servers.asSuperuser(servers.standby.url, 'select pg_promote()')
  await db.replicas!.poll()
  await db.replicas!.poll()
  assert.equal(await db.chooseReader(), db.read)
  await db.close()
})
