import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shiftNameOf } from '#features/staffing/waiting-list/rules/links.ts'
import { expiryOf, judgeSwapLink, MAX_OPEN_SWAPS, rolesToAgree, type SwapState } from './swap.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const after = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000)

test('a proposal ends when the first of the shifts begins or its sign-up closes', () => {
  assert.deepEqual(
    expiryOf([
      { start: after(5), closesAt: after(4) },
      { start: after(3), closesAt: after(6) },
    ]),
    after(3),
  )
  assert.deepEqual(
    expiryOf([
      { start: after(5), closesAt: after(1) },
      { start: after(3), closesAt: after(6) },
    ]),
    after(1),
  )
})

describe('planners agree', () => {
  const CASES: [what: string, found: string[], expected: string[]][] = [
    ['to both places if the settings say so', rolesToAgree('planner', { proposer: false, other: false }), ['proposer', 'other']],
    ['to the place with requests', rolesToAgree('at_once', { proposer: false, other: true }), ['other']],
    ['to the other place with requests', rolesToAgree('at_once', { proposer: true, other: false }), ['proposer']],
    ['to none otherwise', rolesToAgree('at_once', { proposer: false, other: false }), []],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.deepEqual(found, expected))
})

describe('a proposal', () => {
  const CASES: [state: SwapState, expiresAt: Date, expected: string][] = [
    ['open', after(1), 'open'],
    ['open', NOW, 'swap_expired'],
    ['expired', after(1), 'swap_expired'],
    ['withdrawn', after(1), 'swap_gone'],
    ['refused', after(1), 'swap_gone'],
    ['undone', after(1), 'swap_gone'],
    ['accepted', NOW, 'answered'],
    ['done', after(1), 'answered'],
    ['declined', after(1), 'declined'],
    ['declined', NOW, 'answered'],
  ]
  for (const [state, expiresAt, expected] of CASES) {
    test(`${state} until ${expiresAt.toISOString()} is ${expected}`, () =>
      assert.equal(judgeSwapLink({ state, expiresAt }, NOW), expected))
  }
  test('can be made to five people', () => assert.equal(MAX_OPEN_SWAPS, 5))
})

test('a shift is named by its event and label', () => {
  assert.equal(shiftNameOf({ label: 'Bar', eventTitle: 'Party' }), 'Party, Bar')
  assert.equal(shiftNameOf({ label: '', eventTitle: 'Party' }), 'Party')
})
