import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { visibleTo } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Keys } from '#platform/db/keyset.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, GROUPS, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type Keyed, timeConditions } from './filters.ts'
import { findShiftsOfBlocks } from './shifts-of-blocks.ts'
import { findPlainEventKeys, findPlainShiftKeys } from './unfiltered-keys.ts'

describe('lists of events and shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, permissions: Permission[] = []): RequestContext => {
    const groupIds = GROUPS.filter(({ members }) => members.includes(person)).map(({ id }) => id)
    return {
      ...contextOf(world, actorOf(person, { groupIds, permissions: new Set(permissions) })),
      words: wordsFor('en', world.app.site.timeZone),
    }
  }

  describe('by time', () => {
    const T = '2031-05-04T08:00:00.000001Z'
    const [before, after] = ['2031-05-04T08:00:00.000000Z', '2031-05-04T08:00:00.000002Z']
    const FROM = [false, true, true]
    const UNTIL = [true, true, false]
    const CASES: [
      name: Parameters<typeof timeConditions>[0] extends infer Query ? keyof Query : never,
      edge: 'start' | 'end',
      boolean[],
    ][] = [
      ['start_time_after', 'start', FROM],
      ['start_gte', 'start', FROM],
      ['start_time_before', 'start', UNTIL],
      ['start_lte', 'start', UNTIL],
      ['end_time_after', 'end', FROM],
      ['end_gte', 'end', FROM],
      ['end_time_before', 'end', UNTIL],
      ['end_lte', 'end', UNTIL],
    ]
    for (const [name, edge, found] of CASES)
      test(`${name} is about the ${edge}, and includes the bound`, async () => {
        const condition = timeConditions({ [name]: T }, sql`t.start`, sql`t.end`)
        assert.equal(condition.length, 1)
        const { rows } = await sql<{ found: boolean | null }>`
          select ${condition[0]!} as found from jsonb_to_recordset(${JSON.stringify(
            // The other edge would not match.
            [before, T, after].map((time) => (edge === 'start' ? { start: time, end: null } : { start: null, end: time })),
          )}::jsonb) as t (start timestamptz, "end" timestamptz)`.execute(write)
        assert.deepEqual(
          rows.map((row) => row.found),
          found,
        )
      })
    test('bounds apply together', () => {
      assert.equal(timeConditions({ start_gte: T, end_lte: T, end_time_before: T }, sql`a`, sql`b`).length, 3)
      assert.deepEqual(timeConditions({}, sql`a`, sql`b`), [])
    })
  })

  test('have the same rows in the same order by offset, by position, and as the conditions of access say', async () => {
    const states = [{}, {}, { draft: true }, { cancelled: true }, { deleted: true }]
    const audiences = [[HELPERS], [PLANNERS], [ANN], [BEN, PLANNERS], [], [HELPERS, PLANNERS, ANN]]
    let day = 0
    for (const state of states)
      for (const seenBy of audiences) {
        // Several at the same time, and some that end at another one.
        const start = `2031-05-${String(10 + (day++ % 7)).padStart(2, '0')}T08:00:00Z`
        const shifts = [
          { start, meeting: start.replace('08:', '07:') },
          { start, end: start.replace('08:', `${10 + (day % 3)}:`) },
        ]
        const made = await world.addEvent({ seenBy, shifts, ...state })
        if (day % 4 === 0) await world.grantsEvent(VERA, made.id, 'change')
        if (day % 5 === 0) await world.addParticipation({ who: VERA, shift: made.shifts[0]!, state: day % 2 ? 2 : 4 })
        if (day % 6 === 0) await world.addParticipation({ who: ANN, shift: made.shifts[1]!, state: 0 })
      }
    await world.addEvent({ seenBy: [HELPERS] })
    const LISTS: [name: string, find: typeof findPlainEventKeys, from: string, order: string][] = [
      ['events', findPlainEventKeys, 'event e', 'e.start_time, e.end_time, e.id'],
      ['shifts', findPlainShiftKeys, 'shift s join event e on e.id = s.event_id', 's.meeting_time, s.start_time, s.id'],
    ]
    for (const [name, find, from, order] of LISTS)
      for (const [person, permissions] of [[ANN], [BEN], [PAUL], [VERA], [OLGA], [VERA, ['view_event']]] as [
        Person,
        Permission[]?,
      ][]) {
        const context = as(person, permissions)
        const id = name === 'events' ? sql`e.id` : sql`s.id`
        const version = name === 'events' ? sql`e.version || '.' || t.version` : sql`e.version::text`
        const { rows: all } = await sql<{ id: number; version: string }>`
          select ${id} as id, ${version} as version from ${sql.raw(from)} join event_type t on t.id = e.type_id
          where ${visibleTo(context.actor)} order by ${sql.raw(order)}`.execute(write)
        const what = `${name} of ${person.name}${permissions ?? ''}`
        assert.ok(all.length > 2, what)
        const shape = ({ keys }: Keyed) => keys.map(({ id, version }) => ({ id, version }))
        for (const [limit, offset] of [
          [3, 0],
          [3, 2],
          [100, 0],
          [5, all.length - 1],
          [5, all.length],
        ] as const) {
          const page = await find(context, { limit, offset })
          assert.deepEqual([page.count, shape(page)], [all.length, all.slice(offset, offset + limit)], `${what}, ${offset}`)
        }
        const walk = async (backward: boolean) => {
          const found: unknown[] = []
          let after: Keys | undefined
          for (let pages = 0; pages < 60; pages++) {
            const page = await find(context, { limit: 3, offset: 0, keyset: { after, backward } })
            assert.equal(page.count, null)
            if (backward) found.unshift(...shape(page))
            else found.push(...shape(page))
            after = backward ? page.edges?.first : page.edges?.last
            if (!page.edges?.hasMore) return found
          }
          return assert.fail('the walk does not end')
        }
        assert.deepEqual(await walk(false), all, what)
        assert.deepEqual(await walk(true), all, `${what}, backward`)
      }
  })

  test('of building blocks name shifts that the caller may see or plans, and count the others', async () => {
    const use = (block: number) => ({
      structure: 'complex',
      configuration: { starting_blocks: [{ uuid: 'a', building_block: block }] },
    })
    const at = (day: string) => `2031-06-${day}T08:00:00Z`
    const end = { start: '2031-05-01T08:00:00Z', end: world.now.toISOString() }
    const seen = await world.addEvent({
      title: 'Seen',
      seenBy: [HELPERS],
      shifts: [
        { ...use(71), label: 'Late', start: at('03') },
        { ...use(71), label: 'Early', start: at('01') },
        { ...use(72), label: 'Other', start: at('01') },
        { ...use(71), ...end, label: 'Over' },
        { ...use(71), ...end, end: new Date(world.now.getTime() + 1).toISOString(), label: 'Running' },
        { structure: 'uniform', configuration: use(71).configuration, label: 'Plain', start: at('01') },
      ],
    })
    await world.addEvent({ title: 'Draft', seenBy: [HELPERS], draft: true, shifts: [{ ...use(71), start: at('02') }] })
    await world.addEvent({ title: 'Hidden', responsible: [PAUL], shifts: [{ ...use(71), start: at('02') }] })
    const named = async (context: RequestContext, ids = [71]) => {
      const { count, named } = await findShiftsOfBlocks(context, ids)
      return [count, named.map(({ eventTitle, label }) => eventTitle + label)]
    }
    assert.deepEqual(await named(as(ANN)), [5, ['SeenRunning', 'SeenEarly', 'SeenLate']])
    assert.deepEqual(await named(as(PAUL)), [5, ['Hidden']])
    assert.deepEqual(await named(as(VERA)), [5, []])
    const everything = ['SeenRunning', 'SeenEarly', 'Draft', 'Hidden', 'SeenLate']
    assert.deepEqual(await named(as(VERA, ['view_event'])), [5, everything])
    assert.deepEqual(await named(as(VERA, ['change_event'])), [5, everything])
    assert.deepEqual(await named(as(ANN), [72, 71]), [6, ['SeenRunning', 'SeenEarly', 'SeenOther', 'SeenLate']])
    assert.deepEqual(await named(as(ANN), [73]), [0, []])
    const [, first] = (await findShiftsOfBlocks(as(ANN), [71])).named
    assert.deepEqual(first, {
      shiftId: seen.shifts[1],
      eventId: seen.id,
      eventTitle: 'Seen',
      label: 'Early',
      startTime: new Date(at('01')),
      endTime: new Date(at('01').replace('08:', '09:')),
      count: 5,
      isNamed: true,
    })
  })
})
