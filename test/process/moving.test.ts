import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { findStoredTables } from '#features/moving/queries/tables.ts'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import type { Database } from '#platform/db/pool.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { keepersOf, makeManyInSqlite, sizeFor } from '#test/support/ephios/bulk.ts'
import { emptyDatabase } from '../support/process/database.ts'
import { endAll, launch, newDataDir, ROOT, type Settings, startServe, turnout, until } from '../support/process/processes.ts'

after(endAll)
const folder = mkdtempSync(join(tmpdir(), 'moving-process-'))
after(() => rmSync(folder, { recursive: true }))

const SIZE = sizeFor(12_000)
const SOURCE = join(folder, 'db.sqlite3')
const PLAIN = join(folder, 'plain.backup')
const SEALED = join(folder, 'sealed.backup')
const BACKUP_PASSPHRASE = 'seven quiet lamps'
const SITE_URL = 'http://localhost:8113'
const KEY = 'the key of the instance that moved in first'

async function withDatabaseOf<T>({ DATABASE_URL, DATA_DIR }: Settings, work: (db: Database) => Promise<T>): Promise<T> {
  const server = DATABASE_URL ? { url: DATABASE_URL, stop: async () => {} } : await attachEmbedded(DATA_DIR!)
  const db = openTestDatabase({ url: server.url })
  try {
    return await work(db)
  } finally {
    await db.close()
    await server.stop()
  }
}

/** Rows of every table as one line, whatever their order, with indexes, constraints and triggers. */
const contentOf = (settings: Settings): Promise<string> =>
  withDatabaseOf(settings, async ({ read }) => {
    const lines: string[] = []
    for (const { name, columns } of await findStoredTables(read)) {
      const chosen = sql.join(columns.map((column) => sql.ref(column)))
      const { rows } = await sql<{ line: string }>`
        select count(*) || ' ' || md5(coalesce(string_agg(md5(each::text), '' order by each::text), '')) as line
        from (select ${chosen} from ${sql.table(name)}) each`.execute(read)
      lines.push(`${name} ${rows[0]!.line}`)
    }
    return [...lines, ...(await keepersOf({ read }))].join('\n')
  })

/** As a power cut does: as soon as it says this, it is gone. The database of a killed command needs a moment to notice. */
async function killWhenItSays(args: string[], settings: Settings, pattern: RegExp): Promise<void> {
  const running = launch({ args: [join(ROOT, 'src/cli.ts'), ...args], settings })
  await running.says(pattern)
  await running.kill()
  if (!settings.DATABASE_URL) return
  await until('its connections are gone', () =>
    withDatabaseOf(settings, async ({ read }) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'turnout' and pid <> pg_backend_pid()`.execute(read)
      return rows[0]!.count === 0
    }),
  )
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('moving in, backup and restore by the command line', () => {
  const embedded: Settings = { DATA_DIR: newDataDir(), SITE_URL, SECRET_KEY: KEY }
  const external: Settings = { DATA_DIR: newDataDir(), SITE_URL, SECRET_KEY: KEY }
  const IMPORT = ['import', 'ephios', SOURCE]
  before(async () => {
    external.DATABASE_URL = await emptyDatabase()
    makeManyInSqlite(SOURCE, SIZE)
  })

  for (const [where, settings] of [
    ['the embedded database', embedded],
    ['an external database', external],
  ] as const) {
    test(`an import that is killed leaves ${where} empty, and the next one works`, async () => {
      assert.equal((await turnout(['migrate'], settings)).code, 0)
      const empty = await contentOf(settings)
      await killWhenItSays(IMPORT, settings, /moving in: [3-6]0 %/)
      assert.equal(await contentOf(settings), empty)
      const rehearsal = await turnout([...IMPORT, '--dry-run'], settings)
      assert.equal(rehearsal.code, 0, rehearsal.stderr)
      assert.match(rehearsal.stderr, /This was a rehearsal: nothing was changed/)
      assert.equal(await contentOf(settings), empty)
      const done = await turnout([...IMPORT, '--report', join(folder, 'report.txt')], settings)
      assert.equal(done.code, 0, done.stderr)
      assert.match(done.stderr, /abstractparticipation +12000 +12000 +0 +0 +0[\s\S]*Everything is there/)
      assert.deepEqual([modeOf(join(folder, 'report.txt')), readFileSync(join(folder, 'report.txt'), 'utf8')], [0o600, ''])
    })
  }

  test('an instance in use is not imported into, and MySQL, other systems and other files are refused in a line', async () => {
    const REFUSED: [args: string[], code: number, words: RegExp][] = [
      [IMPORT, 1, /^turnout: This instance is in use\. An import goes into an empty one: .*\n$/],
      [['import', 'ephios', 'mysql://localhost/ephios'], 1, /^turnout: MySQL and MariaDB cannot be read\. .*\n$/],
      [['import', 'ephios', PLAIN], 1, /^turnout: .* cannot be read as a SQLite database.*\n$/],
      [['import', 'kronos', SOURCE], 2, /^turnout: nothing is known about moving in from kronos; ephios is\n$/],
      [[...IMPORT, '--language', 'fr'], 2, /^turnout: --language must be de or en\n$/],
      [['backup', '/nowhere/at/all.backup'], 1, /^turnout: ENOENT.*\n$/],
      [['restore', '/nowhere/at/all.backup'], 1, /There is no file \/nowhere\/at\/all\.backup\.\n$/],
    ]
    for (const [args, code, words] of REFUSED) {
      const outcome = await turnout(args, external)
      assert.deepEqual([outcome.code, outcome.stdout], [code, ''], outcome.stderr)
      assert.match(outcome.stderr, words)
    }
  })

  test('a backup that is killed leaves the former one and a part for its owner alone; the next one takes its place', async () => {
    writeFileSync(PLAIN, 'the former one')
    await killWhenItSays(['backup', PLAIN], external, /backing up: [1-7]0 %/)
    assert.deepEqual([readFileSync(PLAIN, 'utf8'), modeOf(`${PLAIN}.partial`)], ['the former one', 0o600])
    const made = await turnout(['backup', PLAIN], external)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /rows are in .*plain\.backup\nIt is not sealed: .*the secret key \w+/)
    assert.deepEqual([modeOf(PLAIN), existsSync(`${PLAIN}.partial`)], [0o600, false])
  })

  test('a backup is restored with the key that it names, and with no other', async () => {
    const target = { DATA_DIR: newDataDir(), SITE_URL, DATABASE_URL: await emptyDatabase() }
    const wrong = await turnout(['restore', PLAIN], { ...target, SECRET_KEY: 'another key '.repeat(3) })
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /Secrets in this backup are sealed with key \w+, which is neither SECRET_KEY nor SECRET_KEY_OLD\./)
    const none = await turnout(['restore', PLAIN], target)
    assert.deepEqual([none.code, /sealed with key/.test(none.stderr)], [1, true], none.stderr)
    const right = await turnout(['restore', PLAIN], { ...target, SECRET_KEY: KEY })
    assert.equal(right.code, 0, right.stderr)
    assert.equal(await contentOf(target), await contentOf(external))
  })

  test('a restore that is killed leaves the instance as it was, and the next one works', async () => {
    const before = await contentOf(embedded)
    const refused = await turnout(['restore', PLAIN], embedded)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /This instance is in use\. With --replace everything in it is lost/)
    await killWhenItSays(['restore', PLAIN, '--replace'], embedded, /restoring: [2-7]0 %/)
    assert.equal(await contentOf(embedded), before)
    const done = await turnout(['restore', PLAIN, '--replace'], embedded)
    assert.equal(done.code, 0, done.stderr)
    assert.equal(await contentOf(embedded), await contentOf(external))
  })

  test('sealed with a passphrase it carries the key, from an external database to an embedded one and back', async () => {
    const admin = await turnout(['create-admin', '--email', 'olga@example.org', '--name', 'Olga'], external)
    assert.equal(admin.code, 0, admin.stderr)
    const sealing = { ...external, BACKUP_PASSPHRASE }
    const made = await turnout(['backup', SEALED], sealing)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /It is sealed with BACKUP_PASSPHRASE and contains the secret key\.\n$/)
    assert.ok(!readFileSync(SEALED).includes(KEY))
    const target: Settings = { DATA_DIR: newDataDir(), SITE_URL }
    assert.match((await turnout(['restore', SEALED], target)).stderr, /needs the passphrase/)
    assert.match(
      (await turnout(['restore', SEALED], { ...target, BACKUP_PASSPHRASE: 'seven loud lamps' })).stderr,
      /passphrase is not the one/,
    )
    const other = await turnout(['restore', SEALED], { ...target, BACKUP_PASSPHRASE, SECRET_KEY: 'another key '.repeat(3) })
    assert.match(other.stderr, /Leave SECRET_KEY out to take the key from the backup/)
    const done = await turnout(['restore', SEALED], { ...target, BACKUP_PASSPHRASE })
    assert.equal(done.code, 0, done.stderr)
    const key = join(target.DATA_DIR!, 'secret-key')
    assert.deepEqual([readFileSync(key, 'utf8').trim(), modeOf(key)], [KEY, 0o600])
    assert.equal(await contentOf(target), await contentOf(external))
    assert.deepEqual(await turnout(['doctor'], target), { code: 0, stdout: '', stderr: 'all is well\n' })

    const back = join(folder, 'back.backup')
    assert.equal((await turnout(['backup', back], target)).code, 0)
    const home = { ...external, DATABASE_URL: await emptyDatabase() }
    assert.equal((await turnout(['restore', back], home)).code, 0)
    assert.equal(await contentOf(home), await contentOf(external))
  })

  test('beside a running server a backup is made, and neither a restore nor an import; afterwards it speaks German', async () => {
    const { DATABASE_URL, SECRET_KEY } = external
    const server = await startServe({ DATABASE_URL, SECRET_KEY })
    const page = await (await fetch(`${server.origin}/accounts/login/`)).text()
    assert.match(page, /<html lang="de"/)
    const beside = join(folder, 'beside.backup')
    assert.equal((await turnout(['backup', beside], external)).code, 0)
    const before = hashOf(beside)
    for (const args of [['restore', beside, '--replace'], IMPORT]) {
      const { code, stderr } = await turnout(args, external)
      assert.equal(code, 1)
      assert.match(stderr, /A server or another command is using this database\. Stop it first\.\n$/)
    }
    assert.equal(hashOf(beside), before)
    assert.equal(await server.stop(), 0)
    const english = await startServe({ DATABASE_URL, SECRET_KEY, DEFAULT_LANGUAGE: 'en' })
    assert.match(await (await fetch(`${english.origin}/accounts/login/`)).text(), /<html lang="en"/)
    assert.equal(await english.stop(), 0)
  })
})
