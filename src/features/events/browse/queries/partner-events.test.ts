import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findEvents } from './events.ts'
import type { EventFilter } from './filters.ts'
import {
  findOwnPartnerShifts,
  findPartnerCalendarShifts,
  findPartnerEvents,
  findPartnerFeedShifts,
  findSharedEvents,
  partnerEventConditions,
} from './partner-events.ts'
import { findCalendarShifts } from './shifts.ts'

type EventSearch = Parameters<typeof findEvents>[1]

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ALL: EventFilter = { terms: [], typeIds: [], state: undefined, needsPeople: false, fitsMe: false, whose: 'all' }

describe('events of partners', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const at = (ms: number) => new Date(world.now.getTime() + ms)
  const as = (person: Person) => ({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') })
  const { id: host_id } = await write
    .insertInto('federated_host')
    .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 's', speaks_turnout: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  let remote_id = 0
  const addPartnerEvent = async (title: string, start: Date | null, end: Date | null) => {
    const times = { start_time: start, end_time: end, fetched_at: world.now }
    const facts = { title, location: 'Pier', type_title: 'Race', signup_url: `https://nord.example/${title}` }
    const row = { host_id, remote_id: ++remote_id, ...facts, ...times }
    return (await write.insertInto('partner_event').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const tell = (person: Person, partner_event_id: number, state: number, more: object = {}) =>
    write
      .insertInto('participation_abroad')
      .values({
        partner_event_id,
        user_id: person.id,
        remote_shift_id: ++remote_id,
        state,
        shift_label: `of ${person.name}`,
        start_time: at(25 * HOUR),
        end_time: at(26 * HOUR),
        fetched_at: world.now,
        ...more,
      })
      .execute()
  const [regatta, fair, gala] = [
    await addPartnerEvent('Regatta', at(DAY), at(DAY + 4 * HOUR)),
    await addPartnerEvent('Fair', at(2 * DAY), at(3 * DAY)),
    await addPartnerEvent('Gala', at(4 * DAY), at(5 * DAY)),
  ]
  await tell(ANN, regatta, 1)
  await tell(ANN, fair, 0, { start_time: at(2 * DAY), end_time: at(2 * DAY + HOUR) })
  await tell(ANN, gala, 1, { denied: true })
  await tell(BEN, gala, 1, { start_time: at(4 * DAY), end_time: at(4 * DAY + HOUR) })

  for (const [person, state, expected] of [
    [ANN, undefined, ['Regatta', 'Fair', 'Gala']],
    [ANN, 'confirmed', ['Regatta']],
    [ANN, 'requested', ['Fair']],
    [ANN, 'in', ['Regatta', 'Fair']],
    [ANN, 'none', ['Gala']],
    [BEN, 'confirmed', ['Gala']],
    [BEN, 'none', ['Regatta', 'Fair']],
    [VERA, 'in', []],
    [VERA, 'none', ['Regatta', 'Fair', 'Gala']],
  ] as const)
    test(`${person.name} filters by the own state (${state ?? 'all'}): ${expected.join(', ') || 'none'}`, async () => {
      const conditions = partnerEventConditions(as(person), { ...ALL, state })!
      const span = { from: at(0), until: at(10 * DAY) }
      const found = await findPartnerCalendarShifts(as(person), conditions, span, 50)
      assert.deepEqual(
        found.map(({ eventTitle }) => eventTitle),
        expected,
      )
    })

  test('are listed by their ids, with the own state of the caller only', async () => {
    const own = async (person: Person, ids: number[]) =>
      new Map((await findPartnerEvents(as(person), ids)).map((event) => [event.title, event.own]))
    assert.deepEqual(
      await own(ANN, [regatta, gala]),
      new Map([
        ['Regatta', 1],
        ['Gala', undefined],
      ]),
    )
    assert.deepEqual(await own(BEN, [gala]), new Map([['Gala', 1]]))
  })

  test('say when the caller opened them, if the partner does not tell where people stand', async () => {
    const rows = [ANN, BEN].map(({ id }) => ({ user_id: id, partner_event_id: fair, opened_at: at(-id) }))
    await write.insertInto('partner_event_opening').values(rows).execute()
    const opened = async (person: Person) => (await findPartnerEvents(as(person), [fair]))[0]!.partner.openedAt
    assert.deepEqual([await opened(ANN), await opened(BEN)], [null, null])
    const speaks = (speaks_turnout: boolean) => write.updateTable('federated_host').set({ speaks_turnout }).execute()
    await speaks(false)
    assert.deepEqual([await opened(ANN), await opened(BEN), await opened(VERA)], [at(-ANN.id), at(-BEN.id), null])
    await speaks(true)
    await write.deleteFrom('partner_event_opening').execute()
  })

  test('own shifts there are those of the caller that have not ended and are not denied', async () => {
    const ended = await addPartnerEvent('Ended', at(-2 * DAY), at(-DAY))
    await tell(ANN, ended, 1, { start_time: at(-2 * HOUR), end_time: at(-1) })
    await tell(ANN, ended, 1, { start_time: at(-2 * HOUR), end_time: at(0), shift_label: 'ends now' })
    const shifts = async (person: Person, state: 0 | 1, limit = 5) => {
      const { count, rows } = (await findOwnPartnerShifts(as(person), limit))(state)
      return [count, rows.map(({ label, eventTitle }) => `${eventTitle} ${label}`)]
    }
    assert.deepEqual(await shifts(ANN, 1), [2, ['Ended ends now', 'Regatta of Ann']])
    assert.deepEqual(await shifts(ANN, 1, 1), [2, ['Ended ends now']])
    assert.deepEqual(await shifts(ANN, 0), [1, ['Fair of Ann']])
    assert.deepEqual(await shifts(BEN, 1), [1, ['Gala of Ben']])
    const feed = async (since: Date) =>
      (await findPartnerFeedShifts(as(ANN), { userId: ANN.id, states: [1], since, limit: 50 })).map(({ label }) => label)
    assert.deepEqual(await feed(at(0)), ['ends now', 'of Ann'])
    assert.deepEqual(await feed(at(1)), ['of Ann'])
    const latest = await findPartnerFeedShifts(as(ANN), { userId: ANN.id, states: [1], since: at(0), limit: 1 })
    assert.deepEqual(
      latest.map(({ label }) => label),
      ['of Ann'],
    )
    await write.deleteFrom('partner_event').where('id', '=', ended).execute()
  })

  test('that ended are listed for 14 days, the latest first; those without times never', async () => {
    const names = { now: 0, yesterday: -DAY, twoWeeks: -14 * DAY, older: -14 * DAY - 1 }
    const ids: number[] = []
    for (const [title, end] of Object.entries(names)) ids.push(await addPartnerEvent(title, at(end - HOUR), at(end)))
    ids.push(await addPartnerEvent('timeless', null, null))
    const list = async (when: 'coming' | 'lately', page = { limit: 10, offset: 0 }) => {
      const { count, events } = await findSharedEvents(as(VERA), when, page as never)
      return [count, events.map(({ title }) => title)]
    }
    assert.deepEqual(await list('coming'), [4, ['now', 'Regatta', 'Fair', 'Gala']])
    assert.deepEqual(await list('coming', { limit: 2, offset: 1 }), [4, ['Regatta', 'Fair']])
    assert.deepEqual(await list('lately'), [2, ['yesterday', 'twoWeeks']])
    await write.deleteFrom('partner_event').where('id', 'in', ids).execute()
  })

  test('stand in the calendar with the own times, if they overlap the span', async () => {
    const shown = async (person: Person, from: Date, until: Date) =>
      (await findPartnerCalendarShifts(as(person), [sql`true`], { from, until }, 50)).map(({ eventTitle, own }) => [
        eventTitle,
        own,
      ])
    assert.deepEqual(await shown(ANN, at(DAY), at(2 * DAY)), [['Regatta', 1]])
    assert.deepEqual(await shown(ANN, at(2 * DAY + HOUR), at(4 * DAY)), [], 'her own shift is over')
    assert.deepEqual(await shown(VERA, at(2 * DAY + HOUR), at(4 * DAY)), [['Fair', null]])
    assert.deepEqual(await shown(BEN, at(3 * DAY), at(4 * DAY)), [])
    const market = await addPartnerEvent('Market', at(6 * DAY), at(8 * DAY))
    await tell(BEN, market, 1, { start_time: at(7 * DAY), end_time: at(7 * DAY + HOUR) })
    assert.deepEqual(await shown(BEN, at(6 * DAY), at(7 * DAY)), [])
    assert.deepEqual(await shown(BEN, at(6 * DAY), at(7 * DAY + 1)), [['Market', 1]])
    assert.deepEqual(await shown(BEN, at(7 * DAY + HOUR - 1), at(8 * DAY)), [['Market', 1]])
    assert.deepEqual(await shown(BEN, at(7 * DAY + HOUR), at(8 * DAY)), [])
    await write.deleteFrom('partner_event').where('id', '=', market).execute()
  })

  test('stand beside our shifts, which overlap the span, too', async () => {
    const event = await world.addEvent({
      title: 'Ours',
      seenBy: [HELPERS],
      shifts: [
        { label: 'before', start: at(2 * DAY - HOUR).toISOString(), end: at(2 * DAY).toISOString() },
        { label: 'into', start: at(2 * DAY - HOUR).toISOString(), end: at(2 * DAY + 1000).toISOString() },
        { label: 'until', start: at(3 * DAY - 1000).toISOString(), end: at(4 * DAY).toISOString() },
        { label: 'after', start: at(3 * DAY).toISOString(), end: at(4 * DAY).toISOString() },
      ],
    })
    const find = async (whose: EventFilter['whose']) => {
      const { shifts } = await findCalendarShifts(as(ANN), { ...ALL, whose }, { from: at(2 * DAY), until: at(3 * DAY) })
      return shifts.map(({ eventTitle, label }) => `${eventTitle} ${label}`)
    }
    assert.deepEqual(await find('ours'), ['Ours into', 'Ours until'])
    assert.deepEqual(await find('others'), ['Fair of Ann'])
    assert.deepEqual(await find('all'), ['Ours into', 'Fair of Ann', 'Ours until'])
    assert.equal((await read.selectFrom('shift').select('id').where('event_id', '=', event.id).execute()).length, 4)
  })

  test('are listed between our events by time, page by page; past ones the other way round', async () => {
    const add = (title: string, start: number, end: number) =>
      world.addEvent({ title, seenBy: [VERA], shifts: [{ start: at(start).toISOString(), end: at(end).toISOString() }] })
    await add('First', HOUR, 2 * HOUR)
    await add('Between', DAY + 5 * HOUR, DAY + 6 * HOUR)
    await add('Was', -5 * DAY, -5 * DAY + HOUR)
    const ended = [
      await addPartnerEvent('Over', at(-4 * DAY), at(-4 * DAY + HOUR)),
      await addPartnerEvent('Earlier', at(-6 * DAY), at(-6 * DAY + HOUR)),
    ]
    const list = async (wish: Partial<EventSearch>, page = { limit: 10, offset: 0 }) => {
      const { events, count } = await findEvents(as(VERA), { ...ALL, when: 'coming', ...wish } as EventSearch, page as never, {
        hasPartners: true,
      })
      return [count, events.map(({ title }) => title)]
    }
    const all = ['First', 'Regatta', 'Between', 'Fair', 'Gala']
    assert.deepEqual(await list({}), [5, all])
    assert.deepEqual(await list({}, { limit: 2, offset: 1 }), [5, all.slice(1, 3)])
    assert.deepEqual(await list({}, { limit: 2, offset: 8 }), [5, []], 'beyond the end')
    assert.deepEqual(await list({ whose: 'ours' }), [2, ['First', 'Between']])
    assert.deepEqual(await list({ whose: 'others' }), [3, ['Regatta', 'Fair', 'Gala']])
    assert.deepEqual(await list({ from: at(DAY + 5 * HOUR), until: at(4 * DAY) }), [2, ['Between', 'Fair']])
    assert.deepEqual(await list({ when: 'past' }), [3, ['Over', 'Was', 'Earlier']])
    assert.deepEqual(await list({ when: 'past', from: at(-5 * DAY) }), [2, ['Over', 'Was']])
    await write.deleteFrom('partner_event').where('id', 'in', ended).execute()
  })
})
