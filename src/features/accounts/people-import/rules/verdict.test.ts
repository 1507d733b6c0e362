import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canBeSamePerson, type ExistingPerson, indexPeople } from './identity.ts'
import { type Catalogue, type ForNew, type ImportRights, type NameChoice, VERDICTS } from './judgement.ts'
import type { RowInput } from './row.ts'
import { findReasonToKeep, type PresentPerson, type WrittenValues } from './undo.ts'
import { findUnknownNames, judgeRows } from './verdict.ts'

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
/** A child without an address. */
const mia: ExistingPerson = {
  ...ann,
  userId: 9,
  name: 'Mia Lee',
  email: null,
  birthDate: '2020-03-04',
  groupIds: [],
  grants: [],
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

type State = {
  people?: ExistingPerson[]
  rights?: ImportRights
  names?: Partial<Catalogue> | undefined
  endsAtAge?: boolean
  forNew?: ForNew
}
const judgeAll = (rows: RowInput[], { people = [], rights = all, names, endsAtAge = true, forNew }: State = {}) =>
  judgeRows(rows, { catalogue: catalogue(names), rights, known: indexPeople(people), today: '2031-05-01', endsAtAge, forNew })

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

describe('whom a row is about', () => {
  const zoe: ExistingPerson = { ...ann, userId: 8, name: 'Zoe Kurz', email: 'zoe@a.example' }
  const verdictsOf = (rows: RowInput[], state: State = {}) =>
    judgeAll(rows, state).map(({ verdict, person }) => [verdict, person?.userId])

  test('children of one name at two addresses are two people', () => {
    const rows = [
      row({ number: 1 }),
      row({ number: 2, name: 'Ben Lee' }),
      row({ number: 3, name: 'Zoe Kurz', email: 'zoe@a.example' }),
      row({ number: 4, name: 'Ben Lee', email: 'zoe@a.example' }),
    ]
    assert.deepEqual(
      judgeAll(rows).map(({ verdict, plan }) => [verdict, plan?.email, plan?.contactEmail]),
      [
        ['new', 'ann@a.example', undefined],
        ['new', undefined, 'ann@a.example'],
        ['new', 'zoe@a.example', undefined],
        ['new', undefined, 'zoe@a.example'],
      ],
    )
  })

  test('rows with two user names are two people, with and without a shared address', () => {
    for (const email of ['ann@a.example', '']) {
      const judged = judgeAll(['ann1', 'ann2', 'ann3'].map((username, index) => row({ number: index + 1, email, username })))
      assert.deepEqual(
        judged.map(({ verdict, plan }) => [verdict, plan?.username]),
        [
          ['new', 'ann1'],
          ['new', 'ann2'],
          ['new', 'ann3'],
        ],
      )
      assert.equal(new Set(judged.map(({ key }) => key)).size, 3)
    }
  })

  test('a row with a problem does not own its address', () => {
    const rows = [row({ number: 1, name: 'Ben Lee', problems: [{ code: 'birth_date_invalid' }] }), row({ number: 2 })]
    assert.equal(judgeAll(rows)[1]!.plan?.email, 'ann@a.example')
  })

  test('of rows with guardians, the first one owns the address, however many guardians it has', () => {
    const kid = (number: number, name: string, guardians: string[]) =>
      row({ number, name, email: 'kids@a.example', birthDate: '2020-03-04', guardians })
    const rows = [kid(1, 'Mia Lee', ['ann@a.example', 'zoe@a.example']), kid(2, 'Tom Lee', ['ann@a.example'])]
    assert.deepEqual(
      judgeAll(rows, { people: [ann, zoe] }).map(({ plan }) => [plan?.email, plan?.contactEmail]),
      [
        ['kids@a.example', undefined],
        [undefined, 'kids@a.example'],
      ],
    )
  })

  test('a user name tells people with the same name and contact address apart', () => {
    const known = { ...mia, username: 'mia', contactEmail: 'ann@a.example' }
    const people = [ann, known]
    assert.deepEqual(verdictsOf([row({ name: 'Mia Lee', username: 'mia2' })], { people }), [['new', undefined]])
    assert.deepEqual(verdictsOf([row({ name: 'Mia Lee' })], { people }), [['same', 9]])
    assert.deepEqual(verdictsOf([row({ name: 'Mia Lee', username: 'MIA' })], { people }), [['same', 9]])
  })

  for (const [birthDate, other, userId] of [
    ['2020-03-04', '2020-03-04', 9],
    [null, null, 7],
    ['1999-01-01', '2020-03-04', 7],
    ['1980-05-03', '1980-05-03', 7],
  ] as const)
    test(`of mother and daughter with one name and address, the birth date ${birthDate} means ${userId}, beside ${other}`, () => {
      const people = [ann, { ...mia, name: 'Ann Lee', birthDate: other, contactEmail: 'ann@a.example' }]
      assert.equal(judgeAll([row({ birthDate })], { people })[0]!.person?.userId, userId)
    })

  for (const [birthDate, userId] of [
    ['2018-01-01', 10],
    ['2020-03-04', 9],
    [null, 9],
  ] as const)
    test(`of two children with one name and guardian, the birth date ${birthDate} means ${userId}`, () => {
      const people = [ann, { ...mia, guardianIds: [7] }, { ...mia, userId: 10, birthDate: '2018-01-01', guardianIds: [7] }]
      const [found] = judgeAll([row({ name: 'Mia Lee', email: '', birthDate, guardians: ['ann@a.example'] })], { people })
      assert.equal(found!.person?.userId, userId)
    })

  test('a name alone means somebody only without user name and guardians, and without an address of that person', () => {
    const nobody = row({ name: 'Mia Lee', email: '' })
    assert.deepEqual(verdictsOf([nobody], { people: [mia] }), [['same', 9]])
    assert.deepEqual(verdictsOf([{ ...nobody, birthDate: '2020-03-04' }], { people: [{ ...mia, birthDate: null }] }), [
      ['updated', 9],
    ])
    assert.deepEqual(verdictsOf([nobody], { people: [{ ...mia, email: 'mia@a.example' }] }), [['error', undefined]])
    assert.deepEqual(verdictsOf([{ ...nobody, username: 'mia' }], { people: [mia] }), [['new', undefined]])
    const withGuardian = { ...nobody, birthDate: '2020-03-04', guardians: ['zoe@a.example'] }
    assert.deepEqual(verdictsOf([withGuardian], { people: [mia, zoe] }), [['new', undefined]])
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
    [
      'a phone number, without the right to change addresses',
      row({ phone: '+491' }),
      { person: ann, rights: { ...all, mayChangeAddress: () => false } },
      'updated',
    ],
    ['a language', row({ language: 'de' }), { person: ann }, 'updated'],
    ['the same language', row({ language: 'en' }), { person: ann }, 'same'],
    [
      'a qualification to leave out',
      row(held('Pilot', null)),
      { names: { qualificationChoices: choices({ pilot: 'skip' }) } },
      'new',
    ],
    [
      'a qualification to create',
      row(held('Pilot', null)),
      { names: { qualificationChoices: choices({ pilot: 'create' }) } },
      'new',
    ],
    ...[{ mayChange: false }, { mayCreateQualifications: false }].map(
      (right) =>
        [
          `a qualification to create without ${Object.keys(right)[0]}`,
          row(held('Pilot', null)),
          { rights: { ...all, ...right }, names: { qualificationChoices: choices({ pilot: 'create' }) } },
          'error',
          'qualification_locked',
        ] as const,
    ),
    [
      'a qualification that is gone',
      row(held('Pilot', null)),
      { names: { qualificationChoices: choices({ pilot: 9 }) } },
      'error',
      'qualification_gone',
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

  test('says what was read about a new person', () => {
    const input = row({
      birthDate: '1980-05-03',
      phone: '+491',
      language: 'de',
      groups: ['Board'],
      ...held('Crane', '2031-01-31'),
    })
    assert.deepEqual(judge(input).changes, [
      { field: 'birth_date', to: '1980-05-03' },
      { field: 'phone', to: '+491' },
      { field: 'language', to: 'de' },
      { field: 'group', to: 'Board' },
      { field: 'qualification', to: 'Crane (2031-01-31)' },
    ])
    assert.deepEqual(judge(row()).changes, [])
  })

  test('gives all new people a group and a language, but not people who exist', () => {
    const forNew = { language: 'de', group: 1 } as const
    const [plain, said, known] = judgeAll(
      [
        row({ number: 1, name: 'Zoe', email: 'zoe@a.example' }),
        row({ number: 2, name: 'Kim', email: 'kim@a.example', language: 'en', groups: ['Helpers'] }),
        row({ number: 3, phone: '040 99' }),
      ],
      { people: [{ ...ann, groupIds: [] }], forNew },
    )
    assert.deepEqual(
      [plain!.plan?.language, plain!.plan?.groups, plain!.changes],
      ['de', [1], [{ field: 'group', to: 'Helpers' }]],
    )
    assert.deepEqual([said!.plan?.language, said!.plan?.groups], ['en', [1]])
    assert.deepEqual([known!.plan?.language, known!.plan?.groups], [undefined, []])
    const rowOf = (given: State) => judgeAll([row()], { forNew, ...given })[0]!
    assert.deepEqual(rowOf({ rights: { ...all, mayAssign: () => false } }).plan?.groups, [])
    assert.deepEqual(rowOf({ forNew: { group: 99 } }).plan?.groups, [])
  })

  test('says what is added, and what was empty before', () => {
    const person: ExistingPerson = { ...ann, email: null, username: 'ann', birthDate: null, phone: null }
    const input = row({ username: 'ann', birthDate: '1980-05-03', phone: '+491', language: 'de', ...held('Crane', null) })
    const found = judge(input, { person })
    assert.deepEqual(found.changes, [
      { field: 'contact_changed', from: '', to: 'ann@a.example' },
      { field: 'birth_date', from: '', to: '1980-05-03' },
      { field: 'phone', from: '', to: '+491' },
      { field: 'language', from: 'en', to: 'de' },
      { field: 'qualification', to: 'Crane' },
    ])
    assert.deepEqual(found.plan, {
      userId: 7,
      contactEmail: 'ann@a.example',
      birthDate: '1980-05-03',
      phone: '+491',
      language: 'de',
      groups: [],
      grants: [{ qualification: 6, until: null }],
      guardians: [],
    })
    assert.deepEqual(judge(row({ username: 'ann' }), { person: ann }).changes, [{ field: 'username', from: '', to: 'ann' }])
  })

  test('keeps the contact address from importers who may not change it', () => {
    const person: ExistingPerson = { ...ann, email: null, username: 'ann', contactEmail: 'old@a.example' }
    const rights = { ...all, mayChangeAddress: () => false }
    assert.deepEqual(judge(row({ username: 'ann' }), { person }).changes, [
      { field: 'contact_changed', from: 'old@a.example', to: 'ann@a.example' },
    ])
    assert.deepEqual(judge(row({ username: 'ann' }), { person, rights }).problems, [{ code: 'person_locked' }])
  })

  test('plans all values of a new person, and only those that the row has', () => {
    assert.deepEqual(judge(row()).plan, { name: 'Ann Lee', email: 'ann@a.example', groups: [], grants: [], guardians: [] })
    const names = { groupChoices: choices({ band: 'create', choir: 'skip' }), qualificationChoices: choices({ pilot: 'create' }) }
    const full = row({
      username: 'ann',
      birthDate: '1980-05-03',
      phone: '+491',
      language: 'de',
      groups: ['Band', 'Choir', 'Board'],
      ...held('Pilot', '2032-01-31'),
    })
    assert.deepEqual(judge(full, { names }).plan, {
      name: 'Ann Lee',
      email: 'ann@a.example',
      username: 'ann',
      birthDate: '1980-05-03',
      phone: '+491',
      language: 'de',
      groups: [{ create: 'Band' }, 2],
      grants: [{ qualification: { create: 'Pilot' }, until: '2032-01-31' }],
      guardians: [],
    })
  })

  test('shows the address, or else the user name', () =>
    assert.deepEqual(
      [row({ username: 'ann' }), row({ email: '', username: 'ann' }), row({ email: '' })].map((each) => judge(each).email),
      ['ann@a.example', 'ann', ''],
    ))

  test('shows the contact address and the user name of a new person who shares an address', () =>
    assert.deepEqual(judge(row({ name: 'Ben Lee', username: 'ben' }), { person: ann }).changes, [
      { field: 'contact_changed', to: 'ann@a.example' },
      { field: 'username', to: 'ben' },
    ]))

  test('names the rows that contradict', () => {
    const other = (number: number, given: Partial<RowInput>) => row({ number, ...given })
    assert.deepEqual(judge(row(), { others: [other(1, { phone: '+491' }), other(3, { phone: '+492' })] }).problems, [
      { code: 'email_repeated', value: '1, 3' },
    ])
    const sameName = [other(1, { email: 'b@b.example', username: 'ann' }), other(3, { email: 'c@b.example', username: 'ann' })]
    assert.deepEqual(judge(row({ username: 'ann' }), { others: sameName }).problems, [
      { code: 'username_repeated', value: '1, 3' },
    ])
  })

  test('is counted in the order of what happens to people', () =>
    assert.deepEqual(VERDICTS, ['new', 'updated', 'same', 'conflict', 'error']))

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

test('unknown names are sorted by kind, number of rows and name', () => {
  const wanted = (name: string, qualificationId?: number) => ({
    name,
    until: null,
    ...(qualificationId === undefined ? {} : { qualificationId }),
  })
  const rows = [
    row({ qualifications: [wanted('Pilot'), wanted('First aid'), wanted('', 4)], groups: ['Choir'] }),
    row({ qualifications: [wanted('Diver'), wanted('Pilot')], groups: ['Band'] }),
    row({ qualifications: [wanted('Cook')], groups: ['Dance', 'Band'] }),
  ]
  assert.deepEqual(
    findUnknownNames(rows, catalogue()).map(({ kind, name, count }) => [kind, name, count]),
    [
      ['group', 'Band', 2],
      ['group', 'Choir', 1],
      ['group', 'Dance', 1],
      ['qualification', 'Pilot', 2],
      ['qualification', 'Cook', 1],
      ['qualification', 'Diver', 1],
    ],
  )
})

describe('guardians', () => {
  const mother = row({ number: 1, birthDate: '1980-05-03' })
  const child = (given: Partial<RowInput> = {}) =>
    row({ number: 2, name: 'Mia Lee', email: '', birthDate: '2020-03-04', guardians: ['Ann@a.example'], ...given })
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
    [
      'whose rows contradict each other',
      [mother, { ...mother, number: 5, phone: '+491' }, child()],
      {},
      ['email_repeated', 'email_repeated', 'guardian_row'],
    ],
    ['of a row with another problem', [child({ phone: 'x', isPhoneValid: false })], {}, ['phone_invalid']],
    ['of a row that is repeated', [mother, child(), child({ number: 3 })], {}, [undefined, undefined, 'row_repeated']],
    ['of a person in a group without permissions', [mother, child({ groups: ['Helpers'] })], {}, [undefined, undefined]],
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

  test('of a known person are an update', () => {
    const people = [ann, { ...mia, username: 'mia' }]
    const [found] = judgeAll([child({ username: 'mia' })], { people })
    assert.equal(found!.verdict, 'updated')
    assert.deepEqual(found!.changes, [{ field: 'guardian', to: 'Ann Lee' }])
    assert.deepEqual(found!.plan, { userId: 9, groups: [], grants: [], guardians: ['#7'] })
  })

  test('of an inactive person are a conflict', () => {
    const people = [ann, { ...mia, username: 'mia', isActive: false }]
    const [found] = judgeAll([child({ username: 'mia' })], { people })
    assert.deepEqual(
      [found!.verdict, found!.problems, found!.plan],
      ['conflict', [{ code: 'person_inactive', value: 'Mia Lee' }], undefined],
    )
  })

  test('who cannot be added make the row an error, which names them', () => {
    const zoe = { ...ann, userId: 8, name: 'Zoe Kurz', email: 'zoe@a.example' }
    const [locked] = judgeAll([child({ guardians: ['ann@a.example', 'zoe@a.example'] })], {
      people: [ann, zoe],
      rights: { ...all, mayChange: false },
    })
    assert.deepEqual([locked!.verdict, locked!.problems], ['error', [{ code: 'guardian_locked', value: 'Ann Lee, Zoe Kurz' }]])
    const [unknown] = judgeAll([child()])
    assert.deepEqual([unknown!.verdict, unknown!.problems], ['error', [{ code: 'guardian_unknown', value: 'Ann@a.example' }]])
  })

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
  ['– Anna', '– Ben', false],
  ['Müller', 'Anna Müller', true],
  ['Anna Müller', 'Müller', true],
  ['Kathrin', 'Cathrin', true],
  ['Kathrin', 'Cathryn', true],
  ['Katherine', 'Cathrin', false],
  ['Stefan', 'Stefen', false],
  ['Stefan', 'Stefann', false],
  ['Abkathrin', 'Kathrin', true],
  ['Abckathrin', 'Kathrin', false],
  ['Kathrin', 'Abkathrin', true],
  ['Kathrin', 'Abckathrin', false],
  ['Kathrinab', 'Kathrin', true],
  ['Kathrinabc', 'Kathrin', false],
  ['Kathrin', 'Kathrinab', true],
  ['Kathrin', 'Kathrinabc', false],
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

  const more: WrittenValues = {
    profile: {},
    groups: [1, 2],
    grants: [
      { id: 4, after: null },
      { id: 5, after: '2030-01-31T22:59:59Z' },
    ],
    guardians: [3, 4],
  }
  const whole: PresentPerson = {
    ...present,
    groupIds: [2, 1],
    guardianIds: [4, 3],
    grants: [
      { id: 5, until: '2030-01-31T22:59:59Z' },
      { id: 4, until: null },
    ],
  }
  for (const [what, change, reason] of [
    ['everything is there', {}, undefined],
    ['one of two groups is gone', { groupIds: [1] }, 'changed'],
    ['one of two guardians is gone', { guardianIds: [3] }, 'changed'],
    ['one of two qualifications is gone', { grants: whole.grants.slice(1) }, 'changed'],
    ['a qualification got an end', { grants: [whole.grants[0]!, { id: 4, until: '2030-01-31T22:59:59Z' }] }, 'changed'],
  ] as [string, Partial<PresentPerson>, string | undefined][])
    test(`if ${what}: ${reason ?? 'possible'}`, () =>
      assert.equal(findReasonToKeep({ ...whole, ...change }, more, 'changed'), reason))

  test('of an import without guardians keeps people who got one', () => {
    const { guardians: _guardians, ...without } = written
    assert.equal(findReasonToKeep(present, without, 'created'), 'changed')
    assert.equal(findReasonToKeep({ ...present, guardianIds: [] }, without, 'created'), undefined)
  })
})
