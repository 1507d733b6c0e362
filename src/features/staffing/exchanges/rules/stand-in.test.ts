import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Reason, ReasonCode } from '#features/staffing/staffing/rules/model.ts'
import { judgeStandIn, needsAgreement, reasonsAgainstStandIn, type StandInState } from './stand-in.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const HOUR = 3_600_000
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR)

describe('a reason against a sign-up', () => {
  const CASES: [code: ReasonCode, isAgainst: boolean][] = [
    ['full', false],
    ['closed', false],
    ['not_open_yet', false],
    ['no_self_service', false],
    ['already_declined', false],
    ['conflict', true],
    ['not_qualified', true],
  ]
  for (const [code, isAgainst] of CASES) {
    test(`${code} ${isAgainst ? 'is' : 'is not'} one against standing in`, () => {
      const reasons = { 'sign-up': [{ code } as Reason] } as unknown as Candidacy['reasons']
      assert.equal(reasonsAgainstStandIn({ reasons }).length, isAgainst ? 1 : 0)
    })
  }
})

test('planners agree if the settings say so or if they choose among requests', () => {
  assert.equal(needsAgreement('planner', false), true)
  assert.equal(needsAgreement('at_once', true), true)
  assert.equal(needsAgreement('at_once', false), false)
})

describe('a place that a stand-in is looked for', () => {
  type Answer = 'yes' | 'no' | null
  const CASES: [state: StandInState, answer: Answer, isTaker: boolean, start: Date, expected: string][] = [
    ['open', null, false, after(1), 'open'],
    ['open', 'no', false, after(1), 'declined'],
    ['open', null, false, NOW, 'expired'],
    ['open', 'no', false, NOW, 'expired'],
    ['found', 'yes', true, after(1), 'found'],
    ['found', null, false, after(1), 'filled'],
    ['done', 'yes', true, after(1), 'taken'],
    ['done', 'yes', false, after(1), 'filled'],
    ['done', 'no', true, after(1), 'filled'],
    ['done', null, false, after(1), 'filled'],
    ['expired', null, false, after(1), 'expired'],
    ['cancelled', null, false, NOW, 'gone'],
    ['refused', 'yes', true, after(1), 'gone'],
    ['undone', 'yes', true, after(1), 'gone'],
  ]
  for (const [state, answer, isTaker, start, expected] of CASES) {
    test(`${state}, answer ${answer}${isTaker ? ', taker' : ''}, start ${start.toISOString()}: ${expected}`, () =>
      assert.equal(judgeStandIn({ state, answer, start, isTaker }, NOW), expected))
  }
})
