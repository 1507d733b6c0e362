import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decideAccount, decideSignInWays, mayLinkByEmail } from './accounts.ts'
import {
  formatQualificationLines,
  getClaim,
  issuerCandidates,
  matchQualifications,
  parseQualificationLines,
  readEmail,
  readList,
  readProfile,
} from './claims.ts'

const TODAY = '2031-05-01'

describe('a claim is found', () => {
  const claims = {
    groups: ['a'],
    nothing: null,
    resource_access: { 'my.app': { roles: ['b'] } },
    'https://example.org/groups': ['c'],
    a: { b: 1 },
    'a.b': 2,
  }
  for (const [path, value] of [
    ['groups', ['a']],
    ['resource_access.my.app.roles', ['b']],
    ['https://example.org/groups', ['c']],
    ['a.b', 2],
    ['nothing', undefined],
    ['groups.0', undefined],
    ['constructor.name', undefined],
    ['', undefined],
  ] as const)
    test(`at “${path}”`, () => assert.deepEqual(getClaim(claims, path), value))
})

describe('a list of a claim', () => {
  for (const [what, value, expected] of [
    ['contains trimmed texts once', [' a', 'b', 'a'], { values: ['a', 'b'] }],
    [
      'has no characters that nobody sees',
      ['Admin\u200bistrators', '\ufeffAdministrators', '\u202e'],
      { values: ['Administrators'] },
    ],
    ['is empty if the claim is absent', undefined, { values: [] }],
    ['is empty if the claim is null', null, { values: [] }],
    ['is no text', 'a', { problem: { claim: 'x', expected: 'list', found: 'text' } }],
    ['is no number', 7, { problem: { claim: 'x', expected: 'list', found: 'number' } }],
    ['is no object', { a: 1 }, { problem: { claim: 'x', expected: 'list', found: 'object' } }],
    ['contains nothing but texts', ['a', 1], { problem: { claim: 'x', expected: 'list', found: 'list of number' } }],
    ['is limited', Array(1001).fill('a'), { problem: { claim: 'x', expected: 'list', found: 'too many' } }],
  ] as const)
    test(what, () => assert.deepEqual(readList({ x: value }, 'x'), expected))
})

describe('a profile', () => {
  for (const [what, claims, profile, problems] of [
    [
      'takes name, phone and birth date',
      { name: 'Ann', phone_number: '1', birthdate: '1990-02-03' },
      { name: 'Ann', phone: '1', dateOfBirth: '1990-02-03' },
      [],
    ],
    ['joins the parts of a name', { given_name: 'Ann', family_name: 'Lee' }, { name: 'Ann Lee' }, []],
    ['keeps what is absent', {}, {}, []],
    ['keeps what is empty', { name: ' ', phone_number: '' }, {}, []],
    ['removes control characters', { name: 'A\u0000\nnn' }, { name: 'A nn' }, []],
    ['ignores a year alone', { birthdate: '1990' }, {}, []],
    ['ignores an unknown year', { birthdate: '0000-02-03' }, {}, []],
    ['names a claim of the wrong type', { name: { first: 'Ann' } }, {}, [{ claim: 'name', expected: 'text', found: 'object' }]],
    [
      'refuses a day that does not exist',
      { birthdate: '1990-02-31' },
      {},
      [{ claim: 'birthdate', expected: 'day', found: 'text' }],
    ],
    ['refuses a day in the future', { birthdate: '2031-05-02' }, {}, [{ claim: 'birthdate', expected: 'day', found: 'text' }]],
  ] as const)
    test(what, () => assert.deepEqual(readProfile(claims, TODAY), { profile, problems }))
})

describe('an email address', () => {
  const email = 'ann@example.org'
  for (const [what, idToken, userinfo, trusts, expected] of [
    ['counts if it is verified', { email, email_verified: true }, {}, false, { ok: true, email }],
    ['counts if it is verified as a text', {}, { email, email_verified: 'true' }, false, { ok: true, email }],
    ['does not count without a word about it', { email }, {}, false, { ok: false, reason: 'email_unverified' }],
    ['counts without a word about it if the provider is trusted', { email }, {}, true, { ok: true, email }],
    ['never counts if it is unverified', { email, email_verified: false }, {}, true, { ok: false, reason: 'email_unverified' }],
    [
      'is not verified by another source',
      { email: 'x@example.org', email_verified: true },
      { email },
      false,
      { ok: false, reason: 'email_unverified' },
    ],
    ['is missing', {}, {}, true, { ok: false, reason: 'email_missing' }],
    ['is no list', { email: [email], email_verified: true }, {}, true, { ok: false, reason: 'email_missing' }],
    ['is complete', { email: 'ann', email_verified: true }, {}, true, { ok: false, reason: 'email_missing' }],
  ] as const)
    test(what, () => assert.deepEqual(readEmail({ idToken, userinfo }, trusts), expected))
})

describe('the account of a person', () => {
  const NEW_ACCOUNT = { hasPowers: false, hasPassword: false, hasFactor: false, isLinked: false }
  const known = (more = {}) => ({ userId: 7, isActive: true, ...NEW_ACCOUNT, ...more })
  const email = { ok: true, email: 'ann@example.org' } as const
  const unverified = { ok: false, reason: 'email_unverified' } as const
  for (const [what, facts, expected] of [
    [
      'is the linked one',
      { linked: known({ hasPowers: true, hasPassword: true, isLinked: true }), email: unverified, holder: undefined },
      { kind: 'sign_in', userId: 7 },
    ],
    [
      'is refused if the linked one is inactive',
      { linked: known({ isActive: false }), email, holder: undefined },
      { kind: 'refuse', reason: 'inactive' },
    ],
    ['is the one with the address', { linked: undefined, email, holder: known() }, { kind: 'link', userId: 7 }],
    [
      'is refused if it is inactive',
      { linked: undefined, email, holder: known({ isActive: false }) },
      { kind: 'refuse', reason: 'inactive' },
    ],
    [
      'is not found by an unverified address',
      { linked: undefined, email: unverified, holder: known() },
      { kind: 'refuse', reason: 'email_unverified' },
    ],
    ['is created', { linked: undefined, email, holder: undefined }, { kind: 'create', email: 'ann@example.org' }],
    [
      'is not created if the provider must not',
      { linked: undefined, email, holder: undefined, createsAccounts: false },
      { kind: 'refuse', reason: 'no_account' },
    ],
  ] as const)
    test(what, () => assert.deepEqual(decideAccount({ createsAccounts: true, ...facts }), expected))

  for (const reason of ['hasPowers', 'hasPassword', 'hasFactor', 'isLinked'] as const)
    test(`is not linked by the address alone: ${reason}`, () => {
      const holder = known({ [reason]: true })
      assert.equal(mayLinkByEmail(holder), false)
      assert.deepEqual(decideAccount({ createsAccounts: true, linked: undefined, email, holder }), { kind: 'confirm', userId: 7 })
    })
})

const UUID = '0b41fc2c-5e4c-4ac5-9a0e-3c4f4ad1b0a7'
const OTHER = '7d1f5a52-18a1-4a51-a5a7-5b4e0d3a2c11'
const QUALIFICATIONS = [
  { id: 1, uuid: UUID, title: 'Paramedic', abbreviation: 'PM' },
  { id: 2, uuid: OTHER, title: 'Driver', abbreviation: 'D' },
]

test('qualifications are found by mapped names and by uuid', () => {
  assert.deepEqual(matchQualifications(['medic', OTHER.toUpperCase(), 'cook', 'toString'], { medic: UUID }, QUALIFICATIONS), {
    ids: [1, 2],
    unknown: ['cook', 'toString'],
  })
})

describe('lines of names and qualifications', () => {
  for (const [what, text, expected] of [
    [
      'are read by title, abbreviation and uuid',
      `medic = paramedic\n\n d=D\nx = ${OTHER}`,
      { ok: true, uuids: { medic: UUID, d: OTHER, x: OTHER } },
    ],
    ['are refused without a sign', 'medic', { ok: false, line: 1, text: 'medic' }],
    ['are refused with an unknown qualification', 'a = D\nb = Cook', { ok: false, line: 2, text: 'b = Cook' }],
    ['are refused twice', 'a = D\na = PM', { ok: false, line: 2, text: 'a = PM' }],
  ] as const)
    test(what, () => assert.deepEqual(parseQualificationLines(text, QUALIFICATIONS), expected))

  test('are shown with titles where they are unique', () => {
    const twins = [...QUALIFICATIONS, { id: 3, uuid: 'a'.repeat(36), title: 'driver', abbreviation: '' }]
    assert.equal(formatQualificationLines({ m: UUID, d: OTHER }, twins), `m = Paramedic\nd = ${OTHER}`)
  })
})

describe('the sign-in page', () => {
  const input = { providers: 1, hidesLocal: true, redirects: true, wantsLocal: false, isSignedOut: false }
  for (const [what, change, expected] of [
    ['redirects to the only provider', {}, { showsLocal: false, redirects: true }],
    ['does not redirect to one of two', { providers: 2 }, { showsLocal: false, redirects: false }],
    ['does not redirect after signing out', { isSignedOut: true }, { showsLocal: false, redirects: false }],
    ['shows the form without a provider', { providers: 0 }, { showsLocal: true, redirects: false }],
    ['shows the form if asked', { wantsLocal: true }, { showsLocal: true, redirects: false }],
    ['shows both by default', { hidesLocal: false, redirects: false }, { showsLocal: true, redirects: false }],
  ] as const)
    test(what, () => assert.deepEqual(decideSignInWays({ ...input, ...change }), expected))
})

test('an issuer is looked for above every endpoint', () => {
  assert.deepEqual(issuerCandidates(['https://id.example/realms/us/auth', null, 'nonsense', 'https://id.example/keys']), [
    'https://id.example/realms/us',
    'https://id.example/realms',
    'https://id.example',
  ])
})
