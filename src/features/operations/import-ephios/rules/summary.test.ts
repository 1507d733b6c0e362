import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportFacts } from './import-context.ts'
import type { ImportReport } from './report.ts'
import { summarizeImport } from './summary.ts'

const FACTS: ImportFacts = {
  sharedAddresses: [],
  activeUsers: 7,
  usersWithoutPassword: 0,
  disabledApplications: [],
  hidesLocalSignIn: false,
}
const table = (name: string, counts: Partial<ImportReport['tables'][number]> = {}) => ({
  table: name,
  found: 100,
  imported: 0,
  skipped: 0,
  kept: 0,
  ignored: 0,
  ...counts,
})
const summaryOf = (report: Partial<ImportReport>) =>
  summarizeImport({ tables: [], notes: [], omissions: [], unknownColumns: [], facts: FACTS, identityProviders: [], ...report })

test('an import of all rows is complete', () => {
  const tables = [table('event', { imported: 100 }), table('django_session', { ignored: 100 })]
  assert.deepEqual(summaryOf({ tables }), {
    warnings: [],
    result: [
      '100 of 200 rows imported, 0 kept aside, 0 left out, 100 not needed.',
      '7 of 7 active users can sign in with their current password.',
    ],
    omitted: [],
    open: [],
    isComplete: true,
  })
})

test('more than a tenth of the rows of a main table left out is a warning', () => {
  const MAIN = [
    'userprofile',
    'userprofile_groups',
    'auth_group',
    'event',
    'shift',
    'abstractparticipation',
    'core_participationcomment',
  ]
  const OF_PEOPLE = ['qualification', 'qualificationgrant', 'workinghours', 'guests_guestuser', 'federation_federateduser']
  const BLOCKS = ['complexsignup_blockcomposition', 'complexsignup_buildingblock', 'complexsignup_position']
  for (const name of [...MAIN, ...OF_PEOPLE, ...BLOCKS, 'modellogging_logentry']) {
    assert.deepEqual(summaryOf({ tables: [table(name, { skipped: 11 })] }).warnings, [`11 of 100 rows of ${name} are left out.`])
    assert.deepEqual(summaryOf({ tables: [table(name, { skipped: 10 })] }).warnings, [])
  }
  assert.deepEqual(summaryOf({ tables: [table('event', { found: 5, skipped: 1 })] }).warnings, [
    '1 of 5 rows of event is left out.',
  ])
  assert.deepEqual(summaryOf({ tables: [table('api_accesstoken', { skipped: 90 })] }).warnings, [])
})

test('rows that are left out or kept are counted, and the import is not called complete', () => {
  const { result, isComplete } = summaryOf({ tables: [table('event', { imported: 95, skipped: 5 })] })
  assert.match(result[1]!, /left out are damaged, occur twice, or belong to an extension/)
  assert.match(result[0]!, /^95 of 100 rows imported, 0 kept aside, 5 left out/)
  assert.equal(isComplete, false)
  const kept = summaryOf({ tables: [table('someplugin_thing', { kept: 100 })] })
  assert.match(kept.result[0]!, /^0 of 100 rows imported, 100 kept/)
  assert.equal(kept.isComplete, false)
})

test('a large share of rows that are left out is a warning, except where it is usual', () => {
  const skipped = (name: string, rows: number) => summaryOf({ tables: [table(name, { skipped: rows })] }).warnings
  assert.deepEqual(skipped('abstractparticipation', 90), ['90 of 100 rows of abstractparticipation are left out.'])
  assert.deepEqual(skipped('abstractparticipation', 11), ['11 of 100 rows of abstractparticipation are left out.'])
  assert.deepEqual(skipped('abstractparticipation', 10), [])
  const single = summaryOf({ tables: [table('event', { found: 2, skipped: 1 })] })
  assert.deepEqual(single.warnings, ['1 of 2 rows of event is left out.'])
  assert.deepEqual(skipped('api_refreshtoken', 90), [])
})

test('two users with one address are named with both names', () => {
  const first = { id: 21, name: 'Maria Muster' }
  const second = { id: 23, name: 'Mia', username: 'mia' }
  const facts = { ...FACTS, sharedAddresses: [{ email: 'maria@example.org', first, second }] }
  const { warnings, isComplete } = summaryOf({ facts })
  assert.equal(warnings.length, 1)
  assert.match(
    warnings[0]!,
    /maria@example\.org: “Maria Muster” \(user 21\) signs in with it\. “Mia” \(user 23\) signs in with the user name mia and the same password/,
  )
  assert.equal(isComplete, false)
})

const OPEN: [what: string, report: Partial<ImportReport>, words: RegExp][] = [
  [
    'identity providers',
    { identityProviders: ['Keycloak', 'Entra'] },
    /^Sign-in by “Keycloak”, “Entra” goes on with the redirect address that the provider knows/,
  ],
  ['one user without a password', { facts: { ...FACTS, usersWithoutPassword: 1 } }, /^1 active user has no password/],
  ['users without a password', { facts: { ...FACTS, usersWithoutPassword: 3 } }, /^3 active users have no password/],
  ['disabled applications', { facts: { ...FACTS, disabledApplications: ['SPA'] } }, /^1 OAuth application is disabled.*“SPA”/],
  [
    'files of events',
    { tables: [table('files_document', { imported: 2 })] },
    /^2 files of events are listed without content.*the command import-files --media DIR/,
  ],
  [
    'a hidden sign-in form',
    { identityProviders: ['Keycloak'], facts: { ...FACTS, hidesLocalSignIn: true } },
    /\?local=true shows the form for passwords/,
  ],
  [
    'push messages',
    { tables: [table('webpush_pushinformation', { ignored: 100 })] },
    /^Push messages are off: people turn them on/,
  ],
  [
    'tables of extensions',
    { tables: [table('someplugin_thing', { kept: 100 })] },
    /^Turnout does not know the tables someplugin_thing\./,
  ],
]
for (const [what, report, words] of OPEN) {
  test(`${what}: the summary says what does not work yet`, () => {
    const { open, isComplete } = summaryOf(report)
    assert.match(open.at(-1)!, words)
    assert.equal(open.length, report.identityProviders && report.facts ? 2 : 1)
    assert.equal(isComplete, false)
  })
}

test('users without a password are counted in the result', () => {
  const facts = { ...FACTS, activeUsers: 1, usersWithoutPassword: 1 }
  assert.equal(summaryOf({ facts }).result[1], '0 of 1 active user can sign in with their current password.')
})

test('rows that are not needed are explained once, with their number and details', () => {
  const omissions = [
    { what: 'Sessions', why: 'everybody signs in once more', rows: 12, details: [] },
    { what: 'Setting enabled_plugins', why: 'modules cannot be switched off', rows: 1, details: [] },
    { what: 'Permissions', why: 'nothing asks for them', rows: 2, details: ['core.add_shift', 'core.view_shift'] },
  ]
  const { omitted, isComplete } = summaryOf({ omissions })
  assert.deepEqual(omitted, [
    'Sessions (12): everybody signs in once more.',
    'Setting enabled_plugins: modules cannot be switched off.',
    'Permissions (2): nothing asks for them: core.add_shift, core.view_shift.',
  ])
  assert.equal(isComplete, true)
})

test('one and several are told apart', () => {
  const openOf = (report: Partial<ImportReport>) => summaryOf(report).open.join()
  assert.match(openOf({ facts: { ...FACTS, disabledApplications: ['A', 'B'] } }), /^2 OAuth applications are disabled.*“A”, “B”/)
  assert.match(openOf({ tables: [table('files_document', { imported: 1 })] }), /^1 file of events is listed/)
  assert.match(openOf({ tables: [table('a', { kept: 1 }), table('b', { kept: 2 }), table('c')] }), /the tables a, b\. Their rows/)
})
