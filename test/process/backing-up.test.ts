import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { backUpUnderLoad } from '../support/process/backups.ts'
import { endAll } from '../support/process/processes.ts'

after(endAll)

test('a backup made while people write is of one moment: the copy is sound and people sign in to it', async () => {
  for await (const { written, rows } of backUpUnderLoad(1)) assert.ok(written > 0 && rows > 0)
})
