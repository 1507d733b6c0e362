import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RowInput } from './row.ts'
import { findReasonToKeep, type PresentPerson, type WrittenValues } from './undo.ts'
import {
  addressesOf,
  type Catalogue,
  canBeSamePerson,
  type ExistingPerson,
  findUnknownNames,
  type ImportRights,
  judgeRow,
  keysOf,
  type NameChoice,
  sharedKey,
} from './verdict.ts'

const row = (given: Partial<RowInput> = {}): RowInput => ({
  number: 2,
  name: 'Ann Lee',
  email: 'ann@a.example',
  birthDate: null,
  phone: null,
  isPhoneValid: true,
  language: null,
  groups: [],
  qualifications: [],
  problems: [],
  ...given,
})
const ann: ExistingPerson = {
  userId: 7,
  name: 'Ann Lee',
  birthDate: '1980-05-03',
  phone: '+49 40 12',
  language: 'en',
  isActive: true,
  isHidden: false,
  groupIds: [1],
  grants: [
    { qualificationId: 4, until: '2030-01-31', expiresAt: '2030-01-31T22:59:59Z', isExternal: false },
    { qualificationId: 5, until: null, expiresAt: null, isExternal: true },
  ],
}
const choices = (given: Record<string, NameChoice> = {}) => given
const catalogue = (more: Partial<Catalogue> = {}): Catalogue => ({
  groups: new Map([
    ['helpers', 1],
    ['board', 2],
  ]),
  groupNames: new Map([
    [1, 'Helpers'],
    [2, 'Board'],
  ]),
  groupChoices: {},
  qualifications: new Map([
    ['firstaid', 4],
    ['boat', 5],
    ['crane', 6],
  ]),
  qualificationNames: new Map([
    [4, 'First aid'],
    [5, 'Boat'],
    [6, 'Crane'],
  ]),
  qualificationChoices: {},
  ...more,
})
const all: ImportRights = { mayChange: true, mayAssign: () => true, mayCreateGroups: true, mayCreateQualifications: true }
const none: ImportRights = { mayChange: false, mayAssign: () => false, mayCreateGroups: false, mayCreateQualifications: false }
type Given = { person?: ExistingPerson; rights?: ImportRights; others?: RowInput[]; names?: Partial<Catalogue> }
const judge = (input: RowInput, { person, rights = all, others = [], names }: Given = {}) =>
  judgeRow(input, addressesOf([...others, input]), {
    catalogue: catalogue(names),
    rights,
    people: new Map(person ? [['ann@a.example', person]] : []),
  })

describe('rows with one address', () => {
  const ben = row({ number: 2, name: 'Ben Lee' })
  const judgeAll = (rows: RowInput[], people: Map<string, ExistingPerson>) => {
    const keyOf = keysOf(rows, people)
    const addresses = addressesOf(rows, keyOf)
    return rows.map((each) => judgeRow(each, addresses, { catalogue: catalogue(), rights: all, people, keyOf }))
  }

  test('of clearly different people are a family: the first keeps the address, the others share it', () => {
    const [first, second] = judgeAll([row({ number: 1 }), ben], new Map())
    assert.deepEqual([first!.verdict, first!.plan?.email, first!.plan?.contactEmail], ['new', row().email, undefined])
    assert.deepEqual([second!.verdict, second!.plan?.email, second!.plan?.contactEmail], ['new', undefined, row().email])
    assert.deepEqual(second!.changes, [{ field: 'contact', to: row().email }])
  })

  test('share the address of the person who has it, and are recognised by address and name', () => {
    const known = new Map([['ann@a.example', ann]])
    assert.equal(judgeAll([ben], known)[0]!.plan?.contactEmail, row().email)
    const shared = new Map([...known, [sharedKey('ANN@a.example', 'Ben Lee'), { ...ann, userId: 9, name: 'Ben Lee' }]])
    assert.deepEqual([judgeAll([ben], shared)[0]!.verdict, judgeAll([ben], shared)[0]!.userId], ['same', 9])
  })

  test('of one person with other data stay a conflict', () => {
    const rows = [row({ number: 1, phone: '+491' }), row({ number: 2, phone: '+492' })]
    assert.deepEqual(
      judgeAll(rows, new Map()).map(({ problems }) => problems[0]?.code),
      ['email_repeated', 'email_repeated'],
    )
  })
})

describe('the verdict about a row', () => {
  const held = (name: string, until: string | null) => ({ qualifications: [{ name, until }] })
  for (const [what, input, given, verdict, code] of [
    ['an unknown address', row(), {}, 'new'],
    ['a problem', row({ problems: [{ code: 'email_invalid' }] }), {}, 'error', 'email_invalid'],
    ['the same data', row({ birthDate: '1980-05-03', phone: '+494012', groups: ['helpers'] }), { person: ann }, 'same'],
    ['an address in other case', row({ email: 'ANN@a.example' }), { person: ann }, 'same'],
    ['no phone number', row({ phone: 'ask Ben', isPhoneValid: false }), {}, 'error', 'phone_invalid'],
    ['a stored number of another form', row({ phone: '+49-40-12', isPhoneValid: false }), { person: ann }, 'same'],
    ['another birth date', row({ birthDate: '1980-05-04' }), { person: ann }, 'updated'],
    ['a new group', row({ groups: ['Board'] }), { person: ann }, 'updated'],
    ['a held qualification', row(held('First Aid', null)), { person: ann }, 'same'],
    ['a later expiry', row(held('First Aid', '2031-01-31')), { person: ann }, 'updated'],
    ['an external qualification', row(held('Boat', '2031-01-31')), { person: ann }, 'error', 'qualification_external'],
    ['an unknown group', row({ groups: ['Band'] }), {}, 'error', 'group_unknown'],
    ['a group to create', row({ groups: ['Band'] }), { names: { groupChoices: choices({ band: 'create' }) } }, 'new'],
    ['a group to leave out', row({ groups: ['Band'] }), { names: { groupChoices: choices({ band: 'skip' }) } }, 'new'],
    ['a group to use', row({ groups: ['Band'] }), { names: { groupChoices: choices({ band: 2 }) } }, 'new'],
    ['a group that is gone', row({ groups: ['Band'] }), { names: { groupChoices: choices({ band: 9 }) } }, 'error', 'group_gone'],
    ['an unknown qualification', row(held('Pilot', null)), {}, 'error', 'qualification_unknown'],
    ['a group that the importer may not give', row({ groups: ['Board'] }), { rights: none }, 'error', 'group_locked'],
    [
      'a qualification that the importer may not give',
      row(held('Crane', null)),
      { rights: none },
      'error',
      'qualification_locked',
    ],
    [
      'a group that the importer may not create',
      row({ groups: ['Band'] }),
      { rights: none, names: { groupChoices: choices({ band: 'create' }) } },
      'error',
      'group_locked',
    ],
    ['a person whom the importer may not change', row(), { person: ann, rights: none }, 'conflict', 'person_locked'],
    ['a hidden account', row(), { person: { ...ann, isHidden: true } }, 'conflict', 'person_locked'],
    ['an inactive person', row({ phone: '+491' }), { person: { ...ann, isActive: false } }, 'conflict', 'person_inactive'],
    ['the data of an inactive person', row(), { person: { ...ann, isActive: false } }, 'same'],
    ['the address of another person', row({ name: 'Ben Lee' }), { person: ann }, 'conflict', 'person_other_name'],
    ['an address that a different row has', row(), { others: [row({ number: 1, name: 'Ben' })] }, 'conflict', 'email_repeated'],
    ['an address that a later row has', row(), { others: [row({ number: 9, name: 'Ben' })] }, 'conflict', 'email_repeated'],
    ['an equal row before', row(), { others: [row({ number: 1 })] }, 'same', 'row_repeated'],
    ['an equal row after', row(), { others: [row({ number: 3 })] }, 'new'],
  ] as [string, RowInput, Given, string, string?][])
    test(`with ${what} is ${verdict}`, () => {
      const found = judge(input, given)
      assert.deepEqual([found.verdict, found.problems[0]?.code], [verdict, code])
      assert.equal(found.plan !== undefined, verdict === 'new' || verdict === 'updated')
    })

  test('says what changes', () => {
    const input = row({ name: 'Ann Lee-Wong', phone: '040 99', groups: ['Board'], ...held('First aid', '2031-01-31') })
    assert.deepEqual(judge(input, { person: ann }).changes, [
      { field: 'name', from: 'Ann Lee', to: 'Ann Lee-Wong' },
      { field: 'phone', from: '+49 40 12', to: '040 99' },
      { field: 'group', to: 'Board' },
      { field: 'qualification', from: 'First aid (2030-01-31)', to: 'First aid (2031-01-31)' },
    ])
  })

  test('does not name a hidden account', () =>
    assert.equal(judge(row(), { person: { ...ann, isHidden: true } }).userId, undefined))

  test('unknown names are counted', () =>
    assert.deepEqual(
      findUnknownNames([row({ groups: ['Band', 'Helpers'] }), row({ groups: ['BAND'] }), row(held('Pilot', null))], catalogue()),
      [
        { kind: 'group', key: 'band', name: 'Band', count: 2 },
        { kind: 'qualification', key: 'pilot', name: 'Pilot', count: 1 },
      ],
    ))
})

for (const [present, wanted, isSame] of [
  ['Anna Müller', 'Anna Schmidt', true],
  ['Anna Müller', 'Müller Anna', true],
  ['Anna Müller', 'Anna-Maria Müller', true],
  ['Anna Müller', 'Anna Mueller', true],
  ['Hannelore Müller', 'Hanelore Müller', true],
  ['Anna Müller', 'Peter Müller', false],
  ['Anna Müller', 'Jan Kurz', false],
  ['Ann', 'Ben', false],
] as const)
  test(`${present} ${isSame ? 'can be' : 'is not'} ${wanted}`, () => assert.equal(canBeSamePerson(present, wanted), isSame))

describe('undo', () => {
  const written: WrittenValues = {
    profile: { display_name: [null, 'Ann'], phone: [null, null] },
    groups: [1],
    grants: [{ id: 4, after: '2030-01-31T22:59:59.999Z' }],
  }
  const present: PresentPerson = {
    display_name: 'Ann',
    email: 'a@b',
    date_of_birth: null,
    phone: null,
    preferred_language: 'en',
    groupIds: [1],
    grants: [{ id: 4, until: '2030-01-31T22:59:59.999+00:00' }],
    isPrivileged: false,
    hasSignedIn: false,
    takesPart: false,
  }
  for (const [what, change, created, changed] of [
    ['unused', {}, undefined, undefined],
    ['signed in', { hasSignedIn: true }, 'signed_in', undefined],
    ['on a shift', { takesPart: true }, 'takes_part', undefined],
    ['made an administrator', { isPrivileged: true }, 'changed', undefined],
    ['renamed', { display_name: 'Anna' }, 'changed', 'changed'],
    ['in another group, too', { groupIds: [1, 2] }, 'changed', undefined],
    ['out of the group', { groupIds: [] }, 'changed', 'changed'],
    ['qualified for longer', { grants: [{ id: 4, until: null }] }, 'changed', 'changed'],
  ] as const)
    test(`of a person who is ${what}`, () => {
      const person = { ...present, ...change }
      assert.equal(findReasonToKeep(person, written, 'created'), created)
      assert.equal(findReasonToKeep(person, written, 'changed'), changed)
    })
})
