// How long moving in takes: an ephios of a given size is made, moved in by one transaction as `npx turnout import` does, and counted.
//   npm run check:import -- --participations 1000000 [--sqlite]
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { moveIn, secretsWith } from '#features/moving/commands/moving-in.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { startEmbedded } from '#platform/db/embedded.ts'
import { openForeign } from '#platform/db/foreign.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { runOn, urlOfDatabase } from '#test/database-server.ts'
import { makeManyInPostgres, makeManyInSqlite, requireMovedIn, sizeFor } from '#test/ephios-many.ts'

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

const folder = mkdtempSync(join(tmpdir(), 'check-import-'))
// As an operator has it: nothing is switched off for speed.
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
  const source = await openForeign(place)
  const db = openDatabase({ url: targetUrl, timeZone: 'Europe/Berlin' })
  const secrets = secretsWith(makeKeyring('a key for measuring, long enough for it'))
  const report = await timed('moving in', () =>
    moveIn(db.write, { source, secrets, now: new Date(), language: 'de', isDryRun: false }),
  )
  await timed('counting and comparing', () => requireMovedIn(db, size, report))
  console.log(`peak memory of the process: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
  await Promise.all([source.close(), db.close()])
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
