import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noAddress } from '#platform/no-address.ts'
import {
  bundlesIn,
  canSignIn,
  chooseMailboxes,
  countSoftFailure,
  deriveUsername,
  type Editor,
  endOfDay,
  expiryAfter,
  getAgeOn,
  getDayOfAge,
  getEditorRights,
  getValidity,
  groupState,
  isMinorOn,
  isUnreachable,
  isUnseen,
  loosePermissions,
  mayChangeEmail,
  mayChangeStaff,
  mayCloseAccount,
  membershipsAfter,
  permissionsAfter,
  personState,
  refuseGuardianship,
  splitGroups,
  type Target,
  USERNAME,
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

test('the age counts completed years', () => {
  for (const [born, day, age] of [
    ['2015-06-04', '2031-06-03', 15],
    ['2015-06-04', '2031-06-04', 16],
    ['2015-06-04', '2031-12-31', 16],
    ['2016-02-29', '2031-02-28', 14],
  ] as const)
    assert.equal(getAgeOn(born, day), age, `${born} ${day}`)
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

describe('a user name', () => {
  const NAMES: [name: string, username: string][] = [
    ['Mia Keller', 'mia.keller'],
    ['Jürgen Groß', 'juergen.gross'],
    ['Änne Löwe', 'aenne.loewe'],
    ['Søren Ærø', 'soren.aero'],
    ['Åsa Đorđe', 'asa.dorde'],
    ['Łucja Œil', 'lucja.oeil'],
    ['Renée Nuñez', 'renee.nunez'],
    ['  O’Neill,  Kim ! ', 'o.neill.kim'],
    ['3 Jo', 'person'],
    ['42. Ida', 'ida'],
    ['Al', 'person'],
    ['Ali', 'ali'],
    ['李小龙', 'person'],
    ['Abcdefghij Abcdefghij Abcdefghij', 'abcdefghij.abcdefghij.abcdefgh'],
  ]
  for (const [name, username] of NAMES)
    test(`of ${name} is ${username}`, () => {
      assert.equal(
        deriveUsername(name, () => false),
        username,
      )
      assert.match(username, USERNAME)
    })
  test('gets a number if others have it', () => {
    const taken = new Set(['mia.keller', 'mia.keller2'])
    assert.equal(
      deriveUsername('Mia Keller', (name) => taken.has(name)),
      'mia.keller3',
    )
    taken.delete('mia.keller2')
    assert.equal(
      deriveUsername('Mia Keller', (name) => taken.has(name)),
      'mia.keller2',
    )
  })
})

describe('an account', () => {
  const without = noAddress('x')
  const CASES: [what: string, email: string, username: string | null, contactEmail: string | null, is: [boolean, boolean]][] = [
    ['with an address', 'ann@a.example', null, null, [true, false]],
    ['with an address and a user name', 'ann@a.example', 'ann', null, [true, false]],
    ['with an address and another one for mails', 'ann@a.example', null, 'office@a.example', [true, false]],
    ['with a user name', without, 'ann', null, [true, true]],
    ['with an address for mails only', without, null, 'office@a.example', [false, false]],
    ['with none of these', without, null, null, [false, true]],
  ]
  for (const [what, email, username, contactEmail, [signsIn, unreachable]] of CASES)
    test(`${what} can ${signsIn ? '' : 'not '}sign in and is ${unreachable ? 'un' : ''}reachable`, () => {
      assert.equal(canSignIn({ email, username }), signsIn)
      assert.equal(isUnreachable({ email, contactEmail }), unreachable)
    })
})

describe('a guardianship', () => {
  const today = '2031-05-01'
  const guardian = { userId: 1, dateOfBirth: '1990-01-01', isActive: true, isServiceAccount: false, hasGuardian: false }
  const child = {
    userId: 2,
    dateOfBirth: '2020-01-01',
    isGuardian: false,
    isStaff: false,
    isSuperuser: false,
    isServiceAccount: false,
    permissionCount: 0,
  }
  type Change = { guardian?: Partial<typeof guardian>; child?: Partial<typeof child>; endsAtAge?: boolean; exists?: boolean }
  const CASES: [what: string, change: Change, refusal: string | undefined][] = [
    ['of a child', {}, undefined],
    ['of oneself', { child: { userId: 1 } }, 'same_person'],
    ['by a person who was deactivated', { guardian: { isActive: false } }, 'guardian_unknown'],
    ['by a service account', { guardian: { isServiceAccount: true } }, 'guardian_unknown'],
    ['by a person who is 18 today', { guardian: { dateOfBirth: '2013-05-01' } }, undefined],
    ['by a person who is 18 tomorrow', { guardian: { dateOfBirth: '2013-05-02' } }, 'guardian_minor'],
    ['by a person who has a guardian', { guardian: { hasGuardian: true } }, 'guardian_has_guardian'],
    ['of an administrator', { child: { isStaff: true } }, 'child_has_powers'],
    ['of a superuser', { child: { isSuperuser: true } }, 'child_has_powers'],
    ['of a service account', { child: { isServiceAccount: true } }, 'child_has_powers'],
    ['of a person with a permission', { child: { permissionCount: 1 } }, 'child_has_powers'],
    ['of a guardian', { child: { isGuardian: true } }, 'child_is_guardian'],
    ['of a person who is 18 tomorrow', { child: { dateOfBirth: '2013-05-02' } }, undefined],
    ['of a person who is 18 today', { child: { dateOfBirth: '2013-05-01' } }, 'child_adult'],
    ['of an adult, if it does not end', { child: { dateOfBirth: '2000-01-01' }, endsAtAge: false }, undefined],
    ['of a person of unknown age', { child: { dateOfBirth: null as never } }, undefined],
    ['that exists', { exists: true }, 'exists'],
  ]
  for (const [what, { guardian: by, child: of, endsAtAge = true, exists = false }, refusal] of CASES)
    test(`${what}: ${refusal ?? 'possible'}`, () => {
      assert.equal(refuseGuardianship({ ...guardian, ...by }, { ...child, ...of }, { today, endsAtAge, exists }), refusal)
    })
})

describe('mails for a child', () => {
  const person = (id: number, name: string, email: string | null, contactEmail: string | null = null) => ({
    id,
    name,
    language: 'en',
    email: email ?? noAddress('x'),
    isReachable: email !== null,
    contactEmail,
  })
  const mum = person(2, 'Mum', 'mum@a.example')
  const dad = person(3, 'Dad', null, 'home@a.example')
  const aunt = person(4, 'Aunt', null)
  const own = { email: 'mia@a.example', name: 'Mia', language: 'en', about: undefined, isGuardian: false, ownerId: 1 }
  const shared = { email: 'Home@a.example', name: 'Mia', language: 'en', about: 'Mia', isGuardian: false, ownerId: undefined }
  const toMum = { email: 'mum@a.example', name: 'Mum', language: 'en', about: 'Mia', isGuardian: true, ownerId: 2 }
  const toDad = { email: 'home@a.example', name: 'Dad', language: 'en', about: 'Mia', isGuardian: true, ownerId: undefined }
  const withAddress = person(1, 'Mia', 'mia@a.example', 'home@a.example')
  const atHome = person(1, 'Mia', null, 'Home@a.example')
  const withoutAddress = person(1, 'Mia', null)
  const CASES: [what: string, ...of: Parameters<typeof chooseMailboxes>, boxes: object[]][] = [
    ['news, with an own address', withAddress, [mum, dad, aunt], 'news', [own, toMum, toDad]],
    ['news, with a shared address that a guardian reads', atHome, [mum, dad], 'news', [toMum, toDad]],
    ['news, with a shared address', atHome, [mum], 'news', [toMum, shared]],
    ['news, without an address', withoutAddress, [mum], 'news', [toMum]],
    ['news, without an address and guardians', withoutAddress, [], 'news', []],
    ['access, with an own address', withAddress, [mum, dad], 'access', [own]],
    ['access, with a shared address', atHome, [mum, dad], 'access', [shared]],
    ['access, without an address', withoutAddress, [mum, dad], 'access', [toMum, toDad]],
    [
      'news, if a guardian has the same address',
      person(1, 'Mia', 'MUM@a.example'),
      [mum],
      'news',
      [{ ...own, email: 'MUM@a.example' }],
    ],
  ]
  for (const [what, child, guardians, purpose, boxes] of CASES)
    test(what, () => assert.deepEqual(chooseMailboxes(child, guardians, purpose), boxes))
})

describe('temporary failures of an address', () => {
  const now = new Date('2031-05-20T10:00:00Z')
  const before = (days: number, ms = 0) => new Date(now.getTime() - days * 86_400_000 - ms)
  const stored = (since: Date | null, last: Date | null, count: number) => ({
    soft_since: since,
    soft_last_at: last,
    soft_count: count,
  })
  const CASES: [what: string, stored: ReturnType<typeof stored> | undefined, since: Date, count: number, isEnough: boolean][] = [
    ['the first one', undefined, now, 1, false],
    ['the first one after the address worked', stored(null, null, 5), now, 1, false],
    ['without the time of the last one', stored(before(9), null, 5), now, 1, false],
    ['the third one after four days', stored(before(4), before(1), 2), before(4), 3, true],
    ['the third one in less than four days', stored(before(4, -1), before(1), 2), before(4, -1), 3, false],
    ['the second one after four days', stored(before(4), before(4), 1), before(4), 2, false],
    ['the last one was 14 days ago', stored(before(20), before(14), 2), before(20), 3, true],
    ['the last one was longer ago', stored(before(20), before(14, 1), 2), now, 1, false],
  ]
  for (const [what, failures, since, count, isEnough] of CASES)
    test(what, () => assert.deepEqual(countSoftFailure(failures, now), { since, count, isEnough }))
})

test('months count from the local day of the end, to the end of a day', () => {
  // 23:30 in Berlin on 30 November; February has no 30th day.
  const end = new Date('2031-11-30T22:30:00Z')
  assert.deepEqual(expiryAfter(end, 3, 'Europe/Berlin'), new Date('2032-02-29T22:59:59.999Z'))
})
