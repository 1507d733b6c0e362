import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { changeableBy, plannedAudiences, seenAudiences, shownTo, visibleTo } from '#features/events/events/access.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, GROUPS, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type EventSpan, plannedEvents, visibleEvents } from './visible-events.ts'

const DAY_MS = 24 * 3_600_000
const PEOPLE = [ANN, BEN, PAUL, VERA, OLGA]
const GRANTED = [HELPERS, PLANNERS, ANN, BEN, PAUL]

describe('lists by audience', async () => {
  const world = await openWorld()
  const at = (days: number) => new Date(world.now.getTime() + days * DAY_MS)

  test('give only the first rows of an audience if these are enough', async () => {
    const ids: number[] = []
    for (const days of [22, 20, 21]) {
      const shifts = [{ start: at(days).toISOString(), end: at(days + 0.2).toISOString() }]
      ids.push((await world.addEvent({ seenBy: [HELPERS], shifts })).id)
    }
    const actor = actorOf(ANN, { groupIds: [HELPERS.id] })
    const selection = { columns: sql`e.id`, order: sql`e.start_time`, most: 2 }
    const first = visibleEvents(actor, { published: 'listed', endsFrom: at(19) }, selection)
    const { rows } = await sql<{ id: number }>`with ${seenAudiences(actor)} ${first}`.execute(world.db.read)
    assert.deepEqual(new Set(rows.map(({ id }) => id)), new Set([ids[1], ids[2]]))
  })

  test('give the events that the conditions of access give, whatever the span', async () => {
    const events = fc.record({
      start: fc.integer({ min: -6, max: 6 }),
      // Longer than two days: these events have an index of their own.
      days: fc.constantFrom(0.2, 1, 2, 2.1, 5),
      seenBy: fc.subarray(GRANTED),
      responsible: fc.subarray(GRANTED),
      state: fc.constantFrom('published', 'published', 'draft', 'cancelled', 'deleted'),
      participant: fc.option(fc.record({ who: fc.constantFrom(ANN, BEN, VERA), state: fc.constantFrom(0, 1, 2, 4) })),
    })
    for (const one of fc.sample(events, { numRuns: 60, seed: 7 })) {
      const { id, shifts } = await world.addEvent({
        seenBy: one.seenBy,
        responsible: one.responsible,
        draft: one.state === 'draft',
        shifts: [{ start: at(one.start).toISOString(), end: at(one.start + one.days).toISOString() }],
      })
      const { participant } = one
      if (participant) await world.addParticipation({ who: participant.who, shift: shifts[0]!, state: participant.state as 0 })
      const change =
        one.state === 'cancelled' ? { cancelled_at: world.now, cancellation_reason: 'Storm' } : { deleted_at: world.now }
      if (one.state === 'cancelled' || one.state === 'deleted')
        await world.db.write.updateTable('event').set(change).where('id', '=', id).execute()
    }
    const times = fc.option(fc.integer({ min: -7, max: 7 }).map(at), { nil: undefined })
    const spans = fc.record({ endsFrom: times, endsBefore: times, startsBefore: times })
    for (const person of PEOPLE) {
      const groupIds = GROUPS.filter(({ members }) => members.includes(person)).map(({ id }) => id)
      const actor = actorOf(person, { groupIds })
      for (const span of fc.sample(spans, { numRuns: 12, seed: person.id })) await compare(actor, span)
    }
    for (const permissions of [['view_event'], ['change_event'], ['view_event', 'change_event']] as const)
      for (const span of fc.sample(spans, { numRuns: 4, seed: permissions.length }))
        await compare(actorOf(VERA, { permissions: new Set(permissions) }), span)

    async function compare(actor: Parameters<typeof shownTo>[0], span: Omit<EventSpan, 'published'>) {
      const { endsFrom = null, endsBefore = null, startsBefore = null } = span
      const isInSpan = sql`(${endsFrom}::timestamptz is null or e.end_time >= ${endsFrom})
        and (${endsBefore}::timestamptz is null or e.end_time < ${endsBefore})
        and (${startsBefore}::timestamptz is null or e.start_time < ${startsBefore})`
      const selection = { columns: sql`e.id`, order: sql`e.start_time`, most: undefined }
      const idsOf = async (query: ReturnType<typeof sql>) =>
        (await query.execute(world.db.read)).rows.map((row) => (row as { id: number }).id).sort((a, b) => a - b)
      for (const [published, access] of [
        ['shown', shownTo(actor)],
        ['listed', visibleTo(actor)],
      ] as const) {
        const found = await idsOf(sql`with ${seenAudiences(actor)} ${visibleEvents(actor, { ...span, published }, selection)}`)
        assert.deepEqual(found, await idsOf(sql`select e.id from event e where ${access} and ${isInSpan}`))
      }
      const planned = await idsOf(
        sql`with ${plannedAudiences(actor)} ${plannedEvents(actor, { ...span, published: 'listed' }, selection)}`,
      )
      const mayPlan = sql`e.listed and ${changeableBy(actor)} and ${isInSpan}`
      assert.deepEqual(planned, await idsOf(sql`select e.id from event e where ${mayPlan}`))
    }
  })
})
