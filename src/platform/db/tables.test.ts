import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generateTableTypes } from '../../../scripts/table-types.ts'

test('the committed types are those of the migrated schema (npm run types writes them)', async () => {
  const committed = readFileSync(new URL('./tables.ts', import.meta.url), 'utf8')
  assert.equal(committed, await generateTableTypes())
})
