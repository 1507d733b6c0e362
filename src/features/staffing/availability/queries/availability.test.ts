import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { availabilityOf } from './availability.ts'

describe('what is known about the times of a person', async () => {
  const world = await openWorld()
  const { write } = world.db
  const at = (minutes: number) => new Date(world.now.getTime() + minutes * 60_000)
  const addCalendar = async (who: Person, counts_all_day: boolean) => {
    const facts = { user_id: who.id, name: 'Own', covers_until: at(9_999), unread_count: 0, last_success_at: world.now }
    const values = { ...facts, counts_all_day }
    return (await write.insertInto('private_calendar').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const addBusy = (calendar_id: number, from: number, until: number, is_all_day = false) =>
    write
      .insertInto('busy_time')
      .values({ calendar_id, start_time: at(from), end_time: at(until), is_all_day })
      .execute()
  type Found = { weekly: unknown[]; periods: unknown[]; busy: { fromMs: number; untilMs: number }[] } | null
  const find = async (who: Person): Promise<Found> => {
    const reach = { from: sql`${at(100)}::timestamptz`, until: sql`${at(200)}::timestamptz` }
    const { rows } = await sql<{ found: Found }>`select ${availabilityOf(sql`${who.id}::bigint`, reach)} as found`.execute(write)
    return rows[0]!.found
  }
  const busyOf = async (who: Person) =>
    (await find(who))?.busy.map(({ fromMs, untilMs }) => [fromMs, untilMs].map((ms) => (ms - world.now.getTime()) / 60_000))

  test('contains busy times of own calendars that overlap the span', async () => {
    const [who, other] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Stan' })]
    const [own, theirs] = [await addCalendar(who, false), await addCalendar(other, false)]
    for (const [from, until] of [
      [50, 100],
      [50, 101],
      [120, 130],
      [199, 300],
      [200, 300],
    ] as const)
      await addBusy(own, from, until)
    await addBusy(theirs, 140, 150)
    assert.deepEqual(
      (await busyOf(who))?.sort(([a], [b]) => a! - b!),
      [
        [50, 101],
        [120, 130],
        [199, 300],
      ],
    )
    assert.deepEqual(await busyOf(other), [[140, 150]])
  })

  test('contains whole days only of calendars for which they count', async () => {
    const who = await world.addPerson({ name: 'Rita' })
    await addBusy(await addCalendar(who, false), 110, 120, true)
    await addBusy(await addCalendar(who, true), 130, 140, true)
    assert.deepEqual(await busyOf(who), [[130, 140]])
  })

  test('is nothing if the person has told nothing', async () => {
    const [who, other] = [await world.addPerson({ name: 'Rita' }), await world.addPerson({ name: 'Stan' })]
    await write
      .insertInto('weekly_time')
      .values({ user_id: other.id, kind: 'can', weekday: 1, from_minute: 60, until_minute: 120 })
      .execute()
    assert.equal(await find(who), null)
    assert.deepEqual(await find(other), {
      weekly: [{ kind: 'can', weekday: 1, from: 60, until: 120 }],
      periods: [],
      busy: [],
    })
  })
})
