import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { BEN, NORD } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { heldInShifts } from './qualifications.ts'

test('participants of the shifts hold their valid grants, what their instance reports and what was verified', async () => {
  const records = await openRecords()
  const { write, read } = records.db
  const end = (minutes: number) => new Date(Date.parse('2031-05-04T18:00:00Z') + minutes * 60_000)
  const span = { start: '2031-05-04T16:00:00Z', end: '2031-05-04T18:00:00Z' }
  const { shifts } = await records.addEvent({ shifts: [span, span, span] })
  const [shift, second, other] = shifts as [number, number, number]
  const driver = await records.addQualification('Driver')
  const medic = await records.addQualification('Medic')
  const qualifications = [driver, medic]

  const people = new Map<string, number>()
  const join = async (name: string, participation: Parameters<typeof records.addParticipation>[0]) =>
    people.set(name, await records.addParticipation(participation))
  const idOf = async (name: string, column: 'visitor_id' | 'guest_id') => {
    const row = await write
      .selectFrom('participation')
      .select(column)
      .where('id', '=', people.get(name)!)
      .executeTakeFirstOrThrow()
    return row[column]!
  }
  for (const [name, expires] of [
    ['without expiry', null],
    ['expires at the end', end(0)],
    ['expires before the end', end(-1)],
  ] as const) {
    const person = await records.addPerson({ name })
    await records.holds(person, driver, expires)
    await join(name, { who: person, shift })
  }
  await join('no qualification', { who: await records.addPerson({ name: 'Nora' }), shift })
  await join('placeholder', { who: { placeholder: 'Somebody' }, shift })
  await join('visitor', { who: { visitor: { name: 'Vic' }, of: NORD }, shift })
  for (const { id } of qualifications)
    await write
      .insertInto('visitor_qualification')
      .values({ visitor_id: await idOf('visitor', 'visitor_id'), qualification_id: id })
      .execute()
  await join('guest', { who: { guest: { name: 'Gus' } }, shift: second })
  const guest_id = await idOf('guest', 'guest_id')
  await write
    .insertInto('guest_qualification')
    .values([
      { guest_id, qualification_id: driver.id, verified_at: end(0) },
      { guest_id, qualification_id: medic.id, verified_at: null },
    ])
    .execute()
  await records.holds(BEN, driver)
  await join('in another shift', { who: BEN, shift: other })

  const findHeld = async (shiftIds: number[]) => {
    const { rows } = await sql<{ id: number; held: number[] }>`
      select h.* from ${heldInShifts(shiftIds, sql`p.end_time`)} h`.execute(read)
    const names = new Map([...people].map(([name, id]) => [id, name]))
    return Object.fromEntries(rows.map(({ id, held }) => [names.get(id), held.sort((a, b) => a - b)]))
  }
  assert.deepEqual(await findHeld([shift, second]), {
    'without expiry': [driver.id],
    'expires at the end': [driver.id],
    visitor: [driver.id, medic.id],
    guest: [driver.id],
  })
  assert.deepEqual(await findHeld([second]), { guest: [driver.id] })
  assert.deepEqual(await findHeld([]), {})
})
