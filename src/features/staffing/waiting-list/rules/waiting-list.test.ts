import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Reason, ReasonCode } from '#features/staffing/staffing/rules/model.ts'
import {
  type EntryState,
  isOnlyFull,
  judgeOffer,
  offerEnd,
  ownWaitingListOf,
  WAITING_LIST_MODES,
  whyPassedOver,
} from './waiting-list.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const HOUR = 3_600_000
const after = (hours: number): Date => new Date(NOW.getTime() + hours * HOUR)

describe('an offer is held', () => {
  const endOf = (start: number, closesAt = start, hours = 24): number | undefined => {
    const end = offerEnd(NOW, { start: after(start), closesAt: after(closesAt), hours, timeZone: 'UTC' })
    return end && (end.getTime() - NOW.getTime()) / HOUR
  }
  const CASES: [what: string, found: number | undefined, expected: number | undefined][] = [
    ['for the usual time', endOf(100), 24],
    ['until three hours before the shift', endOf(10), 7],
    ['for an hour at least', endOf(3.5), 1],
    ['until the start at most', endOf(0.5), 0.5],
    ['until sign-up closes', endOf(100, 2), 2],
    ['for 15 minutes', endOf(0.25), 0.25],
    ['for no shorter time', endOf(0.249), undefined],
    ['for as long as the settings say', endOf(100, 100, 3), 3],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.equal(found, expected))
})

describe('an offer does not end at night', () => {
  const CASES: [what: string, now: string, start: string, closes: string, expected: string][] = [
    ['but before it', '2030-01-10T15:59:00Z', '2030-01-14T12:00:00Z', '2030-01-14T12:00:00Z', '2030-01-10T21:59:00.000Z'],
    ['but an hour after it', '2030-01-10T16:00:00Z', '2030-01-14T12:00:00Z', '2030-01-14T12:00:00Z', '2030-01-11T08:00:00.000Z'],
    [
      'but three hours before the shift',
      '2030-01-10T18:00:00Z',
      '2030-01-11T11:00:00Z',
      '2030-01-11T11:00:00Z',
      '2030-01-11T08:00:00.000Z',
    ],
    [
      'but in the evening before an early shift',
      '2030-01-10T18:00:00Z',
      '2030-01-11T10:59:00Z',
      '2030-01-11T10:59:00Z',
      '2030-01-10T22:00:00.000Z',
    ],
    [
      'but an hour before the shift, if the evening is short',
      '2030-01-10T21:30:00Z',
      '2030-01-11T08:30:00Z',
      '2030-01-11T08:30:00Z',
      '2030-01-11T07:30:00.000Z',
    ],
    [
      'but when sign-up closes then',
      '2030-01-10T21:30:00Z',
      '2030-01-11T08:30:00Z',
      '2030-01-11T07:10:00Z',
      '2030-01-11T07:10:00.000Z',
    ],
    [
      'unless sign-up closes at night',
      '2030-01-10T21:30:00Z',
      '2030-01-14T12:00:00Z',
      '2030-01-11T01:00:00Z',
      '2030-01-11T01:00:00.000Z',
    ],
  ]
  for (const [what, now, start, closes, expected] of CASES)
    test(what, () => {
      const times = { start: new Date(start), closesAt: new Date(closes), hours: 6, timeZone: 'UTC' }
      assert.equal(offerEnd(new Date(now), times)?.toISOString(), expected)
    })
})

const reasonsOf = (...codes: ReasonCode[]): Candidacy['reasons'] =>
  ({ 'sign-up': codes.map((code) => ({ code }) as Reason) }) as unknown as Candidacy['reasons']
const INSTANT = { hasRequestStage: false } as Candidacy['signupRules']
const REQUEST = { hasRequestStage: true } as Candidacy['signupRules']

describe('a shift is only full', () => {
  const CASES: [what: string, facts: Parameters<typeof isOnlyFull>[0], expected: boolean][] = [
    ['if nothing else speaks against a sign-up', { reasons: reasonsOf('full'), signupRules: INSTANT }, true],
    ['not if something else does', { reasons: reasonsOf('full', 'conflict'), signupRules: INSTANT }, false],
    ['not if a place is free', { reasons: reasonsOf(), signupRules: INSTANT }, false],
    ['not if planners choose', { reasons: reasonsOf('full'), signupRules: REQUEST }, false],
    ['not without sign-up', { reasons: reasonsOf('full'), signupRules: undefined }, false],
  ]
  for (const [what, facts, expected] of CASES) test(what, () => assert.equal(isOnlyFull(facts), expected))
})

describe('a person who waits is passed over', () => {
  const why = (codes: ReasonCode[], availability?: Candidacy['availability']) =>
    whyPassedOver({ reasons: reasonsOf(...codes), availability } as Parameters<typeof whyPassedOver>[0])
  const CASES: [what: string, found: string | undefined, expected: string | undefined][] = [
    ['by no means if they fit', why([]), undefined],
    ['if they cannot come', why([], 'cannot'), 'not_available'],
    ['if the shift is full', why(['full']), 'full'],
    ['rather because of something else', why(['full', 'conflict']), 'conflict'],
    ['because of the first other reason', why(['conflict', 'full', 'too_young']), 'conflict'],
    ['by a reason before their availability', why(['conflict'], 'cannot'), 'conflict'],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.equal(found, expected))
})

describe('the waiting list as a person sees it', () => {
  type Own = NonNullable<Candidacy['shift']['waitingList']['own']>
  const own = (state: EntryState): Own =>
    ({ id: 3, state, position: 1, offeredUntil: '2030-01-10T14:00:00.000Z', passedOver: null }) as unknown as Own
  const waitingListFor = ({
    mode = 'automatic',
    hasWaitingLists = true,
    entry = undefined as Own | undefined,
    codes = ['full'] as ReasonCode[],
  }) =>
    ownWaitingListOf({
      shift: { id: 7, waitingList: { mode, waiting: 2, own: entry } },
      hasWaitingLists,
      reasons: reasonsOf(...codes),
      signupRules: INSTANT,
    } as unknown as Candidacy)
  const CASES: [what: string, given: Parameters<typeof waitingListFor>[0], canJoin: boolean][] = [
    ['is open if the shift is full', {}, true],
    ['is open if planners choose from it', { mode: 'manual' }, true],
    ['is closed by planners', { mode: 'closed' }, false],
    ['is switched off', { hasWaitingLists: false }, false],
    ['is not needed', { codes: [] }, false],
    ['has the person already', { entry: own('waiting') }, false],
    ['has offered a place', { entry: own('offered') }, false],
    ['is open again after an answer', { entry: own('declined') }, true],
  ]
  for (const [what, given, canJoin] of CASES) test(what, () => assert.equal(waitingListFor(given).canJoin, canJoin))

  test('shows the own entry', () => {
    assert.deepEqual(waitingListFor({ entry: own('offered') }), {
      shiftId: 7,
      canJoin: false,
      waiting: 2,
      own: { id: 3, state: 'offered', position: 1, offeredUntil: after(2), passedOver: null },
    })
    const withoutEnd = { ...own('waiting'), offeredUntil: null } as Own
    assert.equal(waitingListFor({ entry: withoutEnd }).own?.offeredUntil, null)
    assert.equal(waitingListFor({}).own, undefined)
  })
  test('has three modes', () => assert.deepEqual(WAITING_LIST_MODES, ['automatic', 'manual', 'closed']))
})

describe('an offer', () => {
  const CASES: [state: EntryState, offeredUntil: Date | null, expected: string][] = [
    ['offered', after(1), 'open'],
    ['offered', NOW, 'expired'],
    ['offered', null, 'expired'],
    ['expired', after(1), 'expired'],
    ['accepted', after(1), 'answered'],
    ['declined', after(1), 'answered'],
    ['withdrawn', after(1), 'withdrawn'],
    ['waiting', after(1), 'withdrawn'],
  ]
  for (const [state, offeredUntil, expected] of CASES) {
    test(`${state} until ${offeredUntil?.toISOString()} is ${expected}`, () =>
      assert.equal(judgeOffer({ state, offeredUntil }, NOW), expected))
  }
})
