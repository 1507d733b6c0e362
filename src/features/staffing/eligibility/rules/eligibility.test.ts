import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Engagement, type Reason, STATE } from '#features/staffing/staffing/rules/model.ts'
import { helpFor, isUnfit } from '#features/staffing/staffing/rules/reasons.ts'
import type { Limit } from '#features/staffing/working-time-limits/rules.ts'
import { type EligibilityInput, judgeEligibility, reasonsForForm, warnOfConfirmed } from './eligibility.ts'

const at = (hour: number, day = 4) => new Date(Date.UTC(2031, 4, day, hour))
const busy = (from: number, to: number, shiftId = 99): Engagement => ({
  shiftId,
  eventId: 9,
  eventTitle: 'Fair',
  start: at(from),
  end: at(to),
})
const signupRules = {
  hasRequestStage: true,
  selfServiceRefusal: undefined,
  opensAt: null,
  closesAt: at(12),
  canDeclineConfirmed: true,
  canChooseTimes: true,
  lateChangesFrom: null,
  maxCompanions: 0,
}
const settings = { unknownAgeBlocks: false, expiringWarns: false, toleranceMinutes: 0 }
const open: EligibilityInput = {
  now: at(8, 1),
  timeZone: 'Europe/Berlin',
  event: { isActive: true, isCancelled: false },
  shift: { id: 1, start: at(8), end: at(12), oldestBirth: '1990-01-01' },
  signupRules,
  structure: { minimumAge: null, reasons: [], isWishNeeded: false },
  requiredByType: new Set(),
  person: { dateOfBirth: '1990-01-01', skills: new Set() },
  state: undefined,
  chosen: undefined,
  stored: undefined,
  engagements: [],
  settings,
  limits: [],
  verdicts: [],
}

const rule = { message: 'extension.mine.no', values: { count: 3 }, isWarning: false }

type Row = [title: string, changes: Partial<EligibilityInput>, signUp: string[], decline: string[], customize?: string[]]
const TABLE: Row[] = [
  ['nothing in the way', {}, [], [], ['not_in']],
  ['an event that is not active', { event: { isActive: false, isCancelled: false } }, ['event_not_active'], ['event_not_active']],
  ['a cancelled event', { event: { isActive: true, isCancelled: true } }, ['event_cancelled'], ['event_cancelled']],
  ['a rule of an extension', { verdicts: [rule] }, ['added_rule'], [], ['not_in']],
  ['a rule of an extension that only warns', { verdicts: [{ ...rule, isWarning: true }] }, [], [], ['not_in']],
  ['a flow that cannot be read', { signupRules: undefined }, ['configuration_broken'], ['configuration_broken']],
  ['a structure that cannot be read', { structure: undefined }, ['configuration_broken'], ['configuration_broken']],
  ['a rejected person', { state: 3 }, ['rejected'], ['rejected'], ['rejected']],
  ['a declined person', { state: 2 }, [], ['already_declined']],
  ['a request', { state: 0 }, ['already_in'], [], []],
  ['a confirmed person', { state: 1 }, ['already_in'], [], []],
  [
    'a confirmed person who may not leave',
    { state: 1, signupRules: { ...signupRules, canDeclineConfirmed: false } },
    ['already_in'],
    ['may_not_leave'],
    ['may_not_leave'],
  ],
  ['before the opening', { signupRules: { ...signupRules, opensAt: at(9, 1) } }, ['not_open_yet'], ['not_open_yet']],
  ['at the opening', { signupRules: { ...signupRules, opensAt: at(8, 1) } }, [], []],
  ['at the closing', { now: at(12) }, [], []],
  ['after the closing', { now: new Date(at(12).getTime() + 1) }, ['closed'], ['closed']],
  [
    'a flow without self-service',
    { signupRules: { ...signupRules, selfServiceRefusal: { code: 'follows_other_shift' } } },
    ['follows_other_shift'],
    ['follows_other_shift'],
  ],
  [
    'what the type of event asks for',
    { requiredByType: new Set([1, 2]), person: { dateOfBirth: null, skills: new Set([2]) } },
    ['type_not_qualified'],
    [],
  ],
  [
    'what the structure says',
    { structure: { minimumAge: null, reasons: [{ code: 'full' }], isWishNeeded: false } },
    ['full'],
    [],
  ],
  ['another shift at the same time', { engagements: [busy(7, 13)] }, ['conflict'], []],
  ['this shift itself', { engagements: [busy(8, 12, 1)], state: 1 }, ['already_in'], [], []],
  ['a shift that ends when this begins', { engagements: [busy(6, 8)] }, [], []],
  ['a shift that begins when this ends', { engagements: [busy(12, 14)] }, [], []],
  [
    'an overlap where times are fixed',
    { engagements: [busy(6, 9)], signupRules: { ...signupRules, canChooseTimes: false } },
    ['conflict'],
    [],
  ],
  ['an overlap where times can be chosen', { engagements: [busy(6, 9)] }, [], []],
  ['chosen times that overlap', { engagements: [busy(6, 9)], chosen: { start: at(8), end: at(10) } }, ['conflict'], []],
  ['chosen times that are free', { engagements: [busy(6, 9)], chosen: { start: at(9), end: at(12) } }, [], []],
  [
    'every reason at once',
    {
      now: at(13),
      state: 3,
      requiredByType: new Set([1]),
      engagements: [busy(7, 13)],
      structure: { minimumAge: 50, reasons: [{ code: 'full' }], isWishNeeded: false },
    },
    ['rejected', 'closed', 'type_not_qualified', 'too_young', 'full', 'conflict'],
    ['rejected', 'closed'],
  ],
]

const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('eligibility', () => {
  for (const [title, changes, signUp, decline, customize] of TABLE)
    test(title, () => {
      const found = judgeEligibility({ ...open, ...changes })
      assert.deepEqual([codes(found.reasons['sign-up']), codes(found.reasons.decline)], [signUp, decline])
      if (customize) assert.deepEqual(codes(found.reasons.customize), customize)
      assert.deepEqual([found.canSignUp, found.canDecline], [!signUp.length, !decline.length])
    })

  test('an event or a shift that does not work prevents every move', () => {
    const broken: [Partial<EligibilityInput>, string][] = [
      [{ event: { isActive: true, isCancelled: true } }, 'event_cancelled'],
      [{ structure: undefined }, 'configuration_broken'],
      [{ signupRules: { ...signupRules, selfServiceRefusal: { code: 'follows_other_shift' } } }, 'follows_other_shift'],
      [{ now: at(13) }, 'closed'],
    ]
    for (const [changes, code] of broken)
      for (const [move, state] of [
        ['sign-up', undefined],
        ['decline', 0],
        ['customize', 0],
        ['take-place', 0],
      ] as const) {
        const { reasons } = judgeEligibility({ ...open, state, ...changes })
        assert.ok(codes(reasons[move]).includes(code), `${move}: ${code}`)
      }
  })

  test('what the person lacks prevents taking part, but not declining; limits do not prevent changes of details with the same times', () => {
    const limits = [{ kind: 'hours_per_week', value: 1, blocks: true }] as const
    const { reasons } = judgeEligibility({ ...open, state: 0, limits, requiredByType: new Set([1]), engagements: [busy(7, 13)] })
    assert.deepEqual(codes(reasons.decline), [])
    assert.deepEqual(codes(reasons.customize), ['type_not_qualified', 'conflict'])
    const other = ['type_not_qualified', 'conflict', 'limit_week']
    assert.deepEqual(
      [codes(reasons['sign-up']), codes(reasons['take-place'])],
      [
        ['already_in', ...other],
        ['already_in', ...other],
      ],
    )
  })

  test('the shift itself does not count for limits', () => {
    const limits = [{ kind: 'hours_per_week', value: 6, blocks: true }] as const
    assert.equal(judgeEligibility({ ...open, limits, engagements: [busy(8, 12, 1)] }).canSignUp, true)
    assert.equal(judgeEligibility({ ...open, limits, engagements: [busy(14, 18, 2)] }).canSignUp, false)
  })

  test('a team that has to be chosen needs the form, until it is chosen there', () => {
    const structure = { minimumAge: null, reasons: [], isWishNeeded: true }
    const asked = { ...open, structure }
    assert.equal(judgeEligibility(asked).needsForm, true)
    assert.deepEqual(codes(reasonsForForm(asked)), ['wish_needed'])
    const chosen = { ...asked, chosen: { start: at(8), end: at(12) } }
    assert.equal(judgeEligibility(chosen).needsForm, false)
    assert.deepEqual(reasonsForForm(chosen), [])
  })

  test('distinguishes reasons about the person from reasons about the moment', () => {
    const unfit = judgeEligibility({ ...open, requiredByType: new Set([1]) })
    const late = judgeEligibility({ ...open, now: at(13) })
    assert.deepEqual([unfit.isFit, late.isFit], [false, true])
    assert.deepEqual(
      [unfit, late].map(({ reasons }) => isUnfit(reasons['sign-up'][0]!)),
      [true, false],
    )
    assert.equal(helpFor(late.reasons['sign-up'][0]!), 'ask_responsible')
  })

  test('from 8 to 12 busy: 12 to 18 is free, 11 to 14 needs the form, 10 to 11 is refused', () => {
    const asked = (from: number, to: number) =>
      judgeEligibility({ ...open, shift: { ...open.shift, start: at(from), end: at(to) }, engagements: [busy(8, 12)] })
    const verdictOf = ([from, to]: [number, number]) => [asked(from, to).canSignUp, asked(from, to).needsForm]
    assert.deepEqual(
      (
        [
          [12, 18],
          [11, 14],
          [10, 11],
        ] as [number, number][]
      ).map(verdictOf),
      [
        [true, false],
        [true, true],
        [false, false],
      ],
    )
  })

  test('a one-click sign-up is judged by the times of the shift, also if other times are stored', () => {
    const situation = { ...open, state: 2 as const, stored: { start: at(10), end: at(12) }, engagements: [busy(6, 9)] }
    assert.equal(judgeEligibility(situation).needsForm, true)
    assert.deepEqual(codes(reasonsForForm(situation)), ['partial_conflict'])
  })

  for (const [born, zone, fits] of [
    ['2013-05-04', 'Europe/Berlin', true],
    ['2013-05-05', 'Europe/Berlin', false],
    // The shift begins at 8:00 UTC, which is the day before or after in these zones.
    ['2013-05-03', 'Pacific/Pago_Pago', true],
    ['2013-05-04', 'Pacific/Pago_Pago', false],
    [null, 'Europe/Berlin', true],
  ] as const)
    test(`18 years on the day of the shift, born ${born}, in ${zone}: ${fits}`, () => {
      const structure = { minimumAge: 18, reasons: [], isWishNeeded: false }
      const person = { dateOfBirth: born, skills: new Set<number>() }
      assert.equal(judgeEligibility({ ...open, structure, person, timeZone: zone }).canSignUp, fits)
    })

  test('an unknown age blocks if the setting says so', () => {
    const structure = { minimumAge: 18, reasons: [], isWishNeeded: false }
    const person = { dateOfBirth: null, skills: new Set<number>() }
    const found = judgeEligibility({ ...open, structure, person, settings: { ...settings, unknownAgeBlocks: true } })
    assert.deepEqual([codes(found.reasons['sign-up']), found.isFit], [['age_unknown'], false])
  })

  test('a short rest is a warning, not a reason', () => {
    const limit = { kind: 'rest_hours', value: 11, blocks: false } as const
    const rested = { ...open, limits: [limit], engagements: [busy(14, 16), busy(23, 24)] }
    const { canSignUp, warnings } = judgeEligibility(rested)
    assert.equal(canSignUp, true)
    assert.deepEqual(warnings, [{ code: 'short_rest', hours: 2, with: busy(14, 16) }])
    assert.deepEqual(judgeEligibility({ ...rested, limits: [] }).warnings, [])
  })

  test('a limit that blocks is a reason that is not about the person, and spares people who are confirmed', () => {
    const limits = [
      { kind: 'rest_hours', value: 11, blocks: true },
      { kind: 'hours_per_week', value: 5, blocks: true },
    ] as const
    const found = judgeEligibility({ ...open, limits, engagements: [busy(14, 16)] })
    assert.deepEqual(found.reasons['sign-up'], [
      { code: 'limit_rest', minimum: 11, hours: 2, with: busy(14, 16) },
      { code: 'limit_week', limit: 5, actual: 6 },
    ])
    assert.deepEqual([found.isFit, found.reasons.decline, found.warnings], [true, [], []])
    const confirmed = judgeEligibility({ ...open, limits, engagements: [busy(14, 16)], state: 1 })
    assert.deepEqual(codes(confirmed.reasons['sign-up']), ['already_in'])
    assert.deepEqual(confirmed.warnings, [])
    assert.deepEqual(warnOfConfirmed({ ...open, limits, engagements: [busy(14, 16)], state: 1 }), [
      { code: 'short_rest', hours: 2, with: busy(14, 16) },
      { code: 'limit_week', limit: 5, actual: 6 },
    ])
    for (const state of [undefined, 0, 2, 3] as const)
      assert.deepEqual(warnOfConfirmed({ ...open, limits, engagements: [busy(14, 16)], state }), [])
  })

  const REST = { kind: 'rest_hours', value: 11, blocks: true } as const
  const WEEK = { kind: 'hours_per_week', value: 6, blocks: true } as const
  const span = (from: number, to: number) => ({ start: at(from), end: at(to) })
  const later = (limit: Limit, chosen: EligibilityInput['chosen'], engagement = busy(18, 21)) => ({
    limits: [limit],
    stored: span(8, 10),
    chosen,
    engagements: [engagement],
  })
  const TIMES: [what: string, changes: Partial<EligibilityInput>, expected: Reason[]][] = [
    ['exceed a limit that they kept', later(WEEK, span(8, 12)), [{ code: 'limit_week', limit: 6, actual: 7 }]],
    ['reach a limit', later(WEEK, span(8, 11)), []],
    ['exceed a limit as before', later(REST, span(7, 10)), []],
    [
      'exceed a limit further than before',
      later(REST, span(8, 12)),
      [{ code: 'limit_rest', minimum: 11, hours: 6, with: busy(18, 21) }],
    ],
    ['exceed a limit less than before', later(REST, span(8, 9)), []],
    [
      'are near another shift than before',
      { ...later(REST, span(8, 12)), engagements: [busy(-3, -2, 98), busy(21, 23, 97)] },
      [{ code: 'limit_rest', minimum: 11, hours: 9, with: busy(21, 23, 97) }],
    ],
    ['exceed a limit that only warns', later({ ...WEEK, blocks: false }, span(8, 12)), []],
    ['are not chosen', later(WEEK, undefined), []],
  ]
  for (const [what, changes, expected] of TIMES)
    for (const state of [STATE.requested, STATE.confirmed])
      test(`other times that ${what}, in state ${state}: ${expected.length ? 'refused' : 'allowed'}`, () =>
        assert.deepEqual(judgeEligibility({ ...open, ...changes, state }).reasons.customize, expected))

  const night = (day: number) => ({ start: at(21, day), end: at(4, day + 1) })
  const LIMITS: [kind: Limit['kind'], value: number, changes: Partial<EligibilityInput>, expected: object][] = [
    ['hours_per_week', 3, {}, { code: 'limit_week', limit: 3, actual: 4 }],
    [
      'nights_in_row',
      1,
      { shift: { ...open.shift, ...night(4) }, engagements: [{ ...busy(0, 1), ...night(3) }] },
      { code: 'limit_nights', limit: 1, actual: 2 },
    ],
    ['minor_hours_per_day', 2, {}, { code: 'limit_minor_day', limit: 2, actual: 4 }],
    // The shift ends at 14:00 in Berlin.
    ['minor_latest_hour', 13, {}, { code: 'limit_minor_hour', limit: 13, actual: 13 }],
  ]
  for (const [kind, value, changes, expected] of LIMITS)
    test(`a limit is a reason or a warning: ${kind}`, () => {
      const person = { dateOfBirth: '2016-01-01', skills: new Set<number>() }
      const judged = (blocks: boolean) =>
        judgeEligibility({ ...open, now: at(0, 1), person, ...changes, limits: [{ kind, value, blocks }] })
      assert.deepEqual([judged(true).reasons['sign-up'], judged(true).warnings], [[expected], []])
      assert.deepEqual([judged(false).reasons['sign-up'], judged(false).warnings], [[], [expected]])
    })

  test('one reason about the person is enough to be unfit, among others', () => {
    const judged = judgeEligibility({ ...open, now: at(13), requiredByType: new Set([1]) })
    assert.deepEqual([codes(judged.reasons['sign-up']), judged.isFit], [['closed', 'type_not_qualified'], false])
  })

  test('a minimum age of one year counts', () => {
    const person = { dateOfBirth: '2031-01-01', skills: new Set<number>() }
    const structure = { minimumAge: 1, reasons: [], isWishNeeded: false }
    assert.deepEqual(codes(judgeEligibility({ ...open, person, structure }).reasons['sign-up']), ['too_young'])
  })

  test('limits for minors ask for the age on the day of the shift, and for an adult', () => {
    const limits = [{ kind: 'minor_accompanied', value: 1, blocks: true }] as const
    const shift = { ...open.shift, oldestBirth: null }
    for (const [dateOfBirth, expected] of [
      ['2013-05-04', []],
      ['2013-05-05', ['limit_minor_alone']],
      [null, []],
    ] as const) {
      const person = { dateOfBirth, skills: new Set<number>() }
      assert.deepEqual(codes(judgeEligibility({ ...open, limits, shift, person }).reasons['sign-up']), expected)
      assert.deepEqual(codes(judgeEligibility({ ...open, limits, person }).reasons['sign-up']), [])
    }
  })

  for (const [start, zone, hasAdult] of [
    // Both are 4 May in UTC, and the oldest becomes 18 on 5 May.
    ['2031-05-04T21:59:59Z', 'Europe/Berlin', false],
    ['2031-05-04T22:00:00Z', 'Europe/Berlin', true],
    // Both are 5 May in UTC.
    ['2031-05-05T03:59:59Z', 'America/New_York', false],
    ['2031-05-05T04:00:00Z', 'America/New_York', true],
  ] as const)
    test(`who becomes 18 on the day of the shift counts as adult from midnight in ${zone}: ${start} ${hasAdult}`, () => {
      const limits = [{ kind: 'minor_accompanied', value: 1, blocks: true }] as const
      const shift = { ...open.shift, start: new Date(start), oldestBirth: '2013-05-05' }
      const person = { dateOfBirth: '2015-01-01', skills: new Set<number>() }
      const judged = judgeEligibility({ ...open, limits, shift, person, timeZone: zone })
      assert.deepEqual(codes(judged.reasons['sign-up']), hasAdult ? [] : ['limit_minor_alone'])
    })
})
