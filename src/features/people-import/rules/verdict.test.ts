import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canBeSamePerson, type ExistingPerson, indexPeople } from './identity.ts'
import type { RowInput } from './row.ts'
import { findReasonToKeep, type PresentPerson, type WrittenValues } from './undo.ts'
import { type Catalogue, findUnknownNames, type ImportRights, judgeRows, type NameChoice } from './verdict.ts'

const row = (given: Partial<RowInput> = {}): RowInput => ({
  number: 2,
  name: 'Ann Lee',
  email: 'ann@a.example',
  username: null,
  birthDate: null,
  phone: null,
  isPhoneValid: true,
  language: null,
  groups: [],
  qualifications: [],
  guardians: [],
  problems: [],
  ...given,
})
const ann: ExistingPerson = {
  userId: 7,
  name: 'Ann Lee',
  email: 'ann@a.example',
  username: null,
  contactEmail: null,
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
  guardianIds: [],
  isGuardian: false,
  isStaff: false,
  isSuperuser: false,
  ownPermissions: [],
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
  powerfulGroups: new Set([2]),
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
const all: ImportRights = {
  mayChange: true,
  mayAssign: () => true,
  mayCreateGroups: true,
  mayCreateQualifications: true,
  mayChangeAddress: () => true,
}
const none: ImportRights = {
  mayChange: false,
  mayAssign: () => false,
  mayCreateGroups: false,
  mayCreateQualifications: false,
  mayChangeAddress: () => false,
}
type Given = { person?: ExistingPerson; rights?: ImportRights; others?: RowInput[]; names?: Partial<Catalogue> }
const judge = (input: RowInput, { person, rights = all, others = [], names }: Given = {}) =>
  judgeAll([...others, input], { people: person ? [person] : [], rights, names }).at(-1)!

type State = { people?: ExistingPerson[]; rights?: ImportRights; names?: Partial<Catalogue> | undefined; endsAtAge?: boolean }
const judgeAll = (rows: RowInput[], { people = [], rights = all, names, endsAtAge = true }: State = {}) =>
  judgeRows(rows, { catalogue: catalogue(names), rights, known: indexPeople(people), today: '2031-05-01', endsAtAge })

describe('rows with one address', () => {
  const ben = row({ number: 2, name: 'Ben Lee' })
  test('of clearly different people are a family: the first keeps the address, the others share it', () => {
    const [first, second] = judgeAll([row({ number: 1 }), ben])
    assert.deepEqual([first!.verdict, first!.plan?.email, first!.plan?.contactEmail], ['new', row().email, undefined])
    assert.deepEqual([second!.verdict, second!.plan?.email, second!.plan?.contactEmail], ['new', undefined, row().email])
    assert.deepEqual(second!.changes, [{ field: 'contact', to: row().email }])
  })

  test('share the address of the person who has it, and are recognised by address and name', () => {
    assert.equal(judgeAll([ben], { people: [ann] })[0]!.plan?.contactEmail, row().email)
    const known = { ...ann, userId: 9, name: 'Ben Lee', email: null, contactEmail: 'ANN@a.example' }
    for (const people of [[ann, known], [known]]) {
      const [found] = judgeAll([ben], { people })
      assert.deepEqual([found!.verdict, found!.person?.userId], ['same', 9])
    }
  })

  test('of one person with other data stay a conflict', () => {
    const rows = [row({ number: 1, phone: '+491' }), row({ number: 2, phone: '+492' })]
    assert.deepEqual(
      judgeAll(rows).map(({ problems }) => problems[0]?.code),
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
    ['the address of another person', row({ name: 'Ben Lee' }), { person: ann }, 'new'],
    ['an address that a different row has', row(), { others: [row({ number: 1, phone: '+491' })] }, 'conflict', 'email_repeated'],
    ['an address that a later row has', row(), { others: [row({ number: 9, phone: '+491' })] }, 'conflict', 'email_repeated'],
    ['nothing that names a person', row({ email: '' }), {}, 'error', 'email_missing'],
    ['only a user name', row({ email: '', username: 'ann' }), {}, 'new'],
    [
      'the user name of another account',
      row({ email: 'b@b.example', name: 'Zoe', username: 'ANN' }),
      { person: { ...ann, username: 'ann' } },
      'conflict',
      'username_taken',
    ],
    [
      'a user name that another row has',
      row({ username: 'ann' }),
      { others: [row({ number: 1, email: 'b@b.example', username: 'Ann' })] },
      'conflict',
      'username_repeated',
    ],
    ['a known user name', row({ email: '', username: 'ann' }), { person: { ...ann, username: 'Ann' } }, 'same'],
    [
      'a user name and another address',
      row({ email: 'b@b.example', username: 'ann' }),
      { person: { ...ann, username: 'ann' } },
      'conflict',
      'person_other_address',
    ],
    ['a new user name', row({ username: 'ann' }), { person: ann }, 'updated'],
    [
      'a new user name that the importer may not give',
      row({ username: 'ann' }),
      { person: ann, rights: { ...all, mayChangeAddress: () => false } },
      'conflict',
      'person_locked',
    ],
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
    assert.equal(judge(row(), { person: { ...ann, isHidden: true } }).person, undefined))

  test('unknown names are counted', () =>
    assert.deepEqual(
      findUnknownNames([row({ groups: ['Band', 'Helpers'] }), row({ groups: ['BAND'] }), row(held('Pilot', null))], catalogue()),
      [
        { kind: 'group', key: 'band', name: 'Band', count: 2 },
        { kind: 'qualification', key: 'pilot', name: 'Pilot', count: 1 },
      ],
    ))
})

describe('guardians', () => {
  const mother = row({ number: 1, birthDate: '1980-05-03' })
  const child = (given: Partial<RowInput> = {}) =>
    row({ number: 2, name: 'Mia Lee', email: '', birthDate: '2020-03-04', guardians: ['Ann@a.example'], ...given })
  const mia: ExistingPerson = {
    ...ann,
    userId: 9,
    name: 'Mia Lee',
    email: null,
    birthDate: '2020-03-04',
    groupIds: [],
    grants: [],
  }
  const withChild: ExistingPerson[] = [
    { ...ann, isGuardian: true },
    { ...mia, guardianIds: [7] },
  ]

  test('come in the same list, whatever the order, also with the address of the child', () => {
    for (const email of ['', 'ann@a.example'])
      for (const rows of [
        [mother, child({ email })],
        [child({ email }), mother],
      ]) {
        const judged = judgeAll(rows)
        const of = (each: RowInput) => judged[rows.indexOf(each)]!
        assert.deepEqual([of(mother).verdict, of(mother).plan?.email], ['new', 'ann@a.example'])
        const found = judged.find(({ name }) => name === 'Mia Lee')!
        assert.deepEqual([found.verdict, found.plan?.email, found.plan?.guardians], ['new', undefined, [of(mother).key]])
        assert.deepEqual(found.changes.at(-1), { field: 'guardian', to: 'Ann Lee' })
      }
  })

  test('share a user name instead of an address', () => {
    const rows = [child({ guardians: ['ann.lee'] }), row({ number: 1, email: '', username: 'Ann.Lee' })]
    const [found, guardian] = judgeAll(rows)
    assert.deepEqual([found!.verdict, found!.plan?.guardians], ['new', [guardian!.key]])
  })

  for (const [what, rows, state, codes] of [
    ['who is unknown', [child()], {}, ['guardian_unknown']],
    ['named by name only', [mother, child({ guardians: ['Ann Lee'] })], {}, [undefined, 'guardian_unknown']],
    ['whose row has an error', [{ ...mother, phone: 'x', isPhoneValid: false }, child()], {}, ['phone_invalid', 'guardian_row']],
    ['under age', [child()], { people: [{ ...ann, birthDate: '2013-05-02' }] }, ['guardian_minor']],
    ['under age by the list', [{ ...mother, birthDate: '2013-05-02' }, child()], {}, [undefined, 'guardian_minor']],
    ['of age today', [{ ...mother, birthDate: '2013-05-01' }, child()], {}, [undefined, undefined]],
    ['with a guardian', [child()], { people: [{ ...ann, guardianIds: [1] }] }, ['guardian_has_guardian']],
    [
      'with a guardian in the list',
      [{ ...mother, guardians: ['zoe@a.example'] }, child(), row({ number: 3, name: 'Zoe', email: 'zoe@a.example' })],
      {},
      ['child_is_guardian', 'guardian_has_guardian', undefined],
    ],
    ['of themselves', [child({ email: 'x@a.example', guardians: ['x@a.example'] })], {}, ['guardian_unknown']],
    ['with their own user name', [child({ username: 'mia', guardians: ['mia'] })], {}, ['guardian_self']],
    ['who is inactive', [child()], { people: [{ ...ann, isActive: false }] }, ['guardian_unknown']],
    ['who is hidden', [child()], { people: [{ ...ann, isHidden: true }] }, ['guardian_unknown']],
    [
      'of an administrator',
      [child({ username: 'mia' })],
      { people: [ann, { ...mia, username: 'mia', isStaff: true }] },
      ['child_has_powers'],
    ],
    [
      'of a person with permissions',
      [child({ username: 'mia' })],
      { people: [ann, { ...mia, username: 'mia', ownPermissions: ['view_user'] }] },
      ['child_has_powers'],
    ],
    [
      'of a person who gets permissions by a group of the row',
      [mother, child({ groups: ['Board'] })],
      {},
      [undefined, 'child_has_powers'],
    ],
    ['of an adult', [mother, child({ birthDate: '2013-05-01' })], {}, [undefined, 'child_adult']],
    [
      'of an adult, if guardianships stay',
      [mother, child({ birthDate: '2013-05-01' })],
      { endsAtAge: false },
      [undefined, undefined],
    ],
    [
      'of a guardian',
      [child({ username: 'mia' })],
      { people: [ann, { ...mia, username: 'mia', isGuardian: true }] },
      ['child_is_guardian'],
    ],
    [
      'by an importer who only adds people',
      [child()],
      { people: [ann], rights: { ...all, mayChange: false } },
      ['guardian_locked'],
    ],
    [
      'of a person whose address the importer may not change',
      [child({ username: 'mia' })],
      { people: [ann, { ...mia, username: 'mia' }], rights: { ...all, mayChangeAddress: () => false } },
      ['guardian_locked'],
    ],
  ] as [string, RowInput[], State, (string | undefined)[]][])
    test(`${what}: ${codes.at(-1) ?? 'good'}`, () =>
      assert.deepEqual(
        judgeAll(rows, state).map(({ problems }) => problems[0]?.code),
        codes,
      ))

  test('whom a person has already change nothing; the child is known by guardian and name', () => {
    for (const given of [{}, { email: 'ann@a.example' }, { birthDate: null }]) {
      const [found] = judgeAll([child(given)], { people: withChild })
      assert.deepEqual([found!.verdict, found!.person?.userId], ['same', 9])
    }
    assert.equal(judgeAll([child({ username: 'mia' })], { people: withChild })[0]!.verdict, 'updated')
    assert.equal(judgeAll([child({ name: 'Tom Lee' })], { people: withChild })[0]!.verdict, 'new')
  })

  test('people without address, user name and guardian are known by name and birth date, but not added', () => {
    const nobody = child({ guardians: [] })
    assert.equal(judgeAll([nobody], { people: [mia] })[0]!.verdict, 'same')
    for (const people of [[], [{ ...mia, birthDate: '2019-01-01' }], [{ ...mia, username: 'mia' }], [{ ...mia, isHidden: true }]])
      assert.equal(judgeAll([nobody], { people })[0]!.problems[0]?.code, 'email_missing')
  })

  test('two children with the name of their mother stay apart by birth date', () => {
    const rows = [mother, child({ number: 2, name: 'Ann Lee', email: 'ann@a.example' })]
    const people = [
      { ...ann, isGuardian: true },
      { ...mia, name: 'Ann Lee', guardianIds: [7], contactEmail: 'ann@a.example' },
    ]
    assert.deepEqual(
      judgeAll(rows, { people }).map(({ verdict, person }) => [verdict, person?.userId]),
      [
        ['same', 7],
        ['same', 9],
      ],
    )
  })
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
    guardians: [3],
  }
  const present: PresentPerson = {
    display_name: 'Ann',
    email: 'a@b',
    date_of_birth: null,
    phone: null,
    preferred_language: 'en',
    username: null,
    contact_email: null,
    guardianIds: [3],
    isGuardian: false,
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
    ['the guardian of somebody', { isGuardian: true }, 'is_guardian', undefined],
    ['in the care of another guardian, too', { guardianIds: [3, 4] }, 'changed', undefined],
    ['out of the care of the guardian', { guardianIds: [] }, 'changed', 'changed'],
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
