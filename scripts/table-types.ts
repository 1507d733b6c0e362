// Writes src/platform/db/tables.ts from a freshly migrated database: `npm run types` after each migration.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '#test/support/database.ts'

const target = fileURLToPath(new URL('../src/platform/db/tables.ts', import.meta.url))

export async function generateTableTypes(): Promise<string> {
  const database = await freshDatabase()
  const out = join(tmpdir(), `turnout-tables-${process.pid}.ts`)
  try {
    const flags = [
      '--dialect',
      'postgres',
      '--url',
      database.url,
      '--out-file',
      out,
      '--date-parser',
      'string',
      '--numeric-parser',
      'string',
    ]
    const mapping = [
      '--type-mapping',
      '{"int8":"number","timestamptz":"Date"}',
      '--exclude-pattern',
      '{graphile_worker,published}.*',
    ]
    const codegen = fileURLToPath(new URL('../node_modules/.bin/kysely-codegen', import.meta.url))
    const result = spawnSync(process.execPath, [codegen, ...flags, ...mapping], { encoding: 'utf8' })
    if (result.status !== 0) throw new Error(`kysely-codegen failed:\n${result.stdout}\n${result.stderr}`)
    return readFileSync(out, 'utf8')
  } finally {
    rmSync(out, { force: true })
    await database.drop()
  }
}

if (import.meta.main) {
  writeFileSync(target, await generateTableTypes())
  console.log('wrote src/platform/db/tables.ts')
}
