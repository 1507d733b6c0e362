import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  bundlesIn,
  type Editor,
  endOfDay,
  getAgeOn,
  getDayOfAge,
  getEditorRights,
  getValidity,
  groupState,
  isMinorOn,
  isUnseen,
  loosePermissions,
  mayChangeEmail,
  mayChangeStaff,
  mayCloseAccount,
  membershipsAfter,
  permissionsAfter,
  personState,
  splitGroups,
  type Target,
} from './rules.ts'

const editor = (facts: Partial<Editor> = {}): Editor => ({
  userId: 1,
  isStaff: false,
  isSuperuser: false,
  groupIds: [],
  mayChangeGroups: false,
  permissions: new Set<string>(),
  ...facts,
})
const target = (facts: Partial<Target> = {}): Target => ({
  userId: 2,
  isStaff: false,
  isSuperuser: false,
  groupIds: [],
  ownPermissions: [],
  ...facts,
})
const HR = editor({ groupIds: [7] })
const STAFF = editor({ isStaff: true })
const OPERATOR = editor({ isStaff: true, isSuperuser: true })

describe('changing an e-mail address requires every right of the account', () => {
  const CASES: [string, Editor, Target, boolean][] = [
    ['the owner', editor(), target({ userId: 1, isStaff: true }), true],
    ['staff, of a volunteer', STAFF, target({ groupIds: [1, 2] }), true],
    ['staff, of other staff', STAFF, target({ isStaff: true }), true],
    ['staff, of an operator', STAFF, target({ isSuperuser: true }), false],
    ['an operator, of an operator', OPERATOR, target({ isSuperuser: true }), true],
    ['somebody who changes groups, of a volunteer', editor({ mayChangeGroups: true }), target({ groupIds: [3] }), true],
    ['somebody who changes groups, of staff', editor({ mayChangeGroups: true }), target({ isStaff: true }), false],
    ['somebody in all groups of the other', HR, target({ groupIds: [7] }), true],
    ['somebody in some groups of the other', HR, target({ groupIds: [7, 8] }), false],
    ['somebody in all groups, of staff', HR, target({ groupIds: [7], isStaff: true }), false],
    ['of somebody in no group', HR, target(), true],
    ['of somebody with a permission of their own', HR, target({ ownPermissions: ['view_journal'] }), false],
  ]
  for (const [who, by, of, may] of CASES) test(`${who}: ${may}`, () => assert.equal(mayChangeEmail(by, of), may))
})

describe('only administrators close accounts of administrators and appoint them', () => {
  const CASES: [Editor, Target, boolean][] = [
    [HR, target(), true],
    [HR, target({ isStaff: true }), false],
    [STAFF, target({ isStaff: true }), true],
    [STAFF, target({ isSuperuser: true }), false],
    [OPERATOR, target({ isSuperuser: true }), true],
  ]
  for (const [by, of, may] of CASES)
    test(`${JSON.stringify([by.isStaff, by.isSuperuser, of])}: ${may}`, () => assert.equal(mayCloseAccount(by, of), may))
  test('only staff may change the staff flag', () => {
    assert.deepEqual(
      [HR, STAFF, OPERATOR].map((by) => mayChangeStaff(by, target())),
      [false, true, true],
    )
    assert.equal(mayChangeStaff(STAFF, target({ isSuperuser: true })), false)
  })
})

describe('memberships', () => {
  test('in groups of others stay unchanged', () => {
    assert.deepEqual(membershipsAfter(HR, [5, 7], []), [5])
    assert.deepEqual(membershipsAfter(HR, [5], [7]), [5, 7])
    assert.deepEqual(membershipsAfter(HR, [5], [5, 7]), [5, 7])
  })
  test('in groups of others cannot be added', () => assert.equal(membershipsAfter(HR, [], [5]), undefined))
  test('are unrestricted with the permission to change groups', () => {
    assert.deepEqual(membershipsAfter(editor({ mayChangeGroups: true }), [5], [9, 8]), [8, 9])
  })
})

describe('bundles', () => {
  const BUNDLES = { planning: ['add', 'delete'], all: ['add', 'delete', 'view'], blocks: ['blocks'] }
  test('need all of their permissions', () => {
    assert.deepEqual(bundlesIn(BUNDLES, ['add', 'delete']), ['planning'])
    assert.deepEqual(bundlesIn(BUNDLES, ['add']), [])
  })
  test('keep permissions outside of the bundles of the group', () => {
    assert.deepEqual(loosePermissions(BUNDLES, ['add', 'view']), ['add', 'view'])
    assert.deepEqual(permissionsAfter(BUNDLES, ['add', 'odd'], ['blocks']), ['add', 'blocks', 'odd'])
    assert.deepEqual(permissionsAfter(BUNDLES, ['add', 'delete', 'odd'], []), ['odd'])
    assert.deepEqual(permissionsAfter(BUNDLES, ['add', 'delete', 'view'], ['planning']), ['add', 'delete'])
  })
  test('that are unknown add no permissions', () => assert.deepEqual(permissionsAfter(BUNDLES, [], ['root']), []))
})

describe('dates and CSV', () => {
  test('a day ends in the given time zone, also when clocks change', () => {
    assert.equal(endOfDay('2031-03-30', 'Europe/Berlin').toISOString(), '2031-03-30T21:59:59.999Z')
    assert.equal(endOfDay('2031-10-26', 'Europe/Berlin').toISOString(), '2031-10-26T22:59:59.999Z')
    assert.equal(endOfDay('2031-12-31', 'Pacific/Auckland').toISOString(), '2031-12-31T10:59:59.999Z')
  })
  test('people count as unseen after half a year, new people do not', () => {
    const now = new Date('2031-05-01T10:00:00Z')
    const old = new Date('2030-10-01T00:00:00Z')
    const late = new Date('2031-04-01T00:00:00Z')
    assert.deepEqual(
      [isUnseen(old, old, now), isUnseen(late, old, now), isUnseen(null, old, now), isUnseen(null, late, now)],
      [true, false, true, false],
    )
  })
})

test('the day on which a person reaches an age', () => {
  for (const [born, age, day] of [
    ['2015-06-04', 16, '2031-06-04'],
    ['2016-02-29', 16, '2032-02-29'],
    ['2015-12-31', 16, '2031-12-31'],
    ['2016-02-29', 15, '2031-03-01'],
  ] as const) {
    assert.equal(getDayOfAge(born, age), day)
    assert.equal(getAgeOn(born, day), age)
  }
})

describe('minors', () => {
  for (const [born, is] of [
    ['2013-05-02', true],
    ['2013-05-01', false],
    ['1980-01-01', false],
    [null, false],
  ] as const)
    test(`born on ${born}: ${is}`, () => assert.equal(isMinorOn(born, '2031-05-01'), is))
})

describe('a qualification', () => {
  const now = new Date('2031-05-01T10:00:00Z')
  const inDays = (days: number, ms = 0) => new Date(now.getTime() + days * 86_400_000 + ms)
  const TABLE: [what: string, expiresAt: Date | null, validity: string][] = [
    ['without an end', null, 'valid'],
    ['that has ended', inDays(0, -1), 'expired'],
    ['that ends now', now, 'soon'],
    ['that ends in 60 days', inDays(60), 'soon'],
    ['that ends later', inDays(60, 1), 'valid'],
  ]
  for (const [what, expiresAt, validity] of TABLE)
    test(`${what} is ${validity}`, () => assert.equal(getValidity(expiresAt, now), validity))
})

test('people are unseen after 183 days', () => {
  const now = new Date('2031-05-01T10:00:00Z')
  const before = (ms: number) => new Date(now.getTime() - 183 * 86_400_000 - ms)
  assert.deepEqual(
    [isUnseen(before(0), now, now), isUnseen(before(1), now, now), isUnseen(null, before(1), now)],
    [false, true, true],
  )
})

test('pages offer what the commands accept', () => {
  assert.equal(getEditorRights(editor(), target({ userId: 1 })).closeRefusal, 'self')
  assert.equal(getEditorRights(editor(), target()).closeRefusal, undefined)
  assert.equal(getEditorRights(editor(), target({ isStaff: true })).closeRefusal, 'administrator')
  const groups = [1, 2, 3].map((id) => ({ id, name: `Group ${id}` }))
  assert.deepEqual(splitGroups(editor({ groupIds: [1] }), groups, [1, 2]), { open: [groups[0]], locked: ['Group 2'] })
  assert.deepEqual(splitGroups(editor({ mayChangeGroups: true }), groups, [1, 2]), { open: groups, locked: [] })
})

test('the state of a form does not depend on the order of groups, and differs by every field', () => {
  const person = {
    name: 'Ann',
    email: 'ann@a.example',
    dateOfBirth: null,
    phone: null,
    language: 'en',
    groupIds: [10, 9],
    isStaff: false,
    isVisible: true,
  } as const
  const state = personState(person as never)
  assert.equal(personState({ ...person, groupIds: [9, 10] } as never), state)
  for (const change of [
    { name: 'B' },
    { email: 'b' },
    { dateOfBirth: '2000-01-01' },
    { phone: '1' },
    { language: 'de' },
    { groupIds: [9] },
    { isStaff: true },
    { isVisible: false },
  ])
    assert.notEqual(personState({ ...person, ...change } as never), state)
  const group = { name: 'A', permissions: ['view_user'], publishFor: [1], decideHoursFor: [2] }
  for (const change of [{ name: 'B' }, { permissions: [] }, { publishFor: [] }, { decideHoursFor: [] }])
    assert.notEqual(groupState({ ...group, ...change }), groupState(group))
})
