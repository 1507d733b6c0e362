import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { State } from '#features/staffing/rules/model.ts'
import { isResponsibleTarget, judgeMove, type Move, RESPONSIBLE_TARGETS } from './moves.ts'

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
