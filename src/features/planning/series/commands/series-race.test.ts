import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { changeEvent } from '#features/planning/planning/commands/events.ts'
import { getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { transact } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import { findSeriesEvents } from '../queries/series.ts'
import { digestOf } from '../rules/linking.ts'
import type { ChosenDates } from '../rules/recurrence.ts'
import { applyChanges, SERIES_GUARD, type SeriesGuard } from './change.ts'
import { createSeries } from './link.ts'
import { changeRule } from './rule.ts'

const DATES = ['2031-06-08', '2031-06-15']
const single = (dates: string[]): ChosenDates => ({ dates, faults: [], rule: undefined, singles: dates, skipped: [] })

describe('two planners at once', async () => {
  const { world, contextOf, create, eventRow } = await openPlanning()
  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 4 })
  after(db.close)
  let requests = 0
  const context = () => ({ ...contextOf(PAUL), db: db.write, requestId: `race-${++requests}` })

  async function open() {
    const { eventId } = await create([input()])
    const { seriesId, copies } = await createSeries(context(), { eventId, chosen: single(DATES) })
    return { eventId, seriesId, copies }
  }

  const countWaiting = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.read,
    )
    return rows[0]!.count
  }

  /** Starts the other action when the first one has decided, and goes on when the other one is done or waits for a lock. */
  function meanwhile<T>(act: () => Promise<T>) {
    let other: Promise<PromiseSettledResult<T>[]> | undefined
    const checked = async () => {
      let isDone = false
      other = Promise.allSettled([
        act().finally(() => {
          isDone = true
        }),
      ])
      while (!isDone && (await countWaiting()) === 0);
    }
    return { checked, result: async () => (await other)![0]! }
  }

  async function extendTwice(guard: SeriesGuard) {
    const { eventId, seriesId } = await open()
    const chosen = single(['2031-06-01', ...DATES, '2031-06-22'])
    const { checked, result } = meanwhile(() => changeRule(context(), { eventId, chosen }, guard))
    const first = await changeRule(context(), { eventId, chosen }, { ...guard, checked })
    const second = await result()
    const members = await findSeriesEvents(db.write, contextOf(PAUL).actor, seriesId)
    return { first: first.added.length, second, dates: members.map(({ date }) => date) }
  }

  test('extend a series by the same date: one event is made', async () => {
    const { first, second, dates } = await extendTwice(SERIES_GUARD)
    assert.equal(first, 1)
    assert.deepEqual(second.status === 'fulfilled' && second.value.added, [])
    assert.deepEqual(dates, ['2031-06-01', ...DATES, '2031-06-22'])
  })

  test('without the lock of the series, one of them fails', async () => {
    await assert.rejects(extendTwice({ ...SERIES_GUARD, lockSeries: async () => {} }), { code: '23505' })
  })

  async function applyWhileEdited(guard: SeriesGuard) {
    const { eventId, seriesId, copies } = await open()
    const { actor } = contextOf(PAUL)
    const rename = async (id: number, title: string) => {
      const event = (await getPlannedEvent(db.write, actor, id))!
      await transact(db.write, (tx) => changeEvent(tx, context(), { eventId: id, input: { ...event, title }, version: {} }))
    }
    await rename(eventId, 'New')
    const members = await findSeriesEvents(db.write, actor, seriesId)
    const seen = Object.fromEntries(members.map((member) => [member.event.id, digestOf(member, 'Europe/Berlin')]))
    const { checked, result } = meanwhile(() => rename(copies[1]!, 'By hand'))
    const wish = { eventId, scope: 'all' as const, changes: ['event-title'], overwrite: [], seen }
    await applyChanges(context(), wish, { ...guard, checked })
    await result()
    return (await eventRow(copies[1]!)).title
  }

  test('a change by hand during the application is kept', async () => {
    assert.equal(await applyWhileEdited(SERIES_GUARD), 'By hand')
  })

  test('without the lock of the events, it is overwritten', async () => {
    assert.equal(await applyWhileEdited({ ...SERIES_GUARD, lockEvent: async () => true }), 'New')
  })

  /** Runs actions while another transaction holds the lock of an event, until each of them is done or waits; then the lock ends. */
  async function whileLocked<T>(eventId: number, actions: (() => Promise<T>)[]) {
    const settled: boolean[] = []
    let results: Promise<PromiseSettledResult<T>[]> | undefined
    await transact(db.write, async (tx) => {
      await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
      results = Promise.allSettled(actions.map((act) => act().finally(() => settled.push(true))))
      while (settled.length + (await countWaiting()) < actions.length);
    })
    return { waited: actions.length - settled.length, results: await results! }
  }

  test('put an event into a series: it is a member of one of them', async () => {
    const { eventId } = await create([input()])
    const act = () => createSeries(context(), { eventId, chosen: single(DATES) })
    const { waited, results } = await whileLocked(eventId, [act, act])
    assert.deepEqual([waited, results.map(({ status }) => status)], [2, ['fulfilled', 'fulfilled']])
    const sizes = results.map((result) => (result.status === 'fulfilled' ? result.value.seriesId : 0))
    const members = await Promise.all(sizes.map((id) => findSeriesEvents(db.write, contextOf(PAUL).actor, id)))
    assert.deepEqual(members.map(({ length }) => length).sort(), [2, 3])
  })

  test('do not wait for each other if they work on different events', async () => {
    const [{ eventId }, other] = [await create([input()]), await create([input()])]
    const act = () => createSeries(context(), { eventId, chosen: single(DATES) })
    assert.equal((await whileLocked(other.eventId, [act])).waited, 0)
  })
})
