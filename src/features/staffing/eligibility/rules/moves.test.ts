import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { isResponsibleTarget, judgeMove, type Move, pickMainState, RESPONSIBLE_TARGETS, stateAfterChange } from './moves.ts'

const NONE = undefined
/** Result of each move from: no participation, requested, confirmed, declined, rejected, getting dispatched. */
const FROM: (State | undefined)[] = [NONE, 0, 1, 2, 3, 4]
type Row = [Move, { hasRequestStage: boolean; canDeclineConfirmed: boolean }, (State | string)[]]
const asks = { hasRequestStage: true, canDeclineConfirmed: false }
const instant = { hasRequestStage: false, canDeclineConfirmed: false }
const leaves = { hasRequestStage: true, canDeclineConfirmed: true }

const TABLE: Row[] = [
  ['sign-up', asks, [0, 'already_in', 'already_in', 0, 'rejected', 0]],
  ['sign-up', instant, [1, 'already_in', 'already_in', 1, 'rejected', 1]],
  ['decline', asks, [2, 2, 'may_not_leave', 'already_declined', 'rejected', 2]],
  ['decline', leaves, [2, 2, 2, 'already_declined', 'rejected', 2]],
  ['take-place', asks, ['not_in', 'already_in', 'already_in', 'not_in', 'rejected', 'not_in']],
  ['take-place', instant, ['not_in', 1, 'already_in', 'not_in', 'rejected', 'not_in']],
  ['customize', asks, ['not_in', 0, 'may_not_leave', 'not_in', 'rejected', 'not_in']],
  ['customize', leaves, ['not_in', 0, 1, 'not_in', 'rejected', 'not_in']],
]

describe('moves of the participant', () => {
  for (const [move, signupRules, expected] of TABLE) {
    FROM.forEach((from, index) => {
      test(`${move} from ${from ?? 'nothing'} with ${JSON.stringify(signupRules)}: ${expected[index]}`, () => {
        const verdict = judgeMove(move, from, signupRules)
        assert.equal(verdict.ok ? verdict.to : verdict.reason.code, expected[index])
      })
    })
  }

  test('never result in the state of imported rows', () => {
    for (const [move, signupRules] of TABLE)
      for (const from of FROM) {
        const verdict = judgeMove(move, from, signupRules)
        assert.ok(!verdict.ok || verdict.to !== 4)
      }
  })
})

test('responsibles can set only requested, confirmed, declined and rejected', () => {
  assert.deepEqual(RESPONSIBLE_TARGETS, [0, 1, 2, 3])
  assert.deepEqual([-1, 0, 1, 2, 3, 4, 1.5].filter(isResponsibleTarget), [0, 1, 2, 3])
})

describe('a change of details', () => {
  const from = new Date('2031-05-01T10:00Z')
  const before = new Date(from.getTime() - 1)
  const CASES: [what: string, state: State, lateChangesFrom: Date | null, now: Date, hasChanged: boolean, after: State][] = [
    ['of a confirmed person, late', 1, from, from, true, 0],
    ['of a confirmed person, in time', 1, from, before, true, 1],
    ['of a confirmed person, without a limit', 1, null, from, true, 1],
    ['without a difference', 1, from, from, false, 1],
    ['of a request', 0, from, from, true, 0],
    ['of a person who declined', 2, from, from, true, 2],
  ]
  for (const [what, state, lateChangesFrom, now, hasChanged, after] of CASES)
    test(`${what}: ${after}`, () => assert.equal(stateAfterChange(state, { lateChangesFrom }, { now, hasChanged }), after))
})

test('the main state is the most important one', () => {
  const ORDER: State[] = [1, 0, 4, 3, 2]
  ORDER.forEach((state, index) => {
    assert.equal(pickMainState(ORDER.slice(index).reverse()), state)
  })
  assert.equal(pickMainState([]), undefined)
})
