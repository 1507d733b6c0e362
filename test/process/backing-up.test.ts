import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { backUpUnderLoad } from '../support/process/backups.ts'
import { endAll } from '../support/process/processes.ts'

after(endAll)

test('a backup made during writes is a consistent snapshot, and users can sign in to the restored copy', async () => {
  for await (const { written, rows } of backUpUnderLoad(1)) assert.ok(written > 0 && rows > 0)
})
