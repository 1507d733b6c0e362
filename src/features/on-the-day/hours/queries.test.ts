import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { addHours, changeHours, deleteHours, requestHours } from './commands.ts'
import {
  findHours,
  findHoursAndYears,
  findHoursOfPeople,
  findOverview,
  findOwnHoursRequests,
  findTypeColumns,
  findWholeOverview,
  getEntry,
  getEntryRow,
  getOwnHoursRequest,
  getWorker,
  type HoursFilter,
  type OverviewFilter,
  readOverviewPart,
} from './queries.ts'
import { groupByYear } from './rules.ts'

const ALL: HoursFilter = { from: undefined, to: undefined, typeId: undefined }
const PAGE = { limit: 10, offset: 0 }

const EVERYBODY = { limit: 1000, offset: 0 }

describe('hours in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') })
  const { id: drill } = await write
    .insertInto('event_type')
    .values({ title: 'A drill', color: '#112233' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ended = world.now.toISOString()
  const hoursBefore = (hours: number, ms = 0) => new Date(world.now.getTime() - hours * 3_600_000 + ms).toISOString()

  /** An event with one shift and the place of a person in it. */
  async function add(who: Person, shift: { start: string; end: string }, event: EventOptions = {}, state: 0 | 1 | 2 | 3 = 1) {
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], ...event, shifts: [{ label: 'Tent', ...shift }] })
    return { eventId: id, id: await world.addParticipation({ who, shift: shifts[0]!, state }) }
  }
  const day = (date: string) => ({ start: `${date}T00:00:00+02:00`, end: `${date}T01:30:00+02:00` })
  /** With the sums of all years, the same rows come back. */
  const titles = async (person: Person, filter: Partial<HoursFilter> = {}) => {
    const rows = await findHours(as(OLGA), person.id, { ...ALL, ...filter })
    const withYears = await findHoursAndYears(as(OLGA), person.id, { ...ALL, ...filter })
    assert.deepEqual(withYears, { rows, years: groupByYear(await findHours(as(OLGA), person.id, ALL)) })
    return rows.map(({ title }) => title)
  }

  test('count a confirmed place of a member from its end on, unless something speaks against it', async () => {
    const ann = await world.addPerson({ name: 'Anders' })
    const now = { start: hoursBefore(2), end: ended }
    const counted = await add(ann, now, { title: 'counts' })
    await add(ann, { start: hoursBefore(2), end: hoursBefore(0, 1) }, { title: 'not over' })
    await add(ann, now, { title: 'requested' }, 0)
    await add(ann, now, { title: 'declined' }, 2)
    await add(ann, now, { title: 'draft', draft: true })
    await add(ann, now, { title: 'cancelled', cancelled: true })
    await add(ann, now, { title: 'deleted', deleted: true })
    await add(BEN, now, { title: 'of somebody else' })
    const absent = await add(ann, now, { title: 'absent' })
    const marked = await add(ann, now, { title: 'marked as absent, not confirmed' })
    await write
      .insertInto('attendance')
      .values([
        { participation_id: absent.id, is_absent: true },
        { participation_id: marked.id, no_show: true },
      ])
      .execute()
    const { id: entry } = await write
      .insertInto('working_hours')
      .values({ user_id: ann.id, date: '2031-01-02', hours: 1.25, reason: 'Office' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const found = await findHours(as(OLGA), ann.id, ALL)
    assert.deepEqual(
      found.map(({ title }) => title),
      ['marked as absent, not confirmed', 'counts', 'Office'],
    )
    const { title: typeTitle } = await write
      .selectFrom('event_type')
      .select('title')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const { version } = await write
      .selectFrom('participation')
      .select('version')
      .where('id', '=', counted.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual(found[1], {
      kind: 'shift',
      id: counted.id,
      date: ended.slice(0, 10),
      hours: 2,
      eventId: counted.eventId,
      title: 'counts',
      label: 'Tent',
      typeId: 1,
      typeTitle,
      start: new Date(hoursBefore(2)),
      end: world.now,
      version,
    })
    const nothing = { eventId: null, label: '', typeId: null, typeTitle: null, start: null, end: null }
    assert.deepEqual(found[2], {
      ...nothing,
      kind: 'entry',
      id: entry,
      date: '2031-01-02',
      hours: 1.25,
      title: 'Office',
      version: found[2]!.version,
    })
  })

  test('are filtered by days, both included, and by type, which entries do not have', async () => {
    const tim = await world.addPerson({ name: 'Tim' })
    for (const date of ['2031-04-09', '2031-04-10', '2031-04-11', '2031-04-12']) await add(tim, day(date), { title: date })
    await add(tim, day('2031-04-11'), { title: 'drill', type: drill })
    await write
      .insertInto('working_hours')
      .values(['09', '10', '11', '12'].map((n) => ({ user_id: tim.id, date: `2031-04-${n}`, hours: 1, reason: `entry ${n}` })))
      .execute()
    const span = { from: '2031-04-10', to: '2031-04-11' }
    assert.deepEqual((await titles(tim, span)).sort(), ['2031-04-10', '2031-04-11', 'drill', 'entry 10', 'entry 11'])
    assert.deepEqual((await titles(tim, { from: '2031-04-12' })).sort(), ['2031-04-12', 'entry 12'])
    assert.deepEqual((await titles(tim, { to: '2031-04-09' })).sort(), ['2031-04-09', 'entry 09'])
    assert.deepEqual(await titles(tim, { typeId: drill }), ['drill'])
    const people = await findHoursOfPeople(as(OLGA), [tim.id, ANN.id], '2031-04-12')
    assert.deepEqual(
      people.sort((a, b) => a.hours - b.hours),
      [
        { userId: tim.id, hours: 1, span: undefined },
        { userId: tim.id, hours: 1.5, span: { start: new Date('2031-04-11T22:00Z'), end: new Date('2031-04-11T23:30Z') } },
      ],
    )
    assert.deepEqual(await findHoursOfPeople(as(OLGA), [], '2031-01-01'), [])
    const columns = await findTypeColumns(as(OLGA))
    assert.deepEqual(columns[0], { id: drill, title: 'A drill' })
  })

  test('are summed up for everybody who is active, and for others with hours in the period', async () => {
    const place = { start: '2031-02-03T08:00:00+01:00', end: '2031-02-03T11:00:00+01:00' }
    const people: Record<string, Person> = {}
    for (const name of ['zoe', 'Abel', 'abel', 'gone', 'left', 'idle']) people[name] = await world.addPerson({ name })
    const { zoe, Abel, abel, gone, left, idle } = people as Record<'zoe' | 'Abel' | 'abel' | 'gone' | 'left' | 'idle', Person>
    for (const who of [zoe, gone, left]) await add(who, place, { type: drill })
    await add(zoe, place)
    await write
      .insertInto('working_hours')
      .values([zoe, Abel].map(({ id }) => ({ user_id: id, date: '2031-02-03', hours: 0.5, reason: '' })))
      .execute()
    const set = (person: Person, values: { is_active?: boolean; is_visible?: boolean; deleted_at?: Date }) =>
      write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
    await set(gone, { deleted_at: world.now, is_active: false, is_visible: false })
    await set(left, { is_active: false })
    await set(idle, { is_active: false })
    const { id: group } = await write.insertInto('user_group').values({ name: 'Few' }).returning('id').executeTakeFirstOrThrow()
    await write
      .insertInto('user_group_member')
      .values([zoe, Abel, abel, gone, left, idle].map(({ id }) => ({ group_id: group, user_id: id })))
      .execute()
    const filter: OverviewFilter = { ...ALL, from: '2031-02-01', to: '2031-02-28', groupId: group, sort: 'name' }
    const whole = await findOverview(as(OLGA), filter, EVERYBODY)
    const short = ({ rows }: typeof whole) => rows.map(({ name, parts, total }) => [name, parts, total])
    const expected = [
      ['Abel', { entries: 0.5 }, 0.5],
      ['abel', {}, 0],
      ['left', { [drill]: 3 }, 3],
      ['zoe', { [drill]: 3, 1: 3, entries: 0.5 }, 6.5],
    ]
    assert.deepEqual(short(whole), expected)
    assert.deepEqual([whole.count, whole.sum], [4, 10])
    const inParts = await findWholeOverview(as(OLGA), filter)
    assert.deepEqual(short({ ...whole, rows: inParts.flatMap(readOverviewPart) }), expected)
    assert.deepEqual(await findWholeOverview(as(ANN), filter), [])
    const byTotal = await findOverview(as(OLGA), { ...filter, sort: 'total' }, EVERYBODY)
    assert.deepEqual(short(byTotal), [expected[3], expected[2], expected[0], expected[1]])
    const page = await findOverview(as(OLGA), filter, { limit: 2, offset: 1 })
    assert.deepEqual([short(page), page.count, page.sum], [expected.slice(1, 3), 4, 10])
    const drills = await findOverview(as(OLGA), { ...filter, typeId: drill }, EVERYBODY)
    assert.deepEqual([drills.count, drills.sum], [4, 6], 'entries have no type')
    const other = await findOverview(as(OLGA), { ...filter, from: '2031-03-01', to: undefined }, EVERYBODY)
    assert.deepEqual([other.rows.map(({ name }) => name), other.sum], [['Abel', 'abel', 'zoe'], 0])
    const others = await findOverview(as(OLGA), { ...filter, groupId: undefined }, EVERYBODY)
    assert.ok(others.count > 4)
    assert.deepEqual(await findOverview(as(ANN), filter, EVERYBODY), { count: 0, sum: 0, rows: [] })
    assert.deepEqual(
      [await getWorker(as(OLGA), left.id), await getWorker(as(VERA), left.id)],
      [
        { id: left.id, name: 'left', mayDecide: true },
        { id: left.id, name: 'left', mayDecide: false },
      ],
    )
    assert.equal(await getWorker(as(OLGA), gone.id), undefined)
    assert.equal(await getWorker(as(ANN), left.id), undefined)
  })

  test('are entered up to today, changed by a current form and deleted, one entry at a time', async () => {
    const mia = await world.addPerson({ name: 'Mia' })
    const olga = as(OLGA)
    const today = ended.slice(0, 10)
    const tomorrow = new Date(world.now.getTime() + 24 * 3_600_000).toISOString().slice(0, 10)
    const values = { date: today, hours: 2, reason: 'Tents' }
    const future = { ok: false, reason: 'date_future' }
    assert.deepEqual(await addHours(olga, mia.id, { ...values, date: tomorrow }), future)
    assert.deepEqual(await requestHours(as(mia), { ...values, date: tomorrow }), future)
    const ids: number[] = []
    for (const reason of ['Tents', 'Boats']) {
      const added = await addHours(olga, mia.id, { ...values, reason })
      assert.ok(added?.ok)
      ids.push(added.id)
    }
    const [first, second] = ids as [number, number]
    const rows = () => write.selectFrom('working_hours').selectAll().where('user_id', '=', mia.id).orderBy('id').execute()
    const [before, other] = await rows()
    assert.deepEqual([before!.date, Number(before!.hours), before!.reason, before!.request_id], [today, 2, 'Tents', null])
    const entry = { id: first, userId: mia.id, name: 'Mia', ...values, version: before!.version }
    assert.deepEqual(await getEntry(olga, first), entry)
    assert.equal(await getEntry(as(VERA), first), undefined)
    const { version } = entry
    assert.deepEqual(await changeHours(olga, first, { ...values, date: tomorrow, version }), future)
    assert.deepEqual(await changeHours(olga, first, { ...values, hours: 3, version: version + 1 }), {
      ok: false,
      reason: 'outdated',
      entry,
    })
    const changed = { date: '2031-01-05', hours: 4, reason: 'Ropes' }
    assert.deepEqual(await changeHours(olga, first, { ...changed, version }), { ok: true, isChanged: true })
    const [after, unchanged] = await rows()
    assert.deepEqual([after!.date, Number(after!.hours), after!.reason], ['2031-01-05', 4, 'Ropes'])
    assert.deepEqual(unchanged, other)
    assert.deepEqual(await getEntryRow(olga, { userId: mia.id }, first), { id: first, user_id: mia.id, ...changed })
    assert.equal(await getEntryRow(olga, { userId: ANN.id }, first), undefined)
    assert.equal(await getEntryRow(as(ANN), 'seen', first), undefined)
    assert.deepEqual((await getEntryRow(as(VERA), 'seen', second))?.reason, 'Boats')
    assert.deepEqual(await deleteHours(olga, first), { ...entry, ...changed, version: after!.version })
    assert.deepEqual(await rows(), [other])
    const journal = await write
      .selectFrom('journal')
      .select(['kind', 'subject_kind', 'subject_id', 'changes'])
      .where('subject_id', '=', mia.id)
      .where('subject_kind', '=', 'user')
      .where('kind', 'like', 'working_hours.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ kind, changes }) => [kind, (changes as { entry: number }).entry]),
      [
        ['working_hours.added', first],
        ['working_hours.added', second],
        ['working_hours.changed', first],
        ['working_hours.deleted', first],
      ],
    )
  })

  test('are requested; each person reads their own requests, the newest first', async () => {
    const [ida, ole] = [await world.addPerson({ name: 'Ida' }), await world.addPerson({ name: 'Ole' })]
    const ids: number[] = []
    for (const [who, hours] of [
      [ida, 1],
      [ole, 2],
      [ida, 3],
    ] as const) {
      const asked = await requestHours(as(who), { date: '2031-04-01', hours, reason: `${hours}` })
      assert.ok(asked.ok)
      ids.push(asked.requestId)
    }
    await write
      .insertInto('decision_request')
      .values({ kind: 'another', user_id: ida.id, data: '{}', state: 'open', created_at: world.now })
      .execute()
    const [first, ofOle, last] = ids as [number, number, number]
    const { rows, count } = await findOwnHoursRequests(as(ida), PAGE)
    assert.deepEqual(
      [rows.map(({ id, hours, reason }) => [id, hours, reason]), count],
      [
        [
          [last, 3, '3'],
          [first, 1, '1'],
        ],
        2,
      ],
    )
    assert.equal(await getOwnHoursRequest(as(ida), ofOle), undefined)
    const { created_at, ...request } = (await getOwnHoursRequest(as(ida), first))!
    assert.equal(new Date(created_at).getTime(), world.now.getTime())
    const open = { state: 'open', comment: '', decided_at: null }
    assert.deepEqual(request, { ...open, id: first, date: '2031-04-01', hours: 1, reason: '1' })
  })
})
