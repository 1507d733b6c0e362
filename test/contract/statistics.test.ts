import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { SCOPES } from '#platform/auth/scopes.ts'
import type { Stats } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
const orNull = (values: (number | null)[]) => (values.includes(null) ? null : sum(values as number[]))

/** Counts are summed; free and max are null if any shift has null; min is null only if all shifts have null. */
function expectedSum(shifts: Stats[]) {
  const min = shifts.map((each) => each.min ?? null)
  return {
    missing: sum(shifts.map((each) => each.missing ?? 0)),
    free: orNull(shifts.map((each) => each.free ?? null)),
    min_count: min.every((each) => each === null) ? null : sum(min.map((each) => each ?? 0)),
    max_count: orNull(shifts.map((each) => each.max ?? null)),
  }
}

describe('statistics of an event', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  const statsOf = async (id: number) => (await olga.get(`/api/events/${id}/`)).body.signup_stats
  const none = { requested_count: 0, confirmed_count: 0 }

  const CASES: [what: string, shifts: Stats[], expected: object][] = [
    ['no shift', [], { missing: 0, free: 0, min_count: null, max_count: 0 }],
    ['one', [{ missing: 2, free: 4, min: 2, max: 4 }], { missing: 2, free: 4, min_count: 2, max_count: 4 }],
    ['one without bounds', [{}], { missing: 0, free: null, min_count: null, max_count: null }],
    [
      'two',
      [
        { missing: 1, free: 3, min: 2, max: 4 },
        { missing: 0, free: 0, min: 1, max: 1 },
      ],
      { missing: 1, free: 3, min_count: 3, max_count: 5 },
    ],
    [
      'one of two unlimited',
      [{ missing: 1, free: 3, min: 2, max: 4 }, {}],
      { missing: 1, free: null, min_count: 2, max_count: null },
    ],
    [
      'two without minimums',
      [
        { free: 3, max: 4 },
        { free: 1, max: 1 },
      ],
      { missing: 0, free: 4, min_count: null, max_count: 5 },
    ],
    ['a minimum of zero and none', [{ free: 0, min: 0, max: 0 }, {}], { missing: 0, free: null, min_count: 0, max_count: null }],
  ]
  for (const [what, stats, expected] of CASES)
    test(`${what}`, async () => {
      const { id } = await world.addEvent({ seenBy: [HELPERS], shifts: stats.map((each) => ({ stats: each })) })
      assert.deepEqual(await statsOf(id), { ...none, ...expected })
      assert.deepEqual(expectedSum(stats), expected)
    })

  test('random combinations of shifts are summed by the same rule', async () => {
    const count = fc.nat({ max: 9 })
    const nullable = fc.option(count, { nil: null })
    const parts = fc.array(fc.record({ missing: count, free: nullable, min: nullable, max: nullable }), {
      minLength: 1,
      maxLength: 4,
    })
    const property = fc.asyncProperty(parts, async (stats) => {
      const { id } = await world.addEvent({ seenBy: [HELPERS], shifts: stats.map((each) => ({ stats: each })) })
      assert.deepEqual(await statsOf(id), { ...none, ...expectedSum(stats) })
    })
    await fc.assert(property, { numRuns: 40 })
  })

  test('counts include participants that the caller cannot see', async () => {
    const secret = await world.addType({ showParticipantData: 2 })
    const { id, shifts } = await world.addEvent({ type: secret, seenBy: [HELPERS], shifts: [{}, {}] })
    await world.addParticipation({ who: PAUL, shift: shifts[0]!, state: 0 })
    await world.addParticipation({ who: OLGA, shift: shifts[0]!, state: 1 })
    await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1 })
    await world.addParticipation({ who: { placeholder: 'x' }, shift: shifts[1]!, state: 1 })
    for (const state of [2, 3, 4] as const) {
      const person = await world.addPerson({ name: `state ${state}` })
      await world.addParticipation({ who: person, shift: shifts[0]!, state })
    }
    const { body } = await world.as(ANN, 'PUBLIC_READ').get(`/api/events/${id}/`)
    const counts = ({ signup_stats }: { signup_stats: Record<string, number> }) => [
      signup_stats.requested_count,
      signup_stats.confirmed_count,
    ]
    assert.deepEqual(
      [counts(body), ...body.shifts.map(counts)],
      [
        [1, 3],
        [1, 1],
        [0, 2],
      ],
    )
  })

  test('an invalid configuration is returned as stored, and the list still works', async () => {
    const configuration = { minimum_number_of_participants: 'many', teams: 7 }
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [{ structure: 'of a plugin', flow: 'unheard', configuration }],
    })
    const shift = (await olga.get(`/api/shifts/${shifts[0]}/`)).body
    assert.deepEqual(
      [shift.structure_slug, shift.signup_flow_slug, shift.structure_configuration],
      ['of a plugin', 'unheard', configuration],
    )
    assert.deepEqual(shift.signup_stats, { ...none, missing: 0, free: null, min_count: null, max_count: null })
    assert.ok((await olga.ids('/api/events/')).includes(id))
  })
})
