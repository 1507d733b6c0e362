import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReasonCode } from './model.ts'
import { helpFor, isUnfit } from './reasons.ts'

const reason = (code: ReasonCode) => ({ code }) as Parameters<typeof helpFor>[0]

describe('what helps against a reason', () => {
  const HELP: Record<string, ReasonCode[]> = {
    'another shift, or the responsible people': ['too_young', 'full'],
    'the responsible people, because they can make an exception': [
      'configuration_broken',
      'rejected',
      'may_not_leave',
      'no_self_service',
      'leader_missing',
      'closed',
      'type_not_qualified',
      'not_qualified',
      'age_unknown',
      'limit_week',
      'limit_nights',
      'limit_minor_day',
      'limit_minor_hour',
      'limit_minor_alone',
      'added_rule',
      'times_fixed',
    ],
    'the other shift': ['conflict', 'limit_rest'],
    'nothing but the text': [
      'event_cancelled',
      'already_in',
      'not_open_yet',
      'follows_other_shift',
      'answer_missing',
      'wish_needed',
    ],
  }
  const NAMES = ['other_ways', 'ask_responsible', 'see_other_shift', undefined]
  for (const [index, [what, codes]] of Object.entries(HELP).entries())
    for (const code of codes) test(`${code}: ${what}`, () => assert.equal(helpFor(reason(code)), NAMES[index]))
})

test('only reasons about age and qualifications say that the person does not fit', () => {
  for (const code of ['type_not_qualified', 'not_qualified', 'too_young', 'age_unknown'] as const)
    assert.equal(isUnfit(reason(code)), true, code)
  for (const code of ['full', 'conflict', 'closed', 'qualified_until', 'limit_week'] as const)
    assert.equal(isUnfit(reason(code)), false, code)
})
