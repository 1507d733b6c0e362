import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { getEventKeyWhere, getShiftKeyWhere } from './record-keys.ts'

test('keys of records that people plan are those of the id, drafts included, if the condition holds', async () => {
  const world = await openWorld()
  const shift = { start: '2031-06-01T08:00:00Z', end: '2031-06-01T12:00:00Z' }
  const [first, second] = [
    await world.addEvent({ title: 'First', shifts: [shift, shift] }),
    await world.addEvent({ title: 'Second', draft: true, shifts: [shift] }),
  ]
  const context = { ...contextAs(world, PAUL), words: wordsFor('en', 'Europe/Berlin') }
  const [yes, no] = [sql`true`, sql`e.title = 'Third'`]
  for (const { id } of [first, second]) assert.equal((await getEventKeyWhere(context, id, yes))?.id, id)
  for (const id of [...first.shifts, ...second.shifts]) assert.equal((await getShiftKeyWhere(context, id, yes))?.id, id)
  assert.equal(await getEventKeyWhere(context, second.id, no), undefined)
  assert.equal(await getShiftKeyWhere(context, second.shifts[0]!, no), undefined)
  assert.equal(await getEventKeyWhere(context, 99_999, yes), undefined)
  assert.equal(await getShiftKeyWhere(context, 99_999, yes), undefined)
})
