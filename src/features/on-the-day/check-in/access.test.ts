import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Condition } from '#platform/db/conditions.ts'
import { ANN, BEN, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { isConfirmedNoShow, isMarkedNoShow } from './access.ts'

describe('people who stayed away', async () => {
  const records = await openRecords()
  const { write } = records.db
  const { shifts } = await records.addEvent({ shifts: [{}] })
  const add = async (who: typeof ANN, marks?: { no_show: boolean; is_absent: boolean }) => {
    const participation_id = await records.addParticipation({ who, shift: shifts[0]! })
    if (marks)
      await write
        .insertInto('attendance')
        .values({ participation_id, ...marks })
        .execute()
  }
  await add(ANN)
  await add(BEN, { no_show: false, is_absent: false })
  await add(PAUL, { no_show: true, is_absent: false })
  await add(VERA, { no_show: false, is_absent: true })
  await add(OLGA, { no_show: true, is_absent: true })

  const names = async (condition: Condition) =>
    (
      await sql<{ name: string }>`select u.display_name as name from participation p join user_profile u on u.id = p.user_id
        where ${condition} order by 1`.execute(write)
    ).rows.map(({ name }) => name)
  test('are marked on the list, or confirmed by a planner after the event', async () => {
    assert.deepEqual(await names(isMarkedNoShow), [OLGA.name, PAUL.name])
    assert.deepEqual(await names(isConfirmedNoShow), [OLGA.name, VERA.name])
    assert.deepEqual(await names(sql`not ${isMarkedNoShow}`), [ANN.name, BEN.name, VERA.name])
  })
})
