import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkFlow, completeFlow, opensAfterClosing } from './flow-checks.ts'
import type { ShiftTimes } from './shift-times.ts'

const BERLIN = 'Europe/Berlin'
const START = new Date('2031-06-01T08:00:00Z')
const TIMES: ShiftTimes = { meeting: START, start: START, end: new Date('2031-06-01T12:00:00Z') }
type Configuration = Record<string, unknown>
const faultsOf = (slug: string, configuration: Configuration, times: ShiftTimes | undefined = TIMES) =>
  checkFlow(slug, configuration, { times, timeZone: BERLIN, leaders: new Set([7]), leaderRows: new Set([0]) }).map(
    ({ field, code }) => `${field}: ${code}`,
  )

describe('a sign-up flow from an API client', () => {
  const FLOWS: [what: string, slug: string, configuration: Configuration, expected: string[]][] = [
    ['a leader', 'coupled', { leader_shift_id: 7 }, []],
    ['a shift that cannot lead', 'coupled', { leader_shift_id: 8 }, ['leader_shift_id: no_leader']],
    ['no leader', 'coupled', {}, ['leader_shift_id: no_leader']],
    ['a leader that is created with it', 'coupled', { leader_shift_index: 0 }, []],
    ['a row that is not there', 'coupled', { leader_shift_index: 1, leader_shift_id: 7 }, ['leader_shift_index: no_leader']],
    ['deadlines that the flow does not have', 'manual', { signup_until: 'soon' }, []],
    ['deadlines of a flow from elsewhere', 'raffle', { signup_until: 'soon' }, []],
    ['no deadlines', 'request_confirm', {}, []],
    ['empty deadlines', 'request_confirm', { signup_from: '', signup_until: null, signup_until_rule: '' }, []],
    ['times and durations', 'instant_confirmation', { signup_from: 'P2D', signup_until: '2031-06-01T09:00' }, []],
    [
      'texts that are no times',
      'request_confirm',
      { signup_from: 'x', signup_until: 'P', late_change_asks_again: '2031-02-30T08:00' },
      ['signup_from: unreadable', 'signup_until: unreadable', 'late_change_asks_again: unreadable'],
    ],
    [
      'rules that are no durations',
      'request_confirm',
      { signup_from_rule: '2031-05-30T08:00', signup_until_rule: 'P1X' },
      ['signup_from_rule: unreadable', 'signup_until_rule: unreadable'],
    ],
    [
      'a year before the first',
      'request_confirm',
      { signup_from_rule: 'P800000D', signup_until: '-000001-06-01T08:00:00Z' },
      ['signup_from_rule: unreadable', 'signup_until: unreadable'],
    ],
    ['a year of five digits', 'request_confirm', { signup_until: '+010000-01-01T00:00:00Z' }, ['signup_until: unreadable']],
    ['closing a day after opening', 'request_confirm', { signup_from: 'P2D', signup_until: 'P1D' }, []],
    [
      'closing when it opens',
      'request_confirm',
      { signup_from: 'P1D', signup_until: 'P1D' },
      ['signup_from: opens_after_closing'],
    ],
    ['opening after the end', 'request_confirm', { signup_from: '2031-06-01T12:30:00Z' }, ['signup_from: opens_after_closing']],
    ['opening in the middle, without a deadline', 'request_confirm', { signup_from: '2031-06-01T10:00:00Z' }, []],
    [
      'a rule that replaces a time',
      'request_confirm',
      { signup_from: 'P1D', signup_until: 'P3D', signup_until_rule: 'PT1H' },
      [],
    ],
  ]
  for (const [what, slug, configuration, expected] of FLOWS)
    test(`${expected.length ? 'is refused' : 'is accepted'}: ${what}`, () =>
      assert.deepEqual(faultsOf(slug, configuration), expected))

  test('without the times of the shift, only texts are checked', () => {
    const check = (configuration: Configuration) =>
      checkFlow('request_confirm', configuration, {
        times: undefined,
        timeZone: BERLIN,
        leaders: new Set(),
        leaderRows: new Set(),
      }).map(({ code }) => code)
    assert.deepEqual(check({ signup_from: 'P1D', signup_until: 'P2D' }), [])
    assert.deepEqual(check({ signup_from: 'x' }), ['unreadable'])
  })

  test('a sign-up that always was open, or never closes, is not in the wrong order', () => {
    assert.deepEqual(
      [
        [null, START],
        [START, null],
        [START, START],
        [START, TIMES.end],
      ].map(([opens, closes]) => opensAfterClosing(opens!, closes!)),
      [false, false, true, false],
    )
  })

  const DEFAULTS = { signup_until: null, user_can_decline_confirmed: false, user_can_customize_signup_times: true }
  const COMPLETED: [what: string, slug: string, configuration: Configuration, expected: Configuration][] = [
    ['the keys that the form writes', 'request_confirm', {}, DEFAULTS],
    [
      'nothing that was sent',
      'instant_confirmation',
      { user_can_decline_confirmed: true, user_can_customize_signup_times: false, user_can_bring: 2 },
      { ...DEFAULTS, user_can_decline_confirmed: true, user_can_customize_signup_times: false, user_can_bring: 2 },
    ],
    [
      'a rule instead of the time',
      'request_confirm',
      { signup_until: '2031-06-01T08:00:00Z', signup_until_rule: 'P3D', signup_from_rule: 'P2W' },
      { ...DEFAULTS, signup_until: 'P3D', signup_from: 'P2W' },
    ],
    [
      'an empty rule does not replace the time',
      'request_confirm',
      { signup_until: 'P1D', signup_until_rule: '' },
      { ...DEFAULTS, signup_until: 'P1D' },
    ],
    [
      'the offset of a time',
      'request_confirm',
      { signup_until: '2031-05-30T18:00', late_change_asks_again: '2031-05-29T16:00:00Z' },
      { ...DEFAULTS, signup_until: '2031-05-30T18:00:00+02:00', late_change_asks_again: '2031-05-29T18:00:00+02:00' },
    ],
    [
      'null for an empty time; texts that are no times stay for the check',
      'request_confirm',
      { signup_from: '', signup_until: 'soon' },
      { ...DEFAULTS, signup_from: null, signup_until: 'soon' },
    ],
    ['an explanation', 'manual', {}, { no_selfservice_explanation: '' }],
    [
      'the line ends of an explanation',
      'manual',
      { no_selfservice_explanation: ' Call\r\nus ', odd: 1 },
      { no_selfservice_explanation: 'Call\nus', odd: 1 },
    ],
    ['no text for an explanation that is none', 'manual', { no_selfservice_explanation: 5 }, { no_selfservice_explanation: 5 }],
    ['nothing to other flows', 'coupled', { leader_shift_id: 7 }, { leader_shift_id: 7 }],
  ]
  for (const [what, slug, configuration, expected] of COMPLETED)
    test(`is stored with ${what}`, () => assert.deepEqual(completeFlow(slug, configuration, BERLIN), expected))
})
