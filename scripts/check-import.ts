// Measures an import: creates an ephios database of a given size, imports it, verifies the counts, makes a backup and restores it.
//   npm run check:import -- --participations 1000000 [--sqlite]
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { makeBackup } from '#features/operations/backup/commands/backup.ts'
import { checkArchive, restoreBackup } from '#features/operations/backup/commands/restore.ts'
import { importEphios, makeImportSecrets } from '#features/operations/import-ephios/commands/import.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { assertImported, makeManyInPostgres, makeManyInSqlite, sizeFor } from '#test/support/ephios/bulk.ts'
import { runOn, urlOfDatabase } from '#test/support/postgres-server.ts'
import { VERSION } from '../src/version.ts'

const { values } = parseArgs({
  options: {
    participations: { type: 'string', default: '100000' },
    sqlite: { type: 'boolean', default: false },
    'slow-statements': { type: 'string' },
  },
})
const size = sizeFor(Number(values.participations))
assert.ok(Number.isInteger(size.participations) && size.participations > 0, '--participations must be a positive whole number')

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const since = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - since) / 1000).toFixed(1)} s`)
  return result
}

const SECRET_KEY = 'a key for measuring, long enough for it'
const keyring = makeKeyring(SECRET_KEY)
const site = { url: 'http://localhost', timeZone: 'Europe/Berlin', language: 'de' }
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

const folder = mkdtempSync(join(tmpdir(), 'check-import-'))
// Production settings: durability stays on.
const slow = values['slow-statements']
const server = await startEmbedded(join(folder, 'data'), {
  ...(slow ? { settings: { log_min_duration_statement: slow }, log: (line: string) => console.log(line.slice(0, 300)) } : {}),
})
try {
  const targetUrl = urlOfDatabase(server.url, 'target')
  await runOn(server.url, 'create database target')
  await migrate({ url: targetUrl })
  const place = values.sqlite ? join(folder, 'db.sqlite3') : urlOfDatabase(server.url, 'source')
  console.log(
    `${size.participations} participations, ${size.people} people, ${size.events} events, ${size.shifts} shifts, ${size.log} lines of the log`,
  )
  await timed(`making an ephios on ${values.sqlite ? 'SQLite' : 'PostgreSQL'}`, async () => {
    if (values.sqlite) return makeManyInSqlite(place, size)
    await runOn(server.url, 'create database source')
    await makeManyInPostgres(place, size)
  })
  const source = await openSourceDatabase(place)
  const db = openDatabase({ url: targetUrl })
  const secrets = makeImportSecrets(keyring)
  const report = await timed('importing', () =>
    importEphios(db.write, { source, secrets, now: new Date(), language: 'de', isDryRun: false }),
  )
  await timed('counting and comparing', () => assertImported(db, size, report))
  const file = join(folder, 'check.backup')
  const files = openFileStore({ dataDir: folder })
  await timed('backing up', () =>
    makeBackup(db.write, { path: file, files, keyring, secretKey: SECRET_KEY, site, turnout: VERSION, now: new Date() }),
  )
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db.read)
  console.log(`the database has ${megabytes(rows[0]!.bytes)}, its backup ${megabytes(statSync(file).size)}`)
  await runOn(server.url, 'create database copy')
  await migrate({ url: urlOfDatabase(server.url, 'copy') })
  const copy = openDatabase({ url: urlOfDatabase(server.url, 'copy') })
  await timed('checking and restoring', async () =>
    restoreBackup(copy.write, { path: file, files, replace: false }, await checkArchive(file, undefined)),
  )
  await assertImported(copy, size, report)
  await copy.close()
  console.log(`peak memory of the process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  await Promise.all([source.close(), db.close()])
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
