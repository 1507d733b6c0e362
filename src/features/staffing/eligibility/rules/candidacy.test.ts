import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '#features/events/questionnaires/rules.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Span } from '#platform/time-span.ts'
import { judgeCandidacy, type OwnRecord, participantOf, type SignupFacts, type SignupShift, UNKNOWN_PERSON } from './candidacy.ts'

const MEDIC = 1
const DOCTOR = 2
const at = (hour: number, day = 4) => new Date(Date.UTC(2031, 4, day, hour))
const moment = { now: at(8, 1), timeZone: 'UTC' }

const question = (id: number, more: Partial<Question> = {}): Question => ({
  id,
  name: `Question ${id}`,
  text: '?',
  description: '',
  isRequired: true,
  kind: 'text',
  choices: [],
  usesSavedAnswers: true,
  ...more,
})
const SHIFT: SignupShift = {
  id: 1,
  eventId: 5,
  isActive: true,
  isCancelled: false,
  meeting: at(7),
  start: at(8),
  end: at(12),
  flowSlug: 'request_confirm',
  flowConfiguration: {},
  structureSlug: 'uniform',
  structureConfiguration: {},
  requiredByType: [],
  questions: [],
  waitingList: { mode: 'closed', isDue: false, waiting: 0, own: null },
  oldestBirth: '1990-01-01',
}
const SETTINGS: SignupFacts['settings'] = {
  unknownAgeBlocks: false,
  expiringWarns: false,
  limits: [],
  toleranceMinutes: 0,
  hasWaitingLists: false,
}
const record = (more: Partial<OwnRecord> = {}): OwnRecord => ({
  id: 7,
  shiftId: 1,
  state: STATE.requested,
  individualStart: null,
  individualEnd: null,
  start: at(8),
  end: at(12),
  structureData: {},
  ...more,
})

type Situation = {
  shift?: Partial<SignupShift>
  person?: Partial<SignupFacts['person']>
  settings?: Partial<SignupFacts['settings']>
  own?: OwnRecord
  more?: Partial<SignupFacts>
  chosen?: Span
  now?: Date
}
function judge({ shift, person, settings, own, more, chosen, now = moment.now }: Situation = {}) {
  const facts: SignupFacts = {
    who: { kind: 'local', id: 3 },
    settings: { ...SETTINGS, ...settings },
    person: { ...UNKNOWN_PERSON, ...person },
    shifts: new Map([[1, { ...SHIFT, ...shift }]]),
    own: new Map(own ? [[1, own]] : []),
    answers: new Map(),
    engagements: [],
    people: new Map(),
    inclusions: new Map([
      [MEDIC, new Set([MEDIC])],
      [DOCTOR, new Set([DOCTOR, MEDIC])],
    ]),
    blocks: new Map(),
    ...more,
  }
  return judgeCandidacy(facts, 1, { ...moment, now }, chosen)!
}
const codes = (some: readonly { code: string }[]) => some.map(({ code }) => code)
const refusals = (situation: Situation) => codes(judge(situation).reasons['sign-up'])

const NEEDS_MEDIC = { structureConfiguration: { required_qualification_ids: [MEDIC] } }
const INSTANT = { flowSlug: 'instant_confirmation' }
const FULL = { structureConfiguration: { maximum_number_of_participants: 1 } }
const others = new Map([[1, [{ participationId: 8, state: STATE.confirmed, skills: new Set<number>(), structureData: {} }]]])

describe('what a person can do about a shift', () => {
  test('a shift that is not among the facts cannot be judged', () => {
    const { shift: _shift, ...rest } = judge()
    assert.equal(rest.canSignUp, true)
    const empty = { shifts: new Map() } as unknown as SignupFacts
    assert.equal(judgeCandidacy(empty, 1, moment), undefined)
  })

  for (const [what, situation, expected] of [
    ['a request', {}, STATE.requested],
    ['without a request stage', { shift: INSTANT }, STATE.confirmed],
    ['a guest whose address is not confirmed', { shift: INSTANT, person: { isProvisional: true } }, STATE.requested],
    ['a flow that cannot be read', { shift: { flowConfiguration: { signup_until: 'soon' } } }, STATE.requested],
  ] satisfies [string, Situation, number][])
    test(`the state after a sign-up: ${what}`, () => assert.equal(judge(situation).signupState, expected))

  const CASES: [what: string, situation: Situation, expected: string[]][] = [
    ['nothing in the way', {}, []],
    ['a cancelled event', { shift: { isCancelled: true } }, ['event_cancelled']],
    ['an event that is not active', { shift: { isActive: false } }, ['event_not_active']],
    ['an unknown structure', { shift: { structureSlug: 'circus' } }, ['configuration_broken']],
    ['a qualification that the type of event needs', { shift: { requiredByType: [MEDIC] } }, ['type_not_qualified']],
    ['a qualification that the shift needs', { shift: NEEDS_MEDIC }, ['not_qualified']],
    ['the qualification is held', { shift: NEEDS_MEDIC, person: { grants: [{ id: MEDIC, until: null }] } }, []],
    ['a higher one is held', { shift: NEEDS_MEDIC, person: { grants: [{ id: DOCTOR, until: null }] } }, []],
    ['it is held until the end', { shift: NEEDS_MEDIC, person: { grants: [{ id: MEDIC, until: at(12) }] } }, []],
    ['it expires before the start', { shift: NEEDS_MEDIC, person: { grants: [{ id: MEDIC, until: at(7) }] } }, ['not_qualified']],
    ['a full shift where people ask', { shift: FULL, more: { people: others } }, []],
    ['a full shift without a request stage', { shift: { ...INSTANT, ...FULL }, more: { people: others } }, ['full']],
    [
      'a full shift with the request of a guest whose address is not confirmed',
      { shift: { ...INSTANT, ...FULL }, more: { people: others }, person: { isProvisional: true } },
      [],
    ],
    ['signed up already', { own: record() }, ['already_in']],
    [
      'a limit of a group of the person',
      { settings: { limits: [{ kind: 'hours_per_week', value: 1, blocks: true, groupId: 4 }] }, person: { groupIds: [4] } },
      ['limit_week'],
    ],
    ['a limit of another group', { settings: { limits: [{ kind: 'hours_per_week', value: 1, blocks: true, groupId: 4 }] } }, []],
  ]
  for (const [what, situation, expected] of CASES)
    test(`sign-up, ${what}: ${expected.join(', ') || 'possible'}`, () => assert.deepEqual(refusals(situation), expected))

  test('a shift that follows this one is no conflict', () => {
    const engagement = { shiftId: 2, eventId: 5, eventTitle: 'Fair', start: at(8), end: at(12) }
    const judged = (leaderShiftId: string | null) => refusals({ more: { engagements: [{ ...engagement, leaderShiftId }] } })
    assert.deepEqual([judged(null), judged('1'), judged('3')], [['conflict'], [], ['conflict']])
  })

  test('the facts of the judgement are handed on', () => {
    const own = record({ structureData: { preferred_team_uuid: 'a' } })
    const candidacy = judge({ own, settings: { hasWaitingLists: true }, more: { people: others } })
    assert.deepEqual(candidacy.applicant, {
      participationId: 7,
      state: STATE.requested,
      skills: new Set(),
      structureData: { preferred_team_uuid: 'a' },
    })
    assert.deepEqual([candidacy.own, candidacy.hasWaitingLists, candidacy.input.people], [own, true, others.get(1)])
    assert.deepEqual(candidacy.eligibilityInput.stored, { start: at(8), end: at(12) })
    const fresh = judge()
    assert.deepEqual([fresh.applicant.structureData, fresh.input.people, fresh.eligibilityInput.stored], [{}, [], undefined])
  })
})

describe('a qualification that a guest has declared', () => {
  const declared = { grants: [{ id: MEDIC, until: null, isDeclared: true }] }
  const shift = { ...INSTANT, ...NEEDS_MEDIC }
  const CASES: [what: string, situation: Situation, signUp: string[], customize: string[], state: number][] = [
    ['is enough to ask', { shift, person: declared }, [], ['not_in'], STATE.requested],
    ['is enough to change a request', { shift, person: declared, own: record() }, ['already_in'], [], STATE.requested],
    [
      'is not enough to change a place',
      { shift, person: declared, own: record({ state: STATE.confirmed }) },
      ['already_in', 'not_qualified'],
      ['may_not_leave', 'not_qualified'],
      STATE.confirmed,
    ],
    [
      'another one is missing',
      { shift: { ...shift, requiredByType: [9] }, person: declared },
      ['type_not_qualified'],
      ['not_in', 'type_not_qualified'],
      STATE.requested,
    ],
    ['nobody needs it', { shift: INSTANT, person: declared }, [], ['not_in'], STATE.confirmed],
    ['it was confirmed', { shift, person: { grants: [{ id: MEDIC, until: null }] } }, [], ['not_in'], STATE.confirmed],
  ]
  for (const [what, situation, signUp, customize, state] of CASES)
    test(what, () => {
      const { reasons, signupState } = judge(situation)
      assert.deepEqual([codes(reasons['sign-up']), codes(reasons.customize), signupState], [signUp, customize, state])
    })
})

describe('a place that belongs to the waiting list', () => {
  const line = (more: Partial<SignupShift['waitingList']> = {}) => ({
    shift: { ...INSTANT, waitingList: { mode: 'automatic' as const, isDue: true, waiting: 1, own: null, ...more } },
  })
  const entry = (state: string) => ({ own: { id: 1, state, position: 1, offeredUntil: null, passedOver: null } })
  const CASES: [what: string, situation: Situation, expected: string[]][] = [
    ['for others it is taken', line(), ['full']],
    ['nobody waits for it', line({ isDue: false }), []],
    ['it was offered to the person', line(entry('offered')), []],
    ['the person waits', line(entry('waiting')), ['full']],
    ['people ask for places', { shift: { ...line().shift, flowSlug: 'request_confirm' } }, []],
    ['the person is confirmed already', { ...line(), own: record({ state: STATE.confirmed }) }, ['already_in']],
    ['other reasons are not hidden', { shift: { ...line().shift, ...NEEDS_MEDIC } }, ['not_qualified']],
  ]
  for (const [what, situation, expected] of CASES) test(what, () => assert.deepEqual(refusals(situation), expected))
})

describe('a qualification that expires during the shift', () => {
  const expiring = (...hours: number[]): Situation => ({
    shift: NEEDS_MEDIC,
    person: { grants: hours.map((hour) => ({ id: MEDIC, until: at(hour) })) },
  })
  const fixed = { ...NEEDS_MEDIC, flowConfiguration: { user_can_customize_signup_times: false } }

  const CASES: [what: string, situation: Situation, refused: string[], earlierEnd: Date | undefined][] = [
    ['the person may end earlier', expiring(10), [], at(10)],
    ['at the latest time that is possible', expiring(9, 11, 10), [], at(11)],
    ['not before the shift begins', expiring(8), ['not_qualified'], undefined],
    ['it is enough for the whole shift', expiring(12), [], undefined],
    ['times are fixed', { ...expiring(10), shift: fixed }, ['not_qualified'], undefined],
    ['times were chosen', { ...expiring(10), chosen: { start: at(8), end: at(11) } }, ['not_qualified'], undefined],
    ['earlier times were chosen', { ...expiring(10), chosen: { start: at(8), end: at(10) } }, [], undefined],
    [
      'the person has earlier times',
      { ...expiring(10), own: record({ state: STATE.declinedByUser, end: at(10), individualEnd: at(10) }) },
      [],
      undefined,
    ],
    [
      'a second qualification is missing',
      { ...expiring(10), shift: { ...NEEDS_MEDIC, requiredByType: [9] } },
      ['type_not_qualified', 'not_qualified'],
      undefined,
    ],
    ['the organisation only warns', { ...expiring(10), settings: { expiringWarns: true } }, [], undefined],
    [
      'the organisation only warns, and it has expired already',
      { ...expiring(10), settings: { expiringWarns: true }, now: at(11) },
      [],
      at(10),
    ],
  ]
  for (const [what, situation, refused, earlierEnd] of CASES)
    test(what, () => {
      const { reasons, earlierEnd: found, formReasons, needsForm } = judge(situation)
      assert.deepEqual([codes(reasons['sign-up']), found], [refused, earlierEnd])
      assert.equal(needsForm, earlierEnd !== undefined)
      assert.deepEqual(formReasons, earlierEnd ? [{ code: 'qualified_until', at: earlierEnd }] : [])
    })

  for (const [what, situation, expected] of [
    ['the organisation only warns', { ...expiring(10), settings: { expiringWarns: true } }, ['qualification_expires']],
    ['it is held until the end', { ...expiring(12), settings: { expiringWarns: true } }, []],
    ['it is not held at all', { shift: NEEDS_MEDIC, settings: { expiringWarns: true } }, []],
    ['the shift is over', { ...expiring(10), settings: { expiringWarns: true }, now: at(12) }, []],
  ] satisfies [string, Situation, string[]][])
    test(`warning, ${what}: ${expected.length}`, () => assert.deepEqual(codes(judge(situation).warnings), expected))
})

describe('what is asked on the form', () => {
  test('questions without an answer need the form', () => {
    const questions = [question(1), question(2), question(3, { isRequired: false })]
    const asked = judge({ shift: { questions }, person: { savedAnswers: { 2: 'saved' } } })
    assert.equal(asked.needsForm, true)
    assert.deepEqual(asked.formReasons, [{ code: 'answers_needed', names: ['Question 1'] }])
    assert.deepEqual(
      asked.questions.map(({ initial }) => initial),
      [undefined, 'saved', undefined],
    )
  })
  test('answers that were given do not', () => {
    const answered = judge({ shift: { questions: [question(1)] }, more: { answers: new Map([[1, { 1: 'yes', 9: 'old' }]]) } })
    assert.deepEqual([answered.needsForm, answered.formReasons], [false, []])
    assert.deepEqual(answered.answers, { 1: 'yes', 9: 'old' })
  })

  const teams = (count: number, isRequired = true) => ({
    structureSlug: 'named_teams',
    structureConfiguration: {
      choose_preferred_team: isRequired,
      teams: [...Array(count).keys()].map((index) => ({ uuid: `t${index}`, title: `Team ${index}` })),
    },
  })
  for (const [what, situation, expected] of [
    ['two teams', { shift: teams(2) }, true],
    ['only one team', { shift: teams(1) }, false],
    ['the team is optional', { shift: teams(2, false) }, false],
    ['it was chosen', { shift: teams(2), own: record({ structureData: { preferred_team_uuid: 't1' } }) }, false],
    ['no team fits', { shift: { ...teams(0), structureConfiguration: unfitTeams() } }, false],
  ] satisfies [string, Situation, boolean][])
    test(`a team has to be chosen, ${what}: ${expected}`, () => {
      const { needsForm, formReasons, wish } = judge(situation)
      assert.equal(needsForm, expected)
      assert.deepEqual(codes(formReasons), expected ? ['wish_needed'] : [])
      assert.equal(wish?.kind, 'team')
    })
  function unfitTeams() {
    return { choose_preferred_team: true, teams: ['a', 'b'].map((uuid) => ({ uuid, title: uuid, qualification: MEDIC })) }
  }
})

describe('times of the person', () => {
  const cannot = { availability: { weekly: [], periods: [], busy: [{ fromMs: at(10).getTime(), untilMs: at(11).getTime() }] } }
  const CASES: [what: string, situation: Situation, expected: string[]][] = [
    ['nothing was said', {}, []],
    ['the person cannot', { person: cannot }, ['not_available']],
    ['chosen times are free', { person: cannot, chosen: { start: at(8), end: at(10) } }, []],
    ['stored times are free', { person: cannot, own: record({ end: at(10) }) }, []],
    ['the person is confirmed', { person: cannot, own: record({ state: STATE.confirmed }) }, []],
  ]
  for (const [what, situation, expected] of CASES)
    test(`availability, ${what}`, () => assert.deepEqual(codes(judge(situation).warnings), expected))
  test('what the person said is handed on', () => assert.equal(judge({ person: cannot }).availability, 'cannot'))

  const OUTSIDE: [what: string, own: OwnRecord | undefined, toleranceMinutes: number, expected: boolean][] = [
    ['nobody', undefined, 0, false],
    ['no individual times', record({ end: at(13) }), 0, false],
    ['an end within the shift', record({ end: at(11), individualEnd: at(11) }), 0, false],
    ['an end after the shift', record({ end: at(13), individualEnd: at(13) }), 0, true],
    ['a start before the meeting', record({ start: at(6), individualStart: at(6) }), 0, true],
    ['an end within the tolerance', record({ end: at(13), individualEnd: at(13) }), 60, false],
  ]
  for (const [what, own, toleranceMinutes, expected] of OUTSIDE)
    test(`individual times after the shift was moved, ${what}: ${expected ? 'outside' : 'fine'}`, () => {
      const situation: Situation = { settings: { toleranceMinutes }, ...(own ? { own } : {}) }
      assert.equal(judge(situation).areTimesOutside, expected)
    })
})

describe('who takes part', () => {
  for (const [actor, expected] of [
    [
      { kind: 'user', userId: 1 },
      { kind: 'local', id: 1 },
    ],
    [
      { kind: 'visitor', visitorId: 2 },
      { kind: 'visitor', id: 2 },
    ],
    [
      { kind: 'guest', guestId: 3 },
      { kind: 'guest', id: 3 },
    ],
    [{ kind: 'partner' }, undefined],
    [{ kind: 'anonymous' }, undefined],
  ] as const)
    test(`${actor.kind}: ${expected?.kind ?? 'nobody'}`, () =>
      assert.deepEqual(participantOf(actor as unknown as Actor), expected))
})
