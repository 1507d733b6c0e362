import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { moveShift, moveStoredTime, moveTimes, relinkLeader } from './moving-dates.ts'

const BERLIN = 'Europe/Berlin'
const at = (time: string) => new Date(`2031-05-${time}:00+02:00`)
const SHIFT: ShiftInput = {
  ...shiftFields.defaults,
  label: 'Early',
  times: { meeting: at('04T07:30'), start: at('04T08:00'), end: at('04T12:00') },
  flowSlug: 'request_confirm',
  flowConfiguration: {},
  structureSlug: 'uniform',
  structureConfiguration: { minimum_age: 16 },
  questions: [3],
}

describe('a copy of a shift some days later', () => {
  test('has the same local times, and everything else of the shift', () => {
    const times = { meeting: at('11T07:30'), start: at('11T08:00'), end: at('11T12:00') }
    assert.deepEqual(moveShift(SHIFT, 7, BERLIN), { ...SHIFT, times })
  })

  const FIXED = '2031-05-03T18:00:00+02:00'
  const MOVED = '2031-05-10T18:00:00+02:00'
  const CASES: [what: string, before: Record<string, unknown>, after: Record<string, unknown>][] = [
    ['fixed times of sign-up', { signup_from: FIXED, signup_until: FIXED }, { signup_from: MOVED, signup_until: MOVED }],
    ['a fixed time for late changes', { late_change_asks_again: FIXED }, { late_change_asks_again: MOVED }],
    ['relative times', { signup_from: 'P2W', signup_until: 'P1D' }, { signup_from: 'P2W', signup_until: 'P1D' }],
    ['no times', { signup_from: '', signup_until: null }, { signup_from: '', signup_until: null }],
    ['texts that are no deadlines', { note: FIXED, user_can_bring: 2 }, { note: FIXED, user_can_bring: 2 }],
  ]
  for (const [what, before, after] of CASES)
    test(`and its sign-up: ${what}`, () =>
      assert.deepEqual(moveShift({ ...SHIFT, flowConfiguration: before }, 7, BERLIN).flowConfiguration, after))

  test('durations are kept as they are written', () => assert.equal(moveStoredTime('p3d', 7, BERLIN), 'p3d'))

  test('a meeting that would be after the start keeps its distance', () => {
    // The hour from two to three is skipped, so both become half past three at the earliest.
    const times = {
      meeting: new Date('2031-03-23T02:30:00+01:00'),
      start: new Date('2031-03-23T03:00:00+01:00'),
      end: new Date('2031-03-23T03:30:00+01:00'),
    }
    const moved = moveTimes(times, 7, BERLIN)
    assert.deepEqual(moved, {
      meeting: new Date('2031-03-30T01:30:00+01:00'),
      start: new Date('2031-03-30T03:00:00+02:00'),
      end: new Date('2031-03-30T03:30:00+02:00'),
    })
  })

  test('an end that would be at the start keeps the duration', () => {
    const times = {
      meeting: new Date('2031-03-23T02:00:00+01:00'),
      start: new Date('2031-03-23T02:00:00+01:00'),
      end: new Date('2031-03-23T03:00:00+01:00'),
    }
    const { start, end } = moveTimes(times, 7, BERLIN)
    assert.equal(end.getTime() - start.getTime(), 3_600_000)
  })

  test('follows the copy of its leader, or none', () => {
    const coupled = { ...SHIFT, flowSlug: 'coupled', flowConfiguration: { leader_shift_id: 4, odd: 1 } }
    const relinked = (counterparts: [number, number][]) => relinkLeader(coupled, new Map(counterparts)).flowConfiguration
    assert.deepEqual(relinked([[4, 14]]), { leader_shift_id: 14, odd: 1 })
    assert.deepEqual(relinked([[5, 15]]), { leader_shift_id: null, odd: 1 })
    assert.deepEqual(relinkLeader(SHIFT, new Map()), SHIFT)
  })
})
