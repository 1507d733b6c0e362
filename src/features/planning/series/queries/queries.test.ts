import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { MAX_MONTH_COPIES } from '../rules/months.ts'
import { findCopies } from './copies.ts'
import { findKnownStarts, findOwnDrafts, findSourceEvents, spanOfMonths } from './months.ts'
import { findBinnedDates, findSeriesEvents, findStepEntries, getSeries, getSeriesOf, getStep } from './series.ts'
import { findShiftSteps } from './shift-steps.ts'

describe('queries of series', async () => {
  const world = await openRecords()
  const { write } = world.db
  const as = (person: Person, permissions: Permission[] = []) => ({
    db: write,
    now: world.now,
    actor: actorOf(person, {
      permissions: new Set(permissions),
      groupIds: HELPERS.members.includes(person) ? [HELPERS.id] : [],
    }),
  })
  const requestOf = (person: Person, permissions: Permission[] = []) => as(person, permissions) as unknown as RequestContext
  beforeEach(async () => {
    for (const table of ['event_series', 'event'] as const) await write.deleteFrom(table).execute()
  })
  const add = (title: string, start: string, more: object = {}) =>
    world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts: [{ start }], ...more })
  const log = async (kind: string, subject: { kind: string; id: number; event: number | null }, more: object = {}) =>
    (
      await write
        .insertInto('journal')
        .values({
          kind,
          subject_kind: subject.kind,
          subject_id: subject.id,
          event_id: subject.event,
          changes: '{"a":1}',
          at: world.now,
          actor_kind: 'user',
          actor_id: PAUL.id,
          request_id: 'one',
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const addSeries = async (values: object = {}) =>
    (
      await write
        .insertInto('event_series')
        .values({ start_date: '2031-05-01', rrule: 'FREQ=DAILY', created_at: world.now, ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const join = (series: number, event: number, date: string) =>
    write
      .insertInto('event_series_member')
      .values({ series_id: series, event_id: event, date, generated: '{"event":{},"shifts":{}}' })
      .execute()

  test('copies are listed in order of time for those who plan and may open them', async () => {
    const second = await add('Second', '2031-06-02T08:00:00Z')
    const first = await add('First', '2031-06-01T08:00:00Z', {
      shifts: [{ start: '2031-06-01T08:00:00Z' }, { start: '2031-06-01T09:00:00Z' }],
    })
    const draft = await add('Draft', '2031-06-03T08:00:00Z', { draft: true })
    const binned = await add('Binned', '2031-06-03T08:00:00Z', { deleted: true })
    const seen = await add('Seen', '2031-06-03T08:00:00Z', { seenBy: [PAUL], responsible: [VERA] })
    await add('Other', '2031-06-03T08:00:00Z')
    const ids = [second, first, draft, binned, seen].map(({ id }) => id)
    const titles = async (person: Person, permissions: Permission[] = []) =>
      (await findCopies(requestOf(person, permissions), ids)).map(({ title }) => title)
    assert.deepEqual(await findCopies(requestOf(PAUL), ids), [
      { id: first.id, title: 'First', start: new Date('2031-06-01T08:00:00Z'), shifts: 2, active: true },
      { id: second.id, title: 'Second', start: new Date('2031-06-02T08:00:00Z'), shifts: 1, active: true },
    ])
    assert.deepEqual(await titles(PAUL, ['add_event']), ['First', 'Second', 'Draft'])
    assert.deepEqual(await titles(VERA), ['Seen'])
    assert.deepEqual(await titles(ANN), [], 'sees them and plans none')
    assert.deepEqual(await titles(BEN, ['change_event']), ['First', 'Second'], 'plans all and sees these')
  })

  test('a month goes from midnight to midnight of the organisation', () => {
    assert.deepEqual(spanOfMonths('2031-05', 1, 'Europe/Berlin'), {
      start: new Date('2031-04-30T22:00:00Z'),
      end: new Date('2031-05-31T22:00:00Z'),
    })
    assert.deepEqual(spanOfMonths('2031-11', 2, 'UTC'), { start: new Date('2031-11-01'), end: new Date('2032-01-01') })
  })

  test('events to copy begin in the span, of one type, are open to the caller and not cancelled', async () => {
    const span = { start: new Date('2031-06-01T00:00:00Z'), end: new Date('2031-07-01T00:00:00Z') }
    const type = await world.addType({ title: 'Drill' })
    const last = await add('Last', '2031-06-30T23:59:59Z')
    const first = await add('First', '2031-06-01T00:00:00Z', { type })
    await add('Before', '2031-05-31T23:59:59Z')
    await add('After', '2031-07-01T00:00:00Z')
    await add('Binned', '2031-06-02T00:00:00Z', { deleted: true })
    await add('Hidden', '2031-06-02T00:00:00Z', { seenBy: [], responsible: [VERA] })
    await add('Off', '2031-06-02T00:00:00Z', { cancelled: true })
    await add('Draft', '2031-06-03T00:00:00Z', { draft: true })
    await join(await addSeries(), last.id, '2031-06-30')
    const found = async (context: ReturnType<typeof as>, of?: number) => {
      const { events, cancelled } = await findSourceEvents(context, span, of)
      return [events.map(({ title }) => title), cancelled]
    }
    assert.deepEqual(await findSourceEvents(as(ANN), span, undefined), {
      events: [
        { id: first.id, title: 'First', start: new Date('2031-06-01T00:00:00Z'), isLinked: false },
        { id: last.id, title: 'Last', start: new Date('2031-06-30T23:59:59Z'), isLinked: true },
      ],
      cancelled: 1,
    })
    assert.deepEqual(await found(as(ANN), type), [['First'], 0])
    assert.deepEqual(await found(as(ANN, ['add_event'])), [['First', 'Draft', 'Last'], 1])
    assert.deepEqual(await found(as(VERA)), [['Hidden'], 0])
    const known = async (context: ReturnType<typeof as>) =>
      (await findKnownStarts(context, span)).map(({ title }) => title).sort()
    assert.deepEqual(await known(as(ANN)), ['First', 'Last', 'Off'])
    assert.deepEqual(await known(as(ANN, ['add_event'])), ['Draft', 'First', 'Last', 'Off'])
    assert.deepEqual(await known(as(VERA)), ['Hidden'])
    assert.deepEqual((await findKnownStarts(as(VERA), span))[0], { title: 'Hidden', start: new Date('2031-06-02T00:00:00Z') })
    assert.equal(MAX_MONTH_COPIES, 400)
  })

  test('own drafts are copies that the caller made, without people', async () => {
    const made: Record<string, number> = {}
    for (const [name, more] of [
      ['own', { draft: true }],
      ['own too', { draft: true }],
      ['published', {}],
      ['binned', { draft: true, deleted: true }],
      ['with people', { draft: true }],
      ['of another', { draft: true }],
      ['of a guest', { draft: true }],
      ['changed', { draft: true }],
    ] as const) {
      const { id, shifts } = await add(name, '2031-06-01T08:00:00Z', more)
      made[name] = id
      if (name === 'with people') await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 2 })
      const subject = { kind: 'event', id, event: id }
      const by = name === 'of another' ? { actor_id: OLGA.id } : name === 'of a guest' ? { actor_kind: 'guest' } : {}
      await log(name === 'changed' ? 'event.changed' : 'event.duplicated', subject, by)
    }
    assert.deepEqual(await findOwnDrafts(as(PAUL), Object.values(made).reverse()), [made.own, made['own too']])
    assert.deepEqual(await findOwnDrafts(as(PAUL), [made.own!]), [made.own])
    assert.deepEqual(await findOwnDrafts(as(ANN), Object.values(made)), [])
  })

  test('a series has its members by date, those in the bin apart', async () => {
    const series = await addSeries({ exdates: ['2031-05-09'], rdates: ['2031-05-20', '2031-05-21'] })
    const other = await addSeries({ start_date: '2031-08-01', rrule: null })
    const second = await add('Second', '2031-05-02T08:00:00Z', {
      shifts: [
        { start: '2031-05-02T09:00:00Z', label: 'B' },
        { start: '2031-05-02T08:00:00Z', label: 'A' },
      ],
    })
    const first = await add('First', '2031-05-01T08:00:00Z', { draft: true })
    const foreign = await add('Foreign', '2031-05-04T08:00:00Z', { responsible: [VERA] })
    const [late, early] = [
      await add('Late', '2031-05-06T08:00:00Z', { deleted: true }),
      await add('Early', '2031-05-05T08:00:00Z', { deleted: true }),
    ]
    const elsewhere = await add('Elsewhere', '2031-08-01T08:00:00Z')
    const gone = await add('Gone', '2031-08-02T08:00:00Z', { deleted: true })
    for (const [id, date] of [
      [second.id, '2031-05-02'],
      [first.id, '2031-05-01'],
      [foreign.id, '2031-05-04'],
      [late.id, '2031-05-06'],
      [early.id, '2031-05-05'],
    ] as const)
      await join(series, id, date)
    await join(other, elsewhere.id, '2031-08-01')
    await join(other, gone.id, '2031-08-02')
    const stored = {
      id: series,
      start: '2031-05-01',
      rrule: 'FREQ=DAILY',
      exdates: ['2031-05-09'],
      rdates: ['2031-05-20', '2031-05-21'],
    }
    assert.deepEqual(await getSeries(write, series), stored)
    assert.deepEqual(await getSeriesOf(write, first.id), stored)
    assert.deepEqual(await getSeriesOf(write, elsewhere.id), {
      id: other,
      start: '2031-08-01',
      rrule: null,
      exdates: [],
      rdates: [],
    })
    assert.deepEqual([await getSeries(write, 0), await getSeriesOf(write, 0)], [undefined, undefined])
    const members = async (person: Person) =>
      (await findSeriesEvents(write, as(person).actor, series)).map(({ date, event, shifts, generated }) => [
        date,
        event.title,
        shifts.map(({ label }) => label),
        generated,
      ])
    const generated = { event: {}, shifts: {} }
    assert.deepEqual(await members(PAUL), [
      ['2031-05-01', 'First', [''], generated],
      ['2031-05-02', 'Second', ['A', 'B'], generated],
    ])
    assert.deepEqual(await members(VERA), [['2031-05-04', 'Foreign', [''], generated]])
    assert.deepEqual(await members(ANN), [])
    assert.deepEqual(await findBinnedDates(write, series), ['2031-05-05', '2031-05-06'])
    assert.deepEqual(await findBinnedDates(write, other), ['2031-08-02'])
  })

  test('a step is that of the caller, with what the same request did after it, the last first', async () => {
    const { id: event, shifts } = await add('First', '2031-06-01T08:00:00Z')
    const other = await add('Other', '2031-06-02T08:00:00Z')
    const ofEvent = { kind: 'event', id: event, event }
    const ofShift = { kind: 'shift', id: shifts[0]!, event }
    await log('shift.changed', ofShift)
    const step = await log('event.series_changed', ofEvent)
    const changed = await log('shift.changed', ofShift)
    const elsewhere = await log('shift.changed', { kind: 'shift', id: other.shifts[0]!, event: other.id })
    const title = await log('event.changed', ofEvent)
    await log('participation.moved', { kind: 'participation', id: 1, event })
    await log('page.created', { kind: 'event', id: event, event: null })
    await log('shift.changed', ofShift, { request_id: 'two' })
    const deleted = await log('shift.deleted', ofShift)
    const cancelled = await log('shift.cancelled', ofShift)
    const by = (person: Person) => as(person).actor
    assert.deepEqual(await getStep(write, by(PAUL), step), {
      id: step,
      kind: 'event.series_changed',
      subjectId: event,
      eventId: event,
      changes: { a: 1 },
      requestId: 'one',
    })
    assert.equal(await getStep(write, by(ANN), step), undefined)
    assert.equal(await getStep(write, by(PAUL), changed), undefined, 'no step on a series')
    const byGuest = await log('event.series_changed', ofEvent, { actor_kind: 'guest' })
    assert.equal(await getStep(write, by(PAUL), byGuest), undefined)
    for (const kind of ['series_created', 'series_rule_changed', 'series_cancelled', 'series_deleted', 'series_undone'])
      assert.equal(
        (await getStep(write, by(PAUL), await log(`event.${kind}`, ofEvent, { request_id: 'three' })))?.kind,
        `event.${kind}`,
      )
    const found = (await getStep(write, by(PAUL), step))!
    assert.deepEqual(
      (await findStepEntries(write, found)).map(({ id }) => id).filter((id) => id < byGuest),
      [cancelled, deleted, title, elsewhere, changed],
    )
    assert.deepEqual((await findStepEntries(write, found)).at(-1), {
      id: changed,
      kind: 'shift.changed',
      subjectId: shifts[0],
      eventId: event,
      changes: { a: 1 },
    })
    const steps = await findShiftSteps(write, event, step)
    assert.deepEqual(
      steps.map(({ kind, subjectId, eventId }) => [kind, subjectId, eventId]),
      [
        ['shift.deleted', shifts[0], event],
        ['shift.changed', shifts[0], event],
      ],
    )
    assert.deepEqual(
      (await findShiftSteps(write, other.id, step)).map(({ subjectId }) => subjectId),
      [other.shifts[0]],
    )
    assert.deepEqual(await findShiftSteps(write, event, deleted), [])
  })
})
