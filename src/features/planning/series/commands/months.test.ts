import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cancelEvent, deleteEvent, publishEvents } from '#features/planning/planning/commands/events.ts'
import { createEvent } from '#features/planning/planning/commands/plan-event.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import type { MonthChoice } from '../rules/months.ts'
import { duplicateEvent } from './copies.ts'
import { createSeries } from './link.ts'
import { copyMonth, undoCopies } from './months.ts'

describe('a copied month', async () => {
  const { world, write, contextOf, event, eventRow, shiftsOf, kinds } = await openPlanning()
  let year = 2032
  /** Every test has a year of its own. */
  const nextYear = () => String(year++)
  const add = async (title: string, day: string, hour = '18:00') => {
    const shift = input({ times: times(`${day}T${hour}Z`, `${day}T20:00Z`) })
    const { eventId } = await createEvent(contextOf(PAUL), {
      event: event({ title }),
      publish: true,
      shifts: [{ row: 0, input: shift }],
    })
    return eventId
  }
  const choiceOf = (source: string, target: string, more: Partial<MonthChoice> = {}): MonthChoice => ({
    source,
    target,
    months: 1,
    mapping: 'day',
    type: undefined,
    ...more,
  })

  test('copies are drafts without participations, made in one command, and can be published together or undone', async () => {
    const y = nextYear()
    const first = await add('First', `${y}-05-03`)
    const second = await add('Second', `${y}-05-20`)
    await world.addParticipation({ who: ANN, shift: (await shiftsOf(first))[0]!.id, state: 1 })
    const choice = choiceOf(`${y}-05`, `${y}-06`, { months: 2 })
    const chosen = [
      { eventId: first, date: `${y}-06-03`, known: 0 },
      { eventId: first, date: `${y}-07-03`, known: 0 },
      { eventId: second, date: `${y}-06-20`, known: 0 },
    ]
    const { copies, skipped } = await copyMonth(contextOf(PAUL), { choice, chosen })
    assert.deepEqual([copies.length, skipped], [3, 0])
    const rows = await Promise.all(copies.map(eventRow))
    assert.deepEqual(
      rows.map(({ title, active, start_time }) => [title, active, start_time?.toISOString()]),
      [
        ['First', false, `${y}-06-03T18:00:00.000Z`],
        ['First', false, `${y}-07-03T18:00:00.000Z`],
        ['Second', false, `${y}-06-20T18:00:00.000Z`],
      ],
    )
    assert.deepEqual(await kinds(copies[0]!), ['event.duplicated'])
    assert.equal((await shiftsOf(copies[0]!))[0]!.confirmed_count, 0)
    await publishEvents(contextOf(PAUL), [copies[1]!])
    assert.deepEqual(await undoCopies(contextOf(PAUL), [...copies, first]), { undone: 2, left: 2 })
    const deleted = await Promise.all([...copies, first].map(async (id) => (await eventRow(id)).deleted_at !== null))
    assert.deepEqual(deleted, [true, false, true, false], 'the published copy and the original stay')
  })

  test('a form that is sent twice copies once; an event that exists is copied only if the planner saw it', async () => {
    const y = nextYear()
    const id = await add('Run', `${y}-05-03`)
    const choice = choiceOf(`${y}-05`, `${y}-06`)
    const once = [{ eventId: id, date: `${y}-06-03`, known: 0 }]
    assert.equal((await copyMonth(contextOf(PAUL), { choice, chosen: once })).copies.length, 1)
    assert.deepEqual(await copyMonth(contextOf(PAUL), { choice, chosen: once }), { copies: [], skipped: 1 })
    const again = [{ ...once[0]!, known: 1 }]
    assert.equal((await copyMonth(contextOf(PAUL), { choice, chosen: again })).copies.length, 1)
    assert.deepEqual(await copyMonth(contextOf(PAUL), { choice, chosen: again }), { copies: [], skipped: 1 })
  })

  const race = async (guard: { lock?: () => Promise<void> }) => {
    const y = nextYear()
    const chosen = [{ eventId: await add('Race', `${y}-05-03`), date: `${y}-06-03`, known: 0 }]
    const choice = choiceOf(`${y}-05`, `${y}-06`)
    let other: ReturnType<typeof copyMonth> | undefined
    const first = await copyMonth(
      contextOf(PAUL),
      { choice, chosen },
      {
        ...guard,
        checked: async () => {
          other = copyMonth(contextOf(PAUL), { choice, chosen }, guard)
          if (guard.lock) await other
        },
      },
    )
    return [first.copies.length, (await other!).copies.length]
  }
  test('a form that is sent twice at once copies once', async () => assert.deepEqual(await race({}), [1, 0]))
  test('without the lock, it copies twice', async () => assert.deepEqual(await race({ lock: async () => {} }), [1, 1]))

  test('cancelled and deleted events, other months and hidden events are not copied, nor by people who may not add events', async () => {
    const y = nextYear()
    const cancelled = await add('Cancelled', `${y}-05-03`)
    await cancelEvent(contextOf(PAUL), { eventId: cancelled, reason: 'storm' })
    const deleted = await add('Deleted', `${y}-05-04`)
    await deleteEvent(contextOf(PAUL), { eventId: deleted })
    const elsewhere = await add('Elsewhere', `${y}-04-05`)
    const { id: hidden } = await world.addEvent({ title: 'Hidden', shifts: [{ start: `${y}-05-06T08:00:00Z` }] })
    const chosen = [
      { eventId: cancelled, date: `${y}-06-03`, known: 0 },
      { eventId: deleted, date: `${y}-06-04`, known: 0 },
      { eventId: elsewhere, date: `${y}-06-05`, known: 0 },
      { eventId: hidden, date: `${y}-06-06`, known: 0 },
    ]
    const choice = choiceOf(`${y}-05`, `${y}-06`)
    assert.deepEqual(await copyMonth(contextOf(PAUL), { choice, chosen }), { copies: [], skipped: 4 })
    await assert.rejects(async () => copyMonth(contextOf(ANN), { choice, chosen }))
  })

  test('the page shows the preview, keeps what was chosen, and copies', async () => {
    const y = nextYear()
    const run = await add('Run of the month', `${y}-05-04`)
    const linked = await add('Weekly drill', `${y}-05-05`)
    await createSeries(contextOf(PAUL), {
      eventId: linked,
      chosen: {
        dates: [`${y}-05-12`],
        faults: [],
        rule: { first: `${y}-05-12`, every: 'week', interval: 1, end: { times: 1 } },
        singles: [],
        skipped: [],
      },
    })
    const there = await add('Exists', `${y}-05-06`)
    await duplicateEvent(contextOf(PAUL), { eventId: there, dates: [`${y}-06-06`] })
    await add('Last day', `${y}-05-31`)
    const paul = await browserOf(world, PAUL)
    const path = '/planning/copy-month/'
    const fields = { source: `${y}-05`, target: `${y}-06`, months: '1', mapping: 'day', type: '' }
    const look = await paul.post(path, { form: { ...fields, do: 'look' } })
    assert.equal(look.statusCode, 200)
    const boxes = Object.fromEntries(
      [...look.body.matchAll(/<input [^>]*name="copy"[^>]*>/g)].map(([box]) => [
        /value="([^"]*)"/.exec(box)![1],
        /checked/.test(box),
      ]),
    )
    assert.equal(boxes[`${run}@${y}-06-04@0`], true)
    assert.equal(boxes[`${linked}@${y}-06-05@0`], false, 'events of series are not chosen at first')
    assert.equal(boxes[`${there}@${y}-06-06@1`], false, 'events that exist are not chosen at first')
    assert.match(look.body, /Last day[^<]*has no such day/)
    checkMarkup((await paul.post(path, { form: { ...fields, months: '3', do: 'look' } })).body)
    const shown = /name="shown" value="([^"]*)"/.exec(look.body)![1]!
    const chosen = { ...fields, shown, copy: `${run}@${y}-06-04@0` }
    const changed = await paul.post(path, { form: { ...chosen, mapping: 'weekday', do: 'copy' } })
    assert.deepEqual([changed.statusCode, /Check the preview/.test(changed.body)], [422, true])
    const none = await paul.post(path, { form: { ...fields, shown, do: 'copy' } })
    assert.deepEqual([none.statusCode, /Choose at least one event/.test(none.body)], [422, true])
    const same = await paul.post(path, { form: { ...fields, target: `${y}-05`, do: 'look' } })
    assert.deepEqual([same.statusCode, /Choose a month other than/.test(same.body)], [422, true])
    const many = Array.from({ length: 401 }, (_, index) => `${index + 1}@${y}-06-04@0`)
    const over = await paul.post(path, { form: { ...chosen, copy: many, do: 'copy' } })
    assert.deepEqual([over.statusCode, /At most 400/.test(over.body)], [422, true])
    const made = await paul.post(path, { form: { ...chosen, do: 'copy' } })
    assert.equal(made.statusCode, 303)
    assert.match(String(made.headers.location), /\/events\/copies\/\?ids=\d+$/)
    const twice = await paul.post(path, { form: { ...chosen, do: 'copy' } })
    assert.equal(twice.statusCode, 409)
    const ids = /ids=(\d+)/.exec(String(made.headers.location))![1]!
    assert.equal((await paul.post(`${path}undo/`, { form: { ids } })).statusCode, 303)
    assert.ok((await eventRow(Number(ids))).deleted_at)
    assert.match((await paul.get(`/events/calendar/?month=${y}-05`)).body, new RegExp(`/planning/copy-month/\\?month=${y}-05`))
    const count = await write.selectFrom('event').select('id').where('title', '=', 'Run of the month').execute()
    assert.equal(count.length, 2)
    assert.equal((await (await browserOf(world, ANN)).get(path)).statusCode, 403)
  })
})
