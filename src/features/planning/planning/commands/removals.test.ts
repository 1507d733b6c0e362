import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { mergeRemoved } from '#features/planning/removed-shifts/commands/people.ts'
import { deleteOldRemovals, storedRows } from '#features/planning/removed-shifts/commands/store.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, NORD, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import { cancelShift, deleteShift, restoreShift } from './removals.ts'

const DAY_MS = 24 * 3_600_000
const problem = (code: string) => (error: { code?: string }) => error.code === code

describe('a removed shift', async () => {
  const { world, write, contextOf, create, kinds, lastChanges, shiftRow } = await openPlanning()
  const run = (query: ReturnType<typeof sql>) => query.execute(write)
  const one = async (query: ReturnType<typeof sql<{ id: number }>>) => (await query.execute(write)).rows[0]!.id
  const later = (ms: number) => ({ ...contextOf(PAUL), now: new Date(world.now.getTime() + ms) })
  const paul = contextOf(PAUL)

  /** Rows of every table that belongs to the shift or its followers, except what a restore changes on purpose. */
  async function rowsOf(shiftIds: readonly number[]) {
    const found: Record<string, unknown[]> = {}
    const add = async (table: string, where: ReturnType<typeof sql>) => {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) - 'version' - 'modified_at' as row from ${sql.table(table)} t where ${where} order by 1`.execute(write)
      found[table] = rows.map(({ row }) => row)
    }
    const ids = sql`any (${shiftIds}::bigint[])`
    await add('shift', sql`t.id = ${ids}`)
    await add('participation', sql`t.shift_id = ${ids}`)
    for (const { table, column, of } of world.app.site.added(shiftRows)) {
      if (of === 'shift') await add(table, sql`${sql.ref(`t.${column}`)} = ${ids}`)
      else if (of === 'participation')
        await add(table, sql`${sql.ref(`t.${column}`)} in (select id from participation where shift_id = ${ids})`)
      else await add(table, sql`${sql.ref(`t.${column}`)} in (select id from ${sql.table(of)} where shift_id = ${ids})`)
    }
    return found
  }

  /** A shift with rows in every table that is stored with it, and one that is coupled to it. */
  async function addFullShift() {
    const { eventId, shiftIds } = await create([input({ label: 'Desk' }), input({ label: 'Other' })])
    const shiftId = shiftIds[0]!
    const { now } = world
    const follower = await create([input()])
    await run(sql`update shift set event_id = ${eventId}, signup_flow_slug = 'coupled',
      signup_flow_configuration = ${JSON.stringify({ leader_shift_id: shiftId })} where id = ${follower.shiftIds[0]!}`)
    const ann = await world.addParticipation({
      who: ANN,
      shift: shiftId,
      state: 1,
      comments: [{ text: 'Late', level: 0, by: PAUL }],
    })
    const ben = await world.addParticipation({ who: BEN, shift: shiftId, state: 0 })
    const copy = await world.addParticipation({ who: ANN, shift: follower.shiftIds[0]!, state: 1 })
    const friend = await world.addParticipation({ who: { placeholder: 'Friend' }, shift: shiftId, state: 1 })
    await run(sql`update participation set brought_by_id = ${ann} where id = ${friend}`)
    await run(
      sql`update participation set individual_start_time = start_time + interval '30 minutes', structure_data = '{"a": [1]}' where id = ${ben}`,
    )
    const question = await one(sql`insert into question (name, kind, text) values ('Diet', 'text', 'What?') returning id`)
    await run(sql`insert into shift_question (shift_id, question_id) values (${shiftId}, ${question})`)
    await run(sql`insert into answer (participation_id, question_id, value) values (${ann}, ${question}, '"Nuts"')`)
    await run(sql`insert into place_basis (participation_id, was_qualified) values (${ann}, true)`)
    await run(sql`insert into attendance (participation_id, arrived_at) values (${ann}, ${now})`)
    await run(sql`insert into attendance_mark (id, participation_id, kind, no_show, no_show_before, outcome, source, by_id, made_at, received_at)
      values (gen_random_uuid(), ${ann}, 'arrived', false, false, 'applied', 'planner', ${PAUL.id}, ${now}, ${now})`)
    const real = await one(
      sql`insert into attendance_run (event_id, by_id, applied_at, rounding) values (${eventId}, ${PAUL.id}, ${now}, 0) returning id`,
    )
    await run(
      sql`insert into attendance_result (run_id, participation_id, absent_before, absent_after) values (${real}, ${ann}, false, false)`,
    )
    const fill = await one(sql`insert into fill_run (user_id, applied_at) values (${PAUL.id}, ${now}) returning id`)
    await run(sql`insert into fill_place (run_id, participation_id, entry_id) values (${fill}, ${copy}, 1)`)
    await run(sql`insert into waiting_line (shift_id, mode) values (${shiftId}, 'manual')`)
    await run(sql`insert into waiting_entry (shift_id, user_id, since) values (${shiftId}, ${VERA.id}, ${now})`)
    const category = await one(sql`insert into resource_category (name) values ('Car') returning id`)
    const resource = await one(sql`insert into resource (category_id, title) values (${category}, 'Van') returning id`)
    await run(sql`insert into shift_resource (shift_id, resource_id) values (${shiftId}, ${resource})`)
    await run(
      sql`insert into programme (event_id, format, content, options, read_at) values (${eventId}, 'ical', '{}', '{}', ${now})`,
    )
    await run(
      sql`insert into programme_shift (event_id, shift_id, keys, label, start_time, end_time) values (${eventId}, ${shiftId}, '{a}', 'Desk', ${now}, ${now})`,
    )
    const inquiry =
      await one(sql`insert into inquiry (shift_id, created_by_id, created_at, wanted, was_short, ended_at, end_reason)
      values (${shiftId}, ${PAUL.id}, ${now}, 1, true, ${now}, 'enough') returning id`)
    await run(sql`insert into inquiry_person (inquiry_id, user_id, position) values (${inquiry}, ${VERA.id}, 1)`)
    await transact(write, (tx) => refreshStatistics(tx, [shiftId, follower.shiftIds[0]!]))
    return { eventId, shiftId, other: shiftIds[1]!, follower: follower.shiftIds[0]!, ann, ben, question, inquiry }
  }

  for (const what of ['cancelled', 'deleted'] as const)
    test(`that was ${what} comes back with every row that belonged to it`, async () => {
      const { shiftId, follower } = await addFullShift()
      const before = await rowsOf([shiftId, follower])
      const empty = Object.keys(before).filter(
        (table) => !before[table]!.length && storedRows(paul).some((rows) => rows.table === table),
      )
      assert.deepEqual(empty, [], 'every table is tested')
      const remove = () =>
        what === 'cancelled' ? cancelShift(paul, { shiftId, reason: 'Storm' }) : deleteShift(paul, { shiftId })
      assert.deepEqual(await remove(), { ok: true })
      const gone = await rowsOf([shiftId])
      assert.deepEqual(Object.values(gone).flat(), [])
      assert.equal((await shiftRow(follower)).confirmed_count, 0)
      assert.deepEqual(await restoreShift(paul, { shiftId }), { ok: true, isRestored: true })
      assert.deepEqual(await rowsOf([shiftId, follower]), before)
      const { rows } = await sql`select from removed_shift where id = ${shiftId}`.execute(write)
      assert.equal(rows.length, 0)
    })

  test('stores every table with a foreign key to it, or says why not', async () => {
    const { rows } = await sql<{ table: string; target: string }>`
      select c.relname as table, f.relname as target from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
      where k.contype = 'f' and k.confdeltype in ('c', 'n') and c.relname not like 'removed_%'`.execute(write)
    const listed = new Set<string>(world.app.site.added(shiftRows).map(({ table }) => table))
    const targets = new Set(['shift', 'participation', ...listed])
    const missing = rows.filter(({ table, target }) => targets.has(target) && !listed.has(table) && table !== 'participation')
    // A notification stays without its participation; forecasts are made again each hour.
    const expected = ['notification', 'shift_forecast', 'shift_pickup']
    assert.deepEqual(
      missing.map(({ table }) => table).filter((table) => !expected.includes(table)),
      [],
    )
  })

  test('knows every column of the stored rows that refers to a person', async () => {
    const tables = storedRows(paul)
    const { rows } = await sql<{ name: string }>`
      select c.relname || '.' || a.attname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.confrelid = 'user_profile'::regclass and c.relname = any (${tables.map(({ table }) => table)}::text[])
      order by 1`.execute(write)
    const known = tables.flatMap(({ table, person, people = [] }) =>
      [...new Set([...(person ? [person] : []), ...people])].map((column) => `${table}.${column}`),
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      known.sort(),
    )
  })

  test('is no shift for the API, and its people are in the log', async () => {
    const { eventId, shiftIds } = await create([input({ label: 'Desk' }), input()])
    const shiftId = shiftIds[0]!
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    await world.addParticipation({ who: BEN, shift: shiftId, state: 0 })
    await world.addParticipation({ who: VERA, shift: shiftId, state: 2 })
    const listed = async () => (await world.as(ANN, 'PUBLIC_READ').ids('/api/shifts/')).includes(shiftId)
    assert.equal(await listed(), true)
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    assert.equal(await listed(), false)
    const changes = await lastChanges(eventId, 'shift.cancelled')
    assert.deepEqual(changes.confirmed_user_ids, [[ANN.id], []])
    assert.deepEqual(changes.requested_user_ids, [[BEN.id], []])
    assert.deepEqual(changes.cancellation_reason, [null, 'Storm'])
    assert.deepEqual(changes.label, ['Desk', 'Desk'])
    await restoreShift(paul, { shiftId })
    assert.equal(await listed(), true)
    assert.deepEqual((await kinds(eventId)).slice(-2), ['shift.cancelled', 'shift.reopened'])
    const row = await shiftRow(shiftId)
    assert.deepEqual([row.confirmed_count, row.requested_count], [1, 1])
  })

  for (const what of ['cancelled', 'deleted'] as const)
    test(`that was ${what} is in the log with everybody who was on it, and without kinds of people who were not`, async () => {
      const { eventId, shiftIds } = await create([input({ label: 'Desk' }), input(), input()])
      const [full, empty] = shiftIds as [number, number, number]
      const idOf = async (who: Parameters<typeof world.addParticipation>[0]['who'], column: 'guest_id' | 'visitor_id') => {
        const id = await world.addParticipation({ who, shift: full, state: 1 })
        const row = await write.selectFrom('participation').select(column).where('id', '=', id).executeTakeFirstOrThrow()
        return row[column]
      }
      const guest = await idOf({ guest: { name: 'Gus' } }, 'guest_id')
      const visitor = await idOf({ visitor: { name: 'Vic' }, of: NORD }, 'visitor_id')
      await world.addParticipation({ who: ANN, shift: full, state: 0 })
      const remove = (shiftId: number) =>
        what === 'cancelled' ? cancelShift(paul, { shiftId, reason: 'Storm' }) : deleteShift(paul, { shiftId })
      const listed = async () => {
        const changes = await lastChanges(eventId, `shift.${what}`)
        return Object.fromEntries(Object.entries(changes).filter(([name]) => name.endsWith('_ids')))
      }
      await remove(full)
      assert.deepEqual(await listed(), {
        confirmed_user_ids: [[], []],
        requested_user_ids: [[ANN.id], []],
        guest_ids: [[guest], []],
        visitor_ids: [[visitor], []],
      })
      await remove(empty)
      assert.deepEqual(await listed(), { confirmed_user_ids: [[], []], requested_user_ids: [[], []] })
    })

  test('is not the last one of its event', async () => {
    const { shiftIds } = await create([input(), input()])
    const [first, second] = shiftIds as [number, number]
    assert.deepEqual(await cancelShift(paul, { shiftId: first, reason: 'Storm' }), { ok: true })
    assert.deepEqual(await cancelShift(paul, { shiftId: second, reason: 'Storm' }), { ok: false, reason: 'last_shift' })
    assert.equal((await shiftRow(second)).id, second)
  })

  for (const [what, ms, outcome] of [
    ['a moment before a day', DAY_MS - 1, { ok: true, isRestored: true }],
    ['after a day', DAY_MS, { ok: false, reason: 'too_late' }],
  ] as const)
    test(`that was deleted is restored ${what}: ${outcome.ok}`, async () => {
      const { shiftIds } = await create([input(), input()])
      const shiftId = shiftIds[0]!
      await deleteShift(paul, { shiftId })
      assert.deepEqual(await restoreShift(later(ms), { shiftId }), outcome)
    })

  test('that was deleted leaves after a day; a cancelled one stays', async () => {
    const { shiftIds } = await create([input(), input(), input()])
    const [deleted, cancelled] = shiftIds as [number, number]
    await deleteShift(paul, { shiftId: deleted })
    await cancelShift(paul, { shiftId: cancelled, reason: 'Storm' })
    const stored = async () => {
      const { rows } = await sql<{
        id: number
      }>`select id from removed_shift where id in (${deleted}, ${cancelled}) order by id`.execute(write)
      return rows.map(({ id }) => id)
    }
    await transact(write, (tx) => deleteOldRemovals(tx, new Date(world.now.getTime() + DAY_MS - 1)))
    assert.deepEqual(await stored(), [deleted, cancelled])
    await transact(write, (tx) => deleteOldRemovals(tx, new Date(world.now.getTime() + DAY_MS)))
    assert.deepEqual(await stored(), [cancelled])
    await assert.rejects(async () => restoreShift(paul, { shiftId: deleted }), problem('not_found'))
    assert.deepEqual(await restoreShift(later(400 * DAY_MS), { shiftId: cancelled }), { ok: true, isRestored: true })
  })

  test('is restored once', async () => {
    const { eventId, shiftIds } = await create([input(), input()])
    const shiftId = shiftIds[0]!
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    assert.deepEqual(await restoreShift(paul, { shiftId }), { ok: true, isRestored: true })
    assert.deepEqual(await restoreShift(paul, { shiftId }), { ok: true, isRestored: false })
    assert.equal((await kinds(eventId)).filter((kind) => kind === 'shift.reopened').length, 1)
  })

  test('is cancelled and restored by those who may change the event', async () => {
    const { shiftIds } = await create([input(), input()])
    const shiftId = shiftIds[0]!
    const cancel = (person: Person) => cancelShift(contextOf(person), { shiftId, reason: 'Storm' })
    await assert.rejects(() => cancel(ANN), problem('permission_denied'))
    await assert.rejects(() => cancel(VERA), problem('not_found'))
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    await assert.rejects(() => restoreShift(contextOf(ANN), { shiftId }), problem('not_found'))
    await assert.rejects(() => cancel(PAUL), problem('not_found'))
  })

  test('comes back without what was deleted meanwhile', async () => {
    const { shiftId, ann, ben, question } = await addFullShift()
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    await run(sql`delete from question where id = ${question}`)
    await run(sql`delete from fill_run`)
    await run(sql`update user_profile set is_active = false where id = ${BEN.id}`)
    await restoreShift(paul, { shiftId })
    await run(sql`update user_profile set is_active = true where id = ${BEN.id}`)
    const { rows } = await sql<{ id: number; state: number }>`
      select id, state from participation where id in (${ann}, ${ben}) order by id`.execute(write)
    assert.deepEqual(rows, [
      { id: ann, state: 1 },
      { id: ben, state: 2 },
    ])
    const found = await rowsOf([shiftId])
    assert.deepEqual([found.answer, found.shift_question, found.fill_place], [[], [], []])
  })

  const CONFIRMED = 1
  const REQUESTED = 0
  const DECLINED = 2
  const BOTH_MERGED: [remaining: 0 | 1 | 2, other: 0 | 1 | 2, kept: 'remaining' | 'other'][] = [
    [CONFIRMED, REQUESTED, 'remaining'],
    [REQUESTED, CONFIRMED, 'other'],
    [DECLINED, REQUESTED, 'other'],
    [REQUESTED, DECLINED, 'remaining'],
    [CONFIRMED, CONFIRMED, 'remaining'],
    [DECLINED, DECLINED, 'remaining'],
  ]
  for (const [remaining, other, kept] of BOTH_MERGED)
    test(`keeps the better of two places when accounts are merged: ${remaining} and ${other}, that of the ${kept} one`, async () => {
      const { shiftIds } = await create([input(), input()])
      const ids = {
        remaining: await world.addParticipation({ who: ANN, shift: shiftIds[0]!, state: remaining }),
        other: await world.addParticipation({ who: BEN, shift: shiftIds[0]!, state: other }),
      }
      const vera = await world.addParticipation({ who: VERA, shift: shiftIds[0]!, state: DECLINED })
      await cancelShift(paul, { shiftId: shiftIds[0]!, reason: 'Storm' })
      await transact(write, (tx) => mergeRemoved(tx, storedRows(paul), { remainingId: ANN.id, otherId: BEN.id }))
      const { rows } = await sql<{ id: number; user_id: number }>`
        select id, user_id from removed_participation where removed_shift_id = ${shiftIds[0]!} order by user_id`.execute(write)
      assert.deepEqual(
        new Map(rows.map(({ id, user_id }) => [id, user_id])),
        new Map([
          [ids[kept], ANN.id],
          [vera, VERA.id],
        ]),
      )
    })

  test('ends offers, inquiries and searches; people wait again when it is restored', async () => {
    const { shiftId, ann, inquiry } = await addFullShift()
    await run(
      sql`update inquiry set ended_at = null, end_reason = null, wave_size = 2, wave_hours = 2, next_wave_at = ${world.now} where id = ${inquiry}`,
    )
    await run(
      sql`update waiting_entry set state = 'offered', offered_at = ${world.now}, offered_until = ${world.now} where shift_id = ${shiftId}`,
    )
    await run(
      sql`insert into stand_in (shift_id, participation_id, user_id, created_at) values (${shiftId}, ${ann}, ${ANN.id}, ${world.now})`,
    )
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    await restoreShift(paul, { shiftId })
    const { rows } = await sql`
      select i.end_reason, i.next_wave_at, w.state, w.offered_until, l.is_due, (select count(*)::int from stand_in where shift_id = ${shiftId}) as searches
      from inquiry i, waiting_entry w, waiting_line l where i.id = ${inquiry} and w.shift_id = ${shiftId} and l.shift_id = ${shiftId}`.execute(
      write,
    )
    assert.deepEqual(rows, [
      { end_reason: 'cancelled', next_wave_at: null, state: 'waiting', offered_until: null, is_due: true, searches: 0 },
    ])
  })
})
