import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { importEphios, makeImportSecrets } from '#features/operations/import-ephios/commands/import.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { freshDatabase } from '#test/support/database.ts'
import {
  assertImported,
  findSchemaObjects,
  makeManyInPostgres,
  makeManyInSqlite,
  type Size,
  sizeFor,
} from '#test/support/ephios/bulk.ts'
import { openWorld } from '#test/support/world.ts'

// The short form of `npm run check:import`: more rows than one batch holds, of every structure and every kind of participant.
const SIZE = sizeFor(6_000)
const folder = mkdtempSync(join(tmpdir(), 'ephios-many-'))
after(() => rmSync(folder, { recursive: true }))

const PLACES: Record<string, (size: Size) => Promise<string>> = {
  PostgreSQL: async (size) => {
    const { url, drop } = await freshDatabase()
    after(drop)
    await makeManyInPostgres(url, size)
    return url
  },
  SQLite: async (size) => {
    const path = join(folder, 'db.sqlite3')
    makeManyInSqlite(path, size)
    return path
  },
}

for (const [name, make] of Object.entries(PLACES)) {
  test(`thousands of participations are imported from ${name} in batches without losses`, async () => {
    const world = await openWorld({ empty: true })
    const source = await openSourceDatabase(await make(SIZE))
    const schemaObjects = await findSchemaObjects(world.db)
    const secrets = makeImportSecrets(world.app.site.keyring)
    const report = await importEphios(world.db.write, { source, secrets, now: world.now, language: 'de', isDryRun: false })
    await source.close()
    await assertImported(world.db, SIZE, report)
    assert.deepEqual(await findSchemaObjects(world.db), schemaObjects)
  })
}
