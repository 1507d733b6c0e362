import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { dropDatabase, freshDatabase } from '#test/support/database.ts'
import { runOn, urlOfDatabase } from '#test/support/postgres-server.ts'
import {
  isMigrated,
  isOutsideTransaction,
  MigrationRefused,
  migrate,
  pendingMigrations,
  planMigrations,
  readMigrations,
  sqlWithinTransaction,
} from './migrate.ts'
import { FORMER_HISTORY, translateHistory } from './renumbered.ts'

const A = { '0001_a.sql': 'create table a (id int);' }
const B = { '0002_b.sql': 'create table b (id int);' }
let made = 0

/** A database without any table. */
async function emptyDatabase(t: TestContext): Promise<string> {
  const { url, drop } = await freshDatabase()
  const name = `empty_${process.pid}_${++made}`
  await runOn(url, `create database ${name}`)
  t.after(async () => {
    await dropDatabase(url, name)
    await drop()
  })
  return urlOfDatabase(url, name)
}

function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
  return folder
}

async function tablesOf(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}

test('applies all migrations in order to an empty database, and creates the tables of the job worker', async (t) => {
  const url = await emptyDatabase(t)
  const lines: string[] = []
  const { applied } = await migrate({ url, log: (line) => lines.push(line) })
  assert.deepEqual(
    applied,
    readMigrations().map(({ name }) => name),
  )
  assert.deepEqual(
    lines,
    applied.map((name) => `applying ${name}`),
  )
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  assert.equal(await isMigrated(pool), true)
  await pool.query(`select graphile_worker.add_job('anything')`)
  await pool.end()
})

test('progress is shown instead of lines', async (t) => {
  const url = await emptyDatabase(t)
  const shown: string[] = []
  const folder = folderOf(t, { ...A, ...B })
  await migrate({ url, folder, log: (line) => shown.push(line), progress: (done, total) => shown.push(`${done} of ${total}`) })
  assert.deepEqual(shown, ['1 of 2', '2 of 2'])
})

test('a second run applies nothing', async (t) => {
  const url = await emptyDatabase(t)
  const folder = folderOf(t, A)
  assert.deepEqual(await migrate({ url, folder }), { applied: ['0001_a'] })
  assert.deepEqual(await migrate({ url, folder }), { applied: [] })
})

test('a later run applies new migrations', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ url, folder: folderOf(t, A) })
  assert.deepEqual(await migrate({ url, folder: folderOf(t, { ...A, ...B }) }), { applied: ['0002_b'] })
  assert.deepEqual(await tablesOf(url), ['a', 'b', 'migration'])
})

const REFUSED: [what: string, first: Record<string, string>, second: Record<string, string>, words: RegExp][] = [
  ['a migration that was changed after it was applied', A, { '0001_a.sql': `${A['0001_a.sql']} ` }, /0001_a was changed/],
  ['the history of a newer version', { ...A, ...B }, A, /0002_b, which this version of Turnout does not know/],
  ['a migration with a lower number than the last applied one', B, { ...A, ...B }, /0001_a comes before 0002_b/],
]
for (const [what, first, second, words] of REFUSED) {
  test(`refuses ${what}, and changes nothing`, async (t) => {
    const url = await emptyDatabase(t)
    await migrate({ url, folder: folderOf(t, first) })
    const before = await tablesOf(url)
    const refused = (error: Error) => error instanceof MigrationRefused && words.test(error.message)
    await assert.rejects(migrate({ url, folder: folderOf(t, second) }), refused)
    assert.deepEqual(await tablesOf(url), before)
  })
}

test('the checksum does not depend on the line endings', (t) => {
  const [unix] = readMigrations(folderOf(t, { '0001_a.sql': 'one\ntwo\n' }))
  const [windows] = readMigrations(folderOf(t, { '0001_a.sql': 'one\r\ntwo\r\n' }))
  assert.equal(unix!.checksum, windows!.checksum)
})

test('other files in the folder are ignored', (t) => {
  const folder = folderOf(t, { ...A, 'README.md': 'x', '12_short.sql': 'x', '0003_note.sql.bak': 'x' })
  assert.deepEqual(
    readMigrations(folder).map(({ name }) => name),
    ['0001_a'],
  )
})

test('nodes that start at the same time on an empty database succeed, and one of them applies the migrations', async (t) => {
  const url = await emptyDatabase(t)
  const folder = folderOf(t, { ...A, ...B })
  const results = await Promise.all([migrate({ url, folder }), migrate({ url, folder }), migrate({ url, folder })])
  assert.deepEqual(results.map(({ applied }) => applied.length).sort(), [0, 0, 2])
})

test('nodes that start at the same time do not wait for each other while one builds an index concurrently', async (t) => {
  const url = await emptyDatabase(t)
  const index = '-- without transaction\ncreate index concurrently if not exists a_id_idx on a (id);'
  // The pause lets the others ask for their turn before the index is built.
  const folder = folderOf(t, { ...A, '0002_pause.sql': 'select pg_sleep(0.5);', '0003_index.sql': index })
  const results = await Promise.all([migrate({ url, folder }), migrate({ url, folder }), migrate({ url, folder })])
  assert.deepEqual(results.map(({ applied }) => applied.length).sort(), [0, 0, 3])
})

test('a failed migration is rolled back, and those before it stay applied', async (t) => {
  const url = await emptyDatabase(t)
  const folder = folderOf(t, { ...A, '0002_bad.sql': 'create table half (id int); insert into half values (1); select 1 / 0;' })
  await assert.rejects(migrate({ url, folder }), /Migration 0002_bad failed: division by zero/)
  assert.deepEqual(await tablesOf(url), ['a', 'migration'])
  assert.deepEqual(await migrate({ url, folder: folderOf(t, { ...A, ...B }) }), { applied: ['0002_b'] })
})

const IMPATIENT = { timeoutMs: 20, pauseMs: 1, attempts: 3 }

async function connect(t: TestContext, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {}) // the database is dropped after the test
  await client.connect()
  t.after(() => client.end())
  return client
}

/** A connection that reads a table in a transaction that stays open. */
async function holdTable(t: TestContext, url: string, table: string): Promise<pg.Client> {
  const client = await connect(t, url)
  await client.query('begin')
  await client.query(`select from ${table}`)
  return client
}

test('a migration waits for a table in short turns, and is applied when the table is free', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ url, folder: folderOf(t, A) })
  const holder = await holdTable(t, url, 'a')
  const lines: string[] = []
  const log = (line: string) => {
    lines.push(line)
    if (line.includes('attempt 2')) void holder.query('commit')
  }
  const folder = folderOf(t, { ...A, '0002_b.sql': 'alter table a add column b int;' })
  assert.deepEqual(await migrate({ url, folder, log, locks: { ...IMPATIENT, attempts: 1_000 } }), { applied: ['0002_b'] })
  assert.ok(lines.some((line) => line.startsWith('0002_b waits for a table that is in use (attempt 1 of')))
})

test('between the turns of a migration that waits, others read the table', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ url, folder: folderOf(t, A) })
  const holder = await holdTable(t, url, 'a')
  const other = await connect(t, url)
  let reads = 0
  const log = (line: string) => {
    if (!line.includes('waits')) return
    // It answers although the first reader has not ended: without a timeout it would wait behind the migration.
    void other.query('select from a').then(async () => {
      reads++
      await holder.query('commit')
    })
  }
  const folder = folderOf(t, { ...A, '0002_b.sql': 'alter table a add column b int;' })
  await migrate({ url, folder, log, locks: { ...IMPATIENT, attempts: 1_000 } })
  assert.ok(reads > 0)
})

test('a migration that finds a table in use again and again says so, and changes nothing', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ url, folder: folderOf(t, A) })
  await holdTable(t, url, 'a')
  const folder = folderOf(t, { ...A, '0002_b.sql': 'create table b (id int); alter table a add column b int;' })
  const refused = (error: Error) => error instanceof MigrationRefused && /found a table in use 3 times/.test(error.message)
  await assert.rejects(migrate({ url, folder, locks: IMPATIENT }), refused)
  assert.deepEqual(await tablesOf(url), ['a', 'migration'])
})

test('an index is built while others write, and again after the build was interrupted', async (t) => {
  const url = await emptyDatabase(t)
  const index = '-- without transaction\ncreate unique index concurrently if not exists a_id_idx on a (id);'
  await migrate({ url, folder: folderOf(t, A) })
  await runOn(url, 'insert into a values (1), (1)')
  const folder = folderOf(t, { ...A, '0002_b.sql': index })
  await assert.rejects(migrate({ url, folder }), /could not create unique index/)
  await runOn(url, 'delete from a')
  assert.deepEqual(await migrate({ url, folder }), { applied: ['0002_b'] })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = 'a_id_idx'::regclass`)
  await client.end()
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('a connection that ends during a migration fails it, and the process goes on', async (t) => {
  const url = await emptyDatabase(t)
  const ending = folderOf(t, { '0001_a.sql': 'create table a (id int); select pg_terminate_backend(pg_backend_pid());' })
  await assert.rejects(migrate({ url, folder: ending }))
  // An error that nobody listens to would end the process in the next turns.
  await new Promise((done) => setImmediate(done))
  assert.deepEqual((await migrate({ url, folder: folderOf(t, A) })).applied, ['0001_a'])
})

test('a migration that cannot be recorded is rolled back', async (t) => {
  const url = await emptyDatabase(t)
  await assert.rejects(
    migrate({ url, folder: folderOf(t, { '0001_bad.sql': 'create table half (id int); drop table migration;' }) }),
  )
  assert.deepEqual(await tablesOf(url), ['migration'])
})

test('a database without migrations is not ready', async (t) => {
  const pool = new pg.Pool({ connectionString: await emptyDatabase(t), max: 1 })
  await assert.rejects(isMigrated(pool), { code: '42P01' })
  await pool.query('create table migration (name text primary key, checksum text not null)')
  assert.equal(await isMigrated(pool), false)
  await pool.end()
})

test('a database with migrations of a newer version is ready', async (t) => {
  const url = await emptyDatabase(t)
  await migrate({ url })
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await pool.query(`insert into migration (name, checksum) values ('9999_newer', 'x')`)
  assert.equal(await isMigrated(pool), true)
  await pool.query(`delete from migration where name like '0002%'`)
  assert.equal(await isMigrated(pool), false)
  await pool.end()
})

const WITHIN: [what: string, sql: string, expected: string][] = [
  ['a usual migration', 'create index concurrently a on b (c);', 'create index concurrently a on b (c);'],
  [
    'one that builds indexes',
    '-- without transaction\ncreate index concurrently if not exists a on b (c);\nCREATE UNIQUE INDEX CONCURRENTLY d on b (c); drop index  concurrently if exists e; select 1',
    'create index if not exists a on b (c);\nCREATE UNIQUE INDEX d on b (c);\ndrop index if exists e;\nselect 1;',
  ],
  ['one with the comment in another place', ' -- without transaction\nselect 1', ' -- without transaction\nselect 1'],
]
for (const [what, sql, expected] of WITHIN)
  test(`within a transaction, ${what} is ${sql === expected ? 'as it is' : 'without “concurrently”'}`, () => {
    assert.equal(sqlWithinTransaction({ name: 'a', sql, checksum: '' }), expected)
    assert.equal(isOutsideTransaction({ sql }), sql !== expected)
  })

test('the plan of an upgrade says what is applied and what is pending', async (t) => {
  const url = await emptyDatabase(t)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const all = readMigrations().map(({ name }) => name)
  const plan = async () => {
    const { applied, pending } = await planMigrations(pool)
    return [applied, pending.map(({ name }) => name)]
  }
  assert.deepEqual(await plan(), [0, all])
  await pool.query('create table migration (name text primary key, checksum text not null)')
  const [first] = readMigrations()
  await pool.query('insert into migration values ($1, $2)', [first!.name, first!.checksum])
  assert.deepEqual(await plan(), [1, all.slice(1)])
  await pool.query('alter table migration rename column checksum to other')
  await assert.rejects(plan(), { code: '42703' })
  await pool.end()
})

test('applied migrations are not pending', () => {
  const known = ['0001_a', '0002_b', '0003_c'].map((name) => ({ name, sql: '', checksum: name }))
  assert.deepEqual(
    pendingMigrations(known, known.slice(0, 2)).map(({ name }) => name),
    ['0003_c'],
  )
})

test('migrations are numbered from 1 without gaps', () => {
  const numbers = readMigrations().map(({ name }) => Number(name.slice(0, 4)))
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  )
})

for (const [what, count] of [
  ['all', FORMER_HISTORY.length],
  ['the first', 1],
] as const) {
  test(`refuses a database with ${what} of the former migrations and says how to move it, and changes nothing`, async (t) => {
    const url = await emptyDatabase(t)
    await migrate({ url, folder: folderOf(t, {}) })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (const { name, checksum } of FORMER_HISTORY.slice(0, count))
      await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.end()
    const before = await tablesOf(url)
    const words = /backup with that build \(command backup FILE\).*empty data directory or database \(npx turnout restore FILE\)/
    const refused = (error: Error) => error instanceof MigrationRefused && words.test(error.message)
    await assert.rejects(migrate({ url }), refused)
    assert.deepEqual(await tablesOf(url), before)
  })
}

test('the former history is what databases of version 0.1.0 contain, so it never changes', () => {
  const lines = FORMER_HISTORY.map(({ name, checksum }) => `${name} ${checksum}\n`).join('')
  assert.equal(hash('sha256', lines), '1f23ebfa34e225021c97ece9f08653c24fb319ee64dafefc213933a81f6f04e0')
})

test('a complete former history stands for the merged migrations, and later ones stay pending', () => {
  const known = [...readMigrations(), { name: '9999_later', sql: '', checksum: 'x' }]
  const pending = pendingMigrations(known, translateHistory(FORMER_HISTORY, known))
  assert.deepEqual(pending.map(({ name }) => name).includes('0011_instance'), false)
  assert.deepEqual(pending.at(-1)?.name, '9999_later')
})

test('an incomplete or changed former history is not translated', () => {
  const known = readMigrations()
  const changed = FORMER_HISTORY.with(3, { name: '0004_events', checksum: 'x' })
  for (const history of [FORMER_HISTORY.slice(0, -1), changed]) {
    assert.deepEqual(translateHistory(history, known), history)
    assert.throws(() => pendingMigrations(known, history), MigrationRefused)
  }
})
