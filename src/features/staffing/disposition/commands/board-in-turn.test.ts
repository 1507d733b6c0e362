import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { LimitKind } from '#features/staffing/working-time-limits/rules.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type CardChange, saveCards } from './board.ts'

const local = ({ id }: Person) => ({ kind: 'local', id }) as const
const span = (day: number, from: number, hours: number) => {
  const start = Date.UTC(2031, 4, day, from)
  return { start: new Date(start).toISOString(), end: new Date(start + hours * 3_600_000).toISOString() }
}
const NOTE = { text: 'Agreed', isHidden: true }

describe('one Save is judged as if its cards were saved one after the other', async () => {
  const world = await openWorld()
  const [child, other] = await Promise.all(['Kim', 'Lou'].map((name) => world.addPerson({ name })))
  await world.db.write
    .updateTable('user_profile')
    .set({ date_of_birth: '2016-01-01' })
    .where('id', 'in', [child!.id, other!.id])
    .execute()
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('work_limit').execute()
  })

  /** Shifts: Monday 8 to 12, Monday 14 to 18, Tuesday 8 to 12, by their index. */
  const addShifts = () =>
    world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [span(5, 8, 4), span(5, 14, 4), span(6, 8, 4), { ...span(5, 19, 2), flow: 'coupled' as const }],
    })
  type Card = Omit<CardChange, 'shiftId'> & { shift: number }
  type Case = {
    what: string
    limits?: [LimitKind, number][]
    /** Confirmed before, by shift. */
    before?: [Person, number][]
    cards: Card[]
    at?: Date
    /** Of each card. */
    expected: string[]
  }
  const add = (who: Person, shift: number, more: Partial<Card> = {}): Card => ({ who: local(who), shift, to: 1, ...more })
  const refused = (code: string) => `${code} reason_needed`

  const CASES: Case[] = [
    {
      what: 'too many hours of a week in two shifts',
      limits: [['hours_per_week', 6]],
      cards: [add(ANN, 0), add(ANN, 1)],
      expected: ['saved', refused('limit_week')],
    },
    {
      what: 'as many hours as the limit allows',
      limits: [['hours_per_week', 8]],
      cards: [add(ANN, 0), add(ANN, 1)],
      expected: ['saved', 'saved'],
    },
    {
      what: 'three shifts of which two fit together',
      limits: [['hours_per_week', 8]],
      cards: [add(ANN, 0), add(ANN, 1), add(ANN, 2)],
      expected: ['saved', 'saved', refused('limit_week')],
    },
    {
      what: 'too little rest between two shifts',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0), add(ANN, 1), add(ANN, 2)],
      expected: ['saved', refused('limit_rest'), 'saved'],
    },
    {
      what: 'a reason counts for the card that has it',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0, { comment: NOTE }), add(ANN, 1)],
      expected: ['saved', 'saved'],
    },
    {
      what: 'different people on the two shifts',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0), add(PAUL, 1)],
      expected: ['saved', 'saved'],
    },
    {
      what: 'a refused card does not count for the next one',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0), add(ANN, 1, { version: 4 }), add(ANN, 2)],
      expected: ['saved', 'stale', 'saved'],
    },
    {
      what: 'a request does not count',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0, { to: 0 }), add(ANN, 1)],
      expected: ['saved', 'saved'],
    },
    {
      what: 'a person who moves from one shift to the other, whatever stands first',
      limits: [['hours_per_week', 4]],
      before: [[ANN, 1]],
      cards: [add(ANN, 0), add(ANN, 1, { to: 3 })],
      expected: ['saved', 'saved'],
    },
    {
      what: 'own times that a confirmed person gets in the same Save',
      limits: [['hours_per_week', 6]],
      before: [[ANN, 1]],
      cards: [add(ANN, 0), add(ANN, 1, { times: { end: new Date('2031-05-05T16:00:00Z') } })],
      expected: ['saved', 'saved'],
    },
    {
      what: 'longer own times of confirmed people that exceed a limit, with a reason and without',
      limits: [['hours_per_week', 4]],
      before: [
        [ANN, 0],
        [PAUL, 0],
      ],
      cards: [
        { who: local(ANN), shift: 0, times: { end: new Date('2031-05-05T13:00:00Z') } },
        { who: local(PAUL), shift: 0, times: { end: new Date('2031-05-05T13:00:00Z') }, comment: NOTE },
      ],
      expected: [refused('limit_week'), 'saved'],
    },
    {
      what: 'longer own times of a person who leaves',
      limits: [['hours_per_week', 4]],
      before: [[ANN, 0]],
      cards: [add(ANN, 0, { to: 3, times: { end: new Date('2031-05-05T13:00:00Z') } })],
      expected: ['saved'],
    },
    {
      what: 'a confirmed person who is beyond a limit already, and is saved with the same times',
      limits: [['hours_per_week', 3]],
      before: [[ANN, 0]],
      cards: [{ who: local(ANN), shift: 0, times: { start: null, end: null } }],
      expected: ['saved'],
    },
    {
      what: 'real times after the shift',
      limits: [['hours_per_week', 4]],
      before: [[ANN, 0]],
      at: new Date('2031-05-05T13:00:00Z'),
      cards: [{ who: local(ANN), shift: 0, times: { end: new Date('2031-05-05T13:00:00Z') } }],
      expected: ['saved'],
    },
    {
      what: 'longer own times during the shift',
      limits: [['hours_per_week', 4]],
      before: [[ANN, 0]],
      at: new Date('2031-05-05T12:59:59Z'),
      cards: [{ who: local(ANN), shift: 0, times: { end: new Date('2031-05-05T13:00:00Z') } }],
      expected: [refused('limit_week')],
    },
    {
      what: 'own times that make the first shift longer',
      limits: [['hours_per_week', 8]],
      cards: [add(ANN, 0, { times: { end: new Date('2031-05-05T13:00:00Z') } }), add(ANN, 1)],
      expected: ['saved', refused('limit_week')],
    },
    {
      what: 'a minor with an adult of the same Save, whatever stands first',
      limits: [['minor_accompanied', 1]],
      cards: [add(child!, 0), add(ANN, 0)],
      expected: ['saved', 'saved'],
    },
    {
      what: 'a minor with an adult on another shift',
      limits: [['minor_accompanied', 1]],
      cards: [add(child!, 0), add(ANN, 1)],
      expected: [refused('limit_minor_alone'), 'saved'],
    },
    {
      what: 'a minor with another minor',
      limits: [['minor_accompanied', 1]],
      cards: [add(child!, 0), add(other!, 0)],
      expected: [refused('limit_minor_alone'), refused('limit_minor_alone')],
    },
    {
      what: 'a minor while the only adult leaves',
      limits: [['minor_accompanied', 1]],
      before: [[ANN, 0]],
      cards: [add(child!, 0), add(ANN, 0, { to: 3 })],
      expected: [refused('limit_minor_alone'), 'saved'],
    },
    {
      what: 'a minor while one of two adults leaves',
      limits: [['minor_accompanied', 1]],
      before: [
        [ANN, 0],
        [PAUL, 0],
      ],
      cards: [add(child!, 0), add(ANN, 0, { to: 3 })],
      expected: ['saved', 'saved'],
    },
    {
      what: 'a shift and the one that follows it',
      limits: [['rest_hours', 11]],
      cards: [add(ANN, 0), add(ANN, 3)],
      expected: ['saved', 'saved'],
    },
  ]
  for (const { what, limits = [], before = [], at = world.now, cards, expected } of CASES)
    test(`${what}: ${expected.join(', ')}`, async () => {
      const { shifts } = await addShifts()
      await world.db.write
        .updateTable('shift')
        .set({ signup_flow_slug: 'coupled', signup_flow_configuration: JSON.stringify({ leader_shift_id: shifts[0] }) })
        .where('id', '=', shifts[3]!)
        .execute()
      for (const [who, shift] of before) await world.addParticipation({ who, shift: shifts[shift]!, state: 1 })
      for (const [kind, value] of limits)
        await world.db.write.insertInto('work_limit').values({ kind, value, blocks: true }).execute()
      const outcomes = await saveCards(
        { ...contextAs(world, PAUL), now: at },
        cards.map(({ shift, ...card }) => ({ ...card, shiftId: shifts[shift]! })),
      )
      assert.deepEqual(
        outcomes.map((one) => (one.kind === 'refused' ? one.reasons.map(({ code }) => code).join(' ') : one.kind)),
        expected,
      )
      // Nothing is said about a card that another card got.
      assert.deepEqual(
        outcomes.map(({ shiftId, who }) => [shiftId, who]),
        cards.map(({ shift, who }) => [shifts[shift], who]),
      )
    })

  test('two shifts at the same time: the second names the first, with the title of its event', async () => {
    const { id, shifts } = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [span(5, 8, 4), span(5, 10, 4)] })
    const [first, second] = await saveCards(
      contextAs(world, PAUL),
      shifts.map((shiftId) => ({ shiftId, who: local(ANN), to: 1 as const })),
    )
    assert.ok(first?.kind === 'saved' && second?.kind === 'saved')
    const conflict = second.hints.find(({ code }) => code === 'conflict')
    assert.ok(conflict?.code === 'conflict')
    assert.deepEqual([conflict.with.shiftId, conflict.with.eventId, conflict.with.eventTitle], [shifts[0], id, 'Fair'])
    assert.deepEqual(first.hints, [])
  })
})
