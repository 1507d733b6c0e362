import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLapse, holdsPlace, type Lapse, type PlaceBasis } from './lapses.ts'
import { STATE, type State } from './model.ts'

test('a confirmed person lapses by leaving the group or losing a qualification', () => {
  const basis = (wasQualified: boolean, hasLeftGroup: boolean): PlaceBasis => ({ wasQualified, hasLeftGroup })
  const CASES: [what: string, basis: PlaceBasis | undefined, isQualified: boolean | undefined, lapse: Lapse | undefined][] = [
    ['qualified as before', basis(true, false), true, undefined],
    ['not qualified any more', basis(true, false), false, 'unqualified'],
    ['confirmed without being qualified', basis(false, false), false, undefined],
    ['the place needs nothing', basis(true, false), undefined, undefined],
    ['left the group', basis(true, true), true, 'left_group'],
    ['left the group and not qualified any more', basis(true, true), false, 'left_group'],
    ['nothing is remembered', undefined, false, undefined],
  ]
  for (const [what, of, isQualified, lapse] of CASES) assert.equal(findLapse(of, isQualified), lapse, what)
})

test('only confirmed people without a lapse hold a place', () => {
  const CASES: [state: State, lapse: Lapse | undefined, holds: boolean][] = [
    [STATE.confirmed, undefined, true],
    [STATE.confirmed, 'unqualified', false],
    [STATE.confirmed, 'left_group', false],
    [STATE.requested, undefined, false],
    [STATE.requested, 'left_group', false],
    [STATE.declinedByUser, undefined, false],
    [STATE.rejectedByResponsible, undefined, false],
    [STATE.gettingDispatched, undefined, false],
  ]
  for (const [state, lapse, holds] of CASES) assert.equal(holdsPlace({ state, lapse }), holds, `${state} ${lapse}`)
})
