import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const CORRECTION = readMigrations().find(({ name }) => name.endsWith('_imported_rows'))!

describe('rows that an earlier version imported', async () => {
  const world = await openWorld()
  const { db } = world
  const { id: blockId } = await db.write
    .insertInto('building_block')
    .values({ name: 'Ambulance', block_type: 'atomic' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const medic = await world.addQualification('Medic')
  for (const label of ['Driver', 'Second'])
    await db.write.insertInto('block_position').values({ block_id: blockId, label, optional: false }).execute()
  await sql`insert into block_position_qualification (position_id, qualification_id)
    select id, ${medic.id} from block_position where block_id = ${blockId}`.execute(db.write)
  const starting_blocks = ['a', 'b'].map((uuid) => ({
    uuid,
    building_block: blockId,
    label: uuid.toUpperCase(),
    optional: false,
  }))
  const wrong = { missing: 4, free: 4, min: 4, max: 4 }
  const addEvent = async (start: string, stats = wrong) => {
    const shift = { start, structure: 'complex', configuration: { starting_blocks }, stats }
    const { id, shifts } = await world.addEvent({ responsible: [PAUL, OLGA], shifts: [shift] })
    return { id, shift: shifts[0]! }
  }
  const [coming, ended] = [await addEvent('2031-05-04T08:00:00Z'), await addEvent('2031-04-04T08:00:00Z')]
  // Nothing in this event comes from ephios; the wrong statistics show that it is not recomputed.
  const own = await addEvent('2031-04-05T08:00:00Z', { missing: 9, free: 9, min: 9, max: 9 })
  for (const { shift } of [coming, ended]) {
    await world.addParticipation({ who: ANN, shift, data: { dispatched_unit_path: 'root.a.', note: 1 } })
    await world.addParticipation({ who: BEN, shift, data: { dispatched_unit_path: 'root.b', preferred_unit_path: 'root.a' } })
    await world.addParticipation({ who: PAUL, shift, state: 0, data: { preferred_unit_path: 'root.b' } })
    await world.addParticipation({ who: OLGA, shift, state: 2, data: { dispatched_unit_path: '' } })
  }
  await world.addParticipation({ who: ANN, shift: own.shift, data: { dispatched_unit_path: 'root.a' } })
  const read = async (path: string) => (await world.withSession(PAUL).get(path, { unchecked: true })).text

  test('stand in their units on all pages, whether or not the path ends with a dot', async () => {
    const csv = await read(`/events/${coming.id}/roster.csv`)
    const rowOf = (name: string) => csv.split('\r\n').find((line) => line.includes(name))
    assert.match(rowOf('Ann')!, /Ambulance #1/)
    assert.match(rowOf('Ben')!, /Ambulance #2/)
    assert.match(rowOf('Paul')!, /Ambulance #2/)
    const board = await read(`/events/${coming.id}/board/`)
    assert.match(board, /value="1:root\.a\." selected/)
    assert.match(board, /value="1:root\.b\." selected/)
    const disposition = await read(`/shifts/${coming.shift}/disposition/`)
    assert.match(disposition, /value="1:root\.a\." selected/)
    assert.match(disposition, /value="1:root\.b\." selected/)
  })

  test('keep their place when a planner saves other times, which writes the dot', async () => {
    const { shift } = await addEvent('2031-05-05T08:00:00Z')
    await world.addParticipation({ who: BEN, shift, data: { dispatched_unit_path: 'root.b' } })
    const times = { start: new Date('2031-05-05T08:30:00Z'), end: null }
    await moveOnBoard(contextAs(world, PAUL), { shiftId: shift, who: { kind: 'local', id: BEN.id }, to: 1, times })
    const stored = await db.read
      .selectFrom('participation')
      .innerJoin('shift', 'shift.id', 'participation.shift_id')
      .select(['structure_data', 'missing', 'free'])
      .where('shift_id', '=', shift)
      .execute()
    assert.deepEqual(stored, [{ structure_data: { dispatched_unit_path: 'root.b.' }, missing: 3, free: 3 }])
    await db.write.deleteFrom('shift').where('id', '=', shift).execute()
  })

  test('get complete paths and statistics by a migration', async () => {
    const guest = await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: coming.shift })
    await sql`insert into guest_qualification (guest_id, qualification_id)
      select guest_id, ${medic.id} from participation where id = ${guest}`.execute(db.write)
    await db.write.insertInto('moved_in_row').values({ table_name: 'pages_page', row: '{}' }).execute()
    await sql.raw(CORRECTION.sql).execute(db.write)
    await recomputeStatistics(db.write)
    const participations = await db.read
      .selectFrom('participation')
      .select(['shift_id', 'user_id', 'structure_data'])
      .orderBy('id')
      .execute()
    const guests = await db.read.selectFrom('guest_qualification').select('verified_at').execute()
    const columns = ['id', 'missing', 'free', 'min_count', 'max_count'] as const
    const shifts = await db.read.selectFrom('shift').select(columns).orderBy('id').execute()
    const dataIn = (shift: number) =>
      participations.filter(({ shift_id, user_id }) => shift_id === shift && user_id).map((row) => row.structure_data)
    const complete = [
      { dispatched_unit_path: 'root.a.', note: 1 },
      { dispatched_unit_path: 'root.b.', preferred_unit_path: 'root.a.' },
      { preferred_unit_path: 'root.b.' },
      { dispatched_unit_path: '' },
    ]
    assert.deepEqual(dataIn(coming.shift), complete)
    assert.deepEqual(dataIn(ended.shift), complete)
    assert.deepEqual(dataIn(own.shift), [{ dispatched_unit_path: 'root.a.' }])
    assert.notEqual(guests[0]!.verified_at, null)
    assert.deepEqual(shifts, [
      // Ann, Ben and the guest, who is a medic.
      { id: coming.shift, missing: 1, free: 1, min_count: 4, max_count: 4 },
      { id: ended.shift, missing: 2, free: 2, min_count: 4, max_count: 4 },
      { id: own.shift, missing: 9, free: 9, min_count: 9, max_count: 9 },
    ])
  })

  test('are on the wire with the dot', async () => {
    const { body } = await world
      .as(PAUL, 'CONFIDENTIAL_READ')
      .get(`/api/participations/?shift=${coming.shift}`, { unchecked: true })
    assert.ok(JSON.stringify(body).includes('"dispatched_unit_path":"root.a."'), JSON.stringify(body))
  })
})
