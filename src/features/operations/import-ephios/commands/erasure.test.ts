import assert from 'node:assert/strict'
import { test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { openWorld } from '#test/support/world.ts'
import { deleteMovedRowsAbout } from './erasure.ts'

test('rows that could not be imported are deleted if the row or its reason names the erased person', async () => {
  const { write } = (await openWorld()).db
  const rows = {
    inRow: [{ mail: 'kim@a.example' }, 'unknown'],
    inReason: [{ id: 7 }, 'kim@a.example is there twice'],
    ofOthers: [{ mail: 'lou@a.example' }, 'unknown'],
    withoutReason: [{ mail: 'lou@a.example' }, null],
  } as const
  for (const [row_id, [row, reason]] of Object.entries(rows))
    await write
      .insertInto('moved_in_row')
      .values({ table_name: 'old_profile', row_id, row: JSON.stringify(row), reason })
      .execute()
  await transact(write, (tx) => deleteMovedRowsAbout(tx, 'kim@a\\.example'))
  const left = await write.selectFrom('moved_in_row').select('row_id').orderBy('id').execute()
  assert.deepEqual(
    left.map(({ row_id }) => row_id),
    ['ofOthers', 'withoutReason'],
  )
})
