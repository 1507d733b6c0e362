import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReasonCode, State } from '#features/staffing/staffing/rules/model.ts'
import type { Changes, StoredChanges } from '#platform/journal/kinds.ts'
import { countPlaces, invertChanges, isUndoable, type ParticipationValues, reasonsAgainstReturn, stateBefore } from './undo.ts'

const [NINE, TEN] = [new Date('2031-05-04T09:00Z'), new Date('2031-05-04T10:00Z')]

describe('the participation before an action', () => {
  const now = { state: 1 as State, times: { start: NINE, end: null }, structureData: { wish: 'a' } }
  const CASES: [what: string, changes: Changes<ParticipationValues>, before: ReturnType<typeof stateBefore>][] = [
    ['there was none', { state: [null, 1] }, undefined],
    ['fields without a change stay', { state: [2, 1] }, { ...now, state: 2 }],
    ['the state stays', { structure_data: [{ wish: 'b' }, { wish: 'a' }] }, { ...now, structureData: { wish: 'b' } }],
    [
      'times are stored as texts',
      { individual_start_time: [TEN.toISOString(), NINE.toISOString()], individual_end_time: [TEN.toISOString(), null] },
      { ...now, times: { start: TEN, end: TEN } },
    ],
    ['there were no times', { individual_start_time: [null, NINE.toISOString()] }, { ...now, times: { start: null, end: null } }],
  ]
  for (const [what, changes, before] of CASES) test(what, () => assert.deepEqual(stateBefore(changes, now), before))
})

test('people undo what they did themselves, and not the undoing', () => {
  for (const action of ['signed_up', 'declined', 'customized']) assert.ok(isUndoable(`participation.${action}`), action)
  for (const kind of ['participation.undone', 'participation.moved', 'shift.changed']) assert.ok(!isUndoable(kind), kind)
})

test('only confirmed participations take a place', () => {
  assert.equal(countPlaces([{ state: 1 }, { state: 0 }, undefined, { state: 1 }, { state: 2 }]), 2)
})

test('pairs of an entry are inverted, other values are left out', () => {
  const changes: StoredChanges<'participation.moved'> = { state: [0, 1], cause: 'x', comment_id: 3, companions: { removed: [1] } }
  assert.deepEqual(invertChanges(changes), { state: [1, 0] })
  assert.deepEqual(changes.state, [0, 1])
})

describe('returning to a place', () => {
  const AGAINST: ReasonCode[] = ['event_not_active', 'event_cancelled', 'configuration_broken', 'conflict', 'partial_conflict']
  const codes = (state: State | undefined, reasons: ReasonCode[], facts: Parameters<typeof reasonsAgainstReturn>[2]) =>
    reasonsAgainstReturn(
      state === undefined ? undefined : { state, times: { start: null, end: null }, structureData: {} },
      reasons.map((code) => ({ code }) as never),
      facts,
    ).map(({ code }) => code)
  const free = { isTaken: false }
  const taken = { isTaken: true }
  test('is prevented by reasons of the shift and by other shifts, not by deadlines and skills', () => {
    assert.deepEqual(codes(1, [...AGAINST, 'closed', 'not_qualified', 'too_young'], free), AGAINST)
    for (const code of AGAINST) assert.deepEqual(codes(0, [code], free), [code])
  })
  const CASES: [what: string, state: State | undefined, facts: Parameters<typeof codes>[2], expected: string[]][] = [
    ['a confirmed place that is free', 1, free, []],
    ['a confirmed place that is taken', 1, taken, ['full']],
    ['a request needs no place', 0, taken, []],
    ['a request with confirmed companions', 0, { isTaken: true, hasCompanions: true }, ['full']],
    ['a request with companions and free places', 0, { isTaken: false, hasCompanions: true }, []],
    ['a declined participation', 2, { isTaken: true, hasCompanions: true }, []],
    ['no participation', undefined, { isTaken: true, hasCompanions: true }, []],
  ]
  for (const [what, state, facts, expected] of CASES) test(what, () => assert.deepEqual(codes(state, [], facts), expected))
  test('to a declined participation is always possible', () => assert.deepEqual(codes(2, AGAINST, taken), []))
})
