import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import type { Database } from '#platform/db/pool.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { findSchemaObjects, makeManyInSqlite, sizeFor } from '#test/support/ephios/bulk.ts'
import { makeEphiosSqlite } from '#test/support/ephios/database.ts'
import { EPHIOS_ROWS } from '#test/support/ephios/rows.ts'
import { findRestoredTables } from '#test/support/restored-tables.ts'
import { chooseSize, chooseVariants } from '#test/support/sizes.ts'
import { emptyDatabase, migratedDatabase } from '../support/process/database.ts'
import { runHere } from '../support/process/in-process.ts'
import { endAll, launch, newDataDir, ROOT, type Settings, startServe, turnout, until } from '../support/process/processes.ts'

after(endAll)
const folder = mkdtempSync(join(tmpdir(), 'moving-process-'))
after(() => rmSync(folder, { recursive: true }))

const PARTICIPATIONS = chooseSize({ usual: 2000, full: 12_000 })
const SIZE = sizeFor(PARTICIPATIONS)
const SOURCE = join(folder, 'db.sqlite3')
const PLAIN = join(folder, 'plain.backup')
const ENCRYPTED = join(folder, 'encrypted.backup')
const BACKUP_PASSPHRASE = 'seven quiet lamps'
const SITE_URL = 'http://localhost:8113'
const KEY = 'the secret key of the imported instance'

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

/** A checksum per table that is restored, independent of the order of rows, with indexes, constraints and triggers. */
const contentOf = (settings: Settings): Promise<string> =>
  withDatabaseOf(settings, async ({ read }) => {
    const lines: string[] = []
    for (const { name, columns } of await findRestoredTables(read)) {
      const chosen = sql.join(columns.map((column) => sql.ref(column)))
      const { rows } = await sql<{ line: string }>`
        select count(*) || ' ' || md5(coalesce(string_agg(md5(each::text), '' order by each::text), '')) as line
        from (select ${chosen} from ${sql.table(name)}) each`.execute(read)
      lines.push(`${name} ${rows[0]!.line}`)
    }
    return [...lines, ...(await findSchemaObjects({ read }))].join('\n')
  })

/** Kills the command when its output matches, and waits until PostgreSQL has closed its connections. */
async function killOnOutput(args: string[], settings: Settings, pattern: RegExp): Promise<void> {
  const running = launch({ args: [join(ROOT, 'src/cli.ts'), ...args], settings })
  await running.says(pattern)
  await running.kill()
  await untilDisconnected(settings)
}

/** The server of an external database notices a moment later that a command has ended. */
async function untilDisconnected(settings: Settings): Promise<void> {
  if (!settings.DATABASE_URL) return
  await until('its connections are gone', () =>
    withDatabaseOf(settings, async ({ read }) => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'turnout' and pid <> pg_backend_pid()`.execute(read)
      return rows[0]!.count === 0
    }),
  )
}

/** Sends a signal to the command when its output matches; it must say that nothing was changed. */
async function interruptOnOutput(args: string[], settings: Settings, pattern: RegExp): Promise<void> {
  const running = launch({ args: [join(ROOT, 'src/cli.ts'), ...args], settings })
  await running.says(pattern)
  assert.equal(await running.stop('SIGINT'), 130)
  assert.match(running.stderr(), /was interrupted\. Nothing was changed; it can be started again\.\n$/)
  await untilDisconnected(settings)
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const modeOf = (path: string) => statSync(path).mode & 0o777

describe('import, backup and restore on the command line', () => {
  const embedded: Settings = { DATA_DIR: newDataDir(), SITE_URL, SECRET_KEY: KEY }
  const external: Settings = { DATA_DIR: newDataDir(), SITE_URL, SECRET_KEY: KEY }
  const IMPORT = ['import', 'ephios', SOURCE]
  before(async () => {
    external.DATABASE_URL = await emptyDatabase()
    makeManyInSqlite(SOURCE, SIZE)
  })

  // One of them in a process of its own, as operators start it.
  for (const [where, settings, command] of [
    ['the embedded database', embedded, turnout],
    ['an external database', external, runHere],
  ] as const) {
    test(`an import that is ended leaves ${where} empty, and the next one works`, async () => {
      assert.equal((await runHere(['migrate'], settings)).code, 0)
      const empty = await contentOf(settings)
      // A signal on one database, a kill on the other; both on both in full size.
      for (const end of chooseVariants([killOnOutput, interruptOnOutput], settings === embedded ? 0 : 1)) {
        await end(IMPORT, settings, /importing: [3-6]0 %/)
        assert.equal(await contentOf(settings), empty)
      }
      const dryRun = await runHere([...IMPORT, '--dry-run'], settings)
      assert.equal(dryRun.code, 0, dryRun.stderr)
      assert.match(dryRun.stderr, /Dry run: nothing was changed/)
      assert.equal(await contentOf(settings), empty)
      const done = await command([...IMPORT, '--report', join(folder, 'report.txt')], settings)
      assert.equal(done.code, 0, done.stderr)
      assert.match(
        done.stderr,
        new RegExp(
          `abstractparticipation +${PARTICIPATIONS} +${PARTICIPATIONS} +0 +0 +0[^]*rows imported, 0 kept aside, 0 left out[^]*Import (complete|finished)`,
        ),
      )
      const shares = [...done.stderr.matchAll(/^importing: (\d+) %$/gm)].map(([, share]) => Number(share))
      assert.deepEqual(
        shares,
        [...new Set(shares)].sort((a, b) => a - b),
        'the progress runs once',
      )
      assert.equal(shares.at(-1), 100)
      const written = readFileSync(join(folder, 'report.txt'), 'utf8')
      assert.equal(modeOf(join(folder, 'report.txt')), 0o600)
      // Everything that the command says, apart from the progress.
      const said = done.stderr.replaceAll(/^importing: .*\n/gm, '')
      assert.deepEqual(said.split('\n').sort(), written.split('\n').sort())
    })
  }

  test('the report names what needs attention first, and what people have to know last', async () => {
    const source = join(folder, 'small.sqlite3')
    makeEphiosSqlite(source, EPHIOS_ROWS)
    const { stderr, code } = await runHere(['import', 'ephios', source], { DATA_DIR: newDataDir(), SITE_URL })
    assert.equal(code, 0, stderr)
    const order = [
      /^Attention: SECRET_KEY is not set\. Secrets are sealed with the key in \S+secret-key: keep this file/m,
      /^importing: \d+ %$/m,
      /^Attention: Two users have the email address maria@example\.org: “Maria Muster” \(user 21\)/m,
      /^Attention: \d+ of \d+ rows of abstractparticipation are left out\.$/m,
      /^table +rows +imported/m,
      /^Not needed:$/m,
      /^- Setting enabled_plugins: every module of ephios is part of Turnout.*Switched on were: /m,
      /^\d+ of \d+ rows imported, \d+ kept aside, \d+ left out/m,
      /^1 of 2 active users can sign in with their current password\.$/m,
      /^Please note:$/m,
      /^- Sign-in by “Keycloak” goes on with the redirect address that the provider knows/m,
      /^Import finished\. Please go through the points above\.\n$/m,
    ].map((line) => stderr.search(line))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      stderr,
    )
    assert.ok(!order.includes(-1), stderr)
  })

  test('the report in a file has the summary and all notes, of which the terminal shows the first', async () => {
    const [source, report] = [join(folder, 'notes.sqlite3'), join(folder, 'notes.txt')]
    makeEphiosSqlite(source, EPHIOS_ROWS)
    const args = ['import', 'ephios', source, '--dry-run', '--report', report]
    const settings = { DATA_DIR: newDataDir(), SITE_URL, SECRET_KEY: KEY, DATABASE_URL: await migratedDatabase() }
    const { stderr, code } = await runHere(args, settings)
    assert.equal(code, 0, stderr)
    const written = readFileSync(report, 'utf8')
    const hidden = Number(/^… and (\d+) more; use --report FILE to get all of them$/m.exec(stderr)![1])
    const notesIn = (text: string) => text.match(/^(repaired|left out): .*$/gm)!.length
    assert.equal(notesIn(written), notesIn(stderr) + hidden)
    for (const line of [/^Attention: Two users/m, /^table +rows/m, /^Not needed:$/m, /rows imported, /, /^Please note:$/m])
      assert.match(written, line)
    assert.match(written, /Dry run: nothing was changed\.\n$/)
  })

  test('commands refuse instances in use, MySQL, other systems and other files in one line', async () => {
    const REFUSED: [args: string[], code: number, message: RegExp][] = [
      [IMPORT, 1, /^turnout: This instance is not empty\. An import keeps all ids, so it needs an empty instance\.\n$/],
      [['import', 'ephios', 'mysql://localhost/ephios'], 1, /^turnout: MySQL and MariaDB cannot be read\. .*\n$/],
      [['import', 'ephios', PLAIN], 1, /^turnout: .* cannot be read as a SQLite database.*\n$/],
      [['import', 'kronos', SOURCE], 2, /^turnout: cannot import from kronos; only ephios is supported\n$/],
      [[...IMPORT, '--language', 'fr'], 2, /^turnout: --language must be de or en\n$/],
      [['backup', '/nowhere/at/all.backup'], 1, /^turnout: ENOENT.*\n$/],
      [['restore', '/nowhere/at/all.backup'], 1, /File not found: \/nowhere\/at\/all\.backup\n$/],
    ]
    for (const [args, code, message] of REFUSED) {
      const outcome = await runHere(args, external)
      assert.deepEqual([outcome.code, outcome.stdout], [code, ''], outcome.stderr)
      assert.match(outcome.stderr, message)
    }
  })

  test('a killed backup leaves the former file and a partial file, which the next backup replaces', async () => {
    writeFileSync(PLAIN, 'the former one')
    await killOnOutput(['backup', PLAIN], external, /backing up: [1-7]0 %/)
    assert.deepEqual([readFileSync(PLAIN, 'utf8'), modeOf(`${PLAIN}.partial`)], ['the former one', 0o600])
    const made = await runHere(['backup', PLAIN], external)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /Backup of \d+ rows written to .*plain\.backup\nIt is not encrypted: .*the secret key \w+/)
    assert.deepEqual([modeOf(PLAIN), existsSync(`${PLAIN}.partial`)], [0o600, false])
  })

  test('a backup is restored only with its secret key', async () => {
    const target = { DATA_DIR: newDataDir(), SITE_URL, DATABASE_URL: await emptyDatabase() }
    const wrong = await runHere(['restore', PLAIN], { ...target, SECRET_KEY: 'another key '.repeat(3) })
    assert.equal(wrong.code, 1)
    assert.match(
      wrong.stderr,
      /Secrets in this backup are encrypted with key \w+, which is neither SECRET_KEY nor SECRET_KEY_OLD\./,
    )
    const none = await runHere(['restore', PLAIN], target)
    assert.deepEqual([none.code, /encrypted with key/.test(none.stderr)], [1, true], none.stderr)
    const right = await runHere(['restore', PLAIN], { ...target, SECRET_KEY: KEY })
    assert.equal(right.code, 0, right.stderr)
    assert.equal(await contentOf(target), await contentOf(external))
  })

  test('a killed restore leaves the instance unchanged, and the next one works', async () => {
    const before = await contentOf(embedded)
    const refused = await runHere(['restore', PLAIN], embedded)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /This instance is not empty\. Use --replace to overwrite all of its data/)
    await killOnOutput(['restore', PLAIN, '--replace'], embedded, /restoring: [2-7]0 %/)
    assert.equal(await contentOf(embedded), before)
    await interruptOnOutput(['restore', PLAIN, '--replace'], embedded, /restoring: [2-7]0 %/)
    assert.equal(await contentOf(embedded), before)
    const done = await runHere(['restore', PLAIN, '--replace'], embedded)
    assert.equal(done.code, 0, done.stderr)
    assert.equal(await contentOf(embedded), await contentOf(external))
  })

  test('an encrypted backup contains the key and moves between external and embedded databases', async () => {
    const admin = await runHere(['create-admin', '--email', 'olga@example.org', '--name', 'Olga'], external)
    assert.equal(admin.code, 0, admin.stderr)
    const encrypting = { ...external, BACKUP_PASSPHRASE }
    const made = await runHere(['backup', ENCRYPTED], encrypting)
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stderr, /It is encrypted with BACKUP_PASSPHRASE and contains the secret key\.\n$/)
    assert.ok(!readFileSync(ENCRYPTED).includes(KEY))
    const target: Settings = { DATA_DIR: newDataDir(), SITE_URL }
    assert.match((await runHere(['restore', ENCRYPTED], target)).stderr, /Set BACKUP_PASSPHRASE/)
    assert.match(
      (await runHere(['restore', ENCRYPTED], { ...target, BACKUP_PASSPHRASE: 'seven loud lamps' })).stderr,
      /passphrase is wrong/,
    )
    const other = await runHere(['restore', ENCRYPTED], { ...target, BACKUP_PASSPHRASE, SECRET_KEY: 'another key '.repeat(3) })
    assert.match(other.stderr, /which is not the setting SECRET_KEY\. Remove it to use the key from the backup/)
    const done = await runHere(['restore', ENCRYPTED], { ...target, BACKUP_PASSPHRASE })
    assert.equal(done.code, 0, done.stderr)
    const key = join(target.DATA_DIR!, 'secret-key')
    assert.deepEqual([readFileSync(key, 'utf8').trim(), modeOf(key)], [KEY, 0o600])
    assert.equal(await contentOf(target), await contentOf(external))
    assert.deepEqual(await runHere(['doctor'], target), { code: 0, stdout: '', stderr: 'no findings\n' })

    const plain = await runHere(['restore', PLAIN, '--replace'], { ...target, BACKUP_PASSPHRASE })
    assert.equal(plain.code, 1)
    assert.match(plain.stderr, /BACKUP_PASSPHRASE is set, but this backup is not encrypted.*--accept-unencrypted/)
    const accepted = ['restore', PLAIN, '--replace', '--accept-unencrypted']
    assert.equal((await runHere(accepted, { ...target, BACKUP_PASSPHRASE })).code, 0)
    assert.equal((await runHere(['restore', ENCRYPTED, '--replace'], { ...target, BACKUP_PASSPHRASE })).code, 0)

    const back = join(folder, 'back.backup')
    assert.equal((await runHere(['backup', back], target)).code, 0)
    const home = { ...external, DATABASE_URL: await emptyDatabase() }
    assert.equal((await runHere(['restore', back], home)).code, 0)
    assert.equal(await contentOf(home), await contentOf(external))
  })

  test('a running server allows backups, but neither restore nor import, and uses the language of the import', async () => {
    const { DATABASE_URL, SECRET_KEY } = external
    const server = await startServe({ DATABASE_URL, SECRET_KEY })
    const page = await (await fetch(`${server.origin}/accounts/login/`)).text()
    assert.match(page, /<html lang="de"/)
    const beside = join(folder, 'beside.backup')
    assert.equal((await runHere(['backup', beside], external)).code, 0)
    const before = hashOf(beside)
    for (const args of [['restore', beside, '--replace'], IMPORT]) {
      const { code, stderr } = await runHere(args, external)
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
