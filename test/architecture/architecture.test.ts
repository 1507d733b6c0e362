import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actionEndpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { actionPage, formPage, viewPage } from '#platform/http/page.ts'
import { makeServer } from '#platform/http/server.ts'
import { FEATURES } from '../../src/features.ts'
import { unusedExports } from './exports.ts'
import {
  accessViolations,
  cycleViolations,
  exportViolations,
  featureViolations,
  fileCycleViolations,
  fileNameViolations,
  folderViolations,
  pastTheInterface,
} from './imports.ts'
import { NOT_JOURNALED, RECORDED_BY_CALLERS, unjournaledCommands } from './journal.ts'
import { idleTriggers, journalKindViolations } from './journal-kinds.ts'
import { domainViolations } from './platform.ts'
import { readViolations } from './reads.ts'
import { importsOf, isTest, type Source } from './source.ts'
import { OWNED, OWNERS, tablesIn, writeViolations } from './tables.ts'
import { messageViolations, unneededUses } from './words.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const read = (path: string): Source => ({ path, text: readFileSync(SRC + path, 'utf8') })
const sources = globSync('**/*.ts', { cwd: SRC }).sort().map(read)
const migrations = globSync('platform/db/migrations/*.sql', { cwd: SRC })
  .sort()
  .map((path) => read(path).text)

type Rule = (sources: Source[]) => string[]
const writers: Rule = (files) => writeViolations(files, OWNERS)

const RULES: [sentence: string, rule: Rule][] = [
  ['folders import only the folders they may know', folderViolations],
  ['features import only public files of features below them', featureViolations],
  ['features have no import cycle', cycleViolations],
  ['files have no import cycle', fileCycleViolations],
  ['file names of features are roles', fileNameViolations],
  ['only its owner writes a table', writers],
  ['commands that change data record a journal entry', unjournaledCommands],
  ['kinds of journal entries are declared once, recorded, and read by their declared name', journalKindViolations],
  ['triggers of notifications are recorded', idleTriggers],
  ['only certain files use the environment, the clock, the network, zone rules of the database and Fastify', accessViolations],
  ['every export has a name', exportViolations],
  ['the platform does not name what features are about', domainViolations],
  ['features read only tables of other features that they declare', (files) => readViolations(files)],
  ['a feature uses its own words, shared words, and those of features below it', messageViolations],
]

test('finds the sources', () => {
  for (const path of ['app.ts', 'platform/http/server.ts', 'features/access/tokens/commands/personal.ts'])
    assert.ok(
      sources.some((source) => source.path === path),
      path,
    )
})

for (const [sentence, rule] of RULES) test(sentence, () => assert.deepEqual(rule(sources), []))

test('extensions of this repository import the public interface, their own files and modules of Node only', () => {
  const folder = fileURLToPath(new URL('../../extensions/', import.meta.url))
  const files = globSync('**/*.js', { cwd: folder }).map((path) => ({ path, text: readFileSync(folder + path, 'utf8') }))
  assert.ok(files.length > 3)
  assert.deepEqual(files.flatMap(pastTheInterface), [])
})

test('an import past the interface is found', () => {
  for (const specifier of ['#platform/clock.ts', '../../src/version.ts', 'kysely', 'turnout/package.json', '../other/index.js'])
    assert.equal(pastTheInterface({ path: 'mine/index.js', text: `import { x } from '${specifier}'` }).length, 1, specifier)
  for (const specifier of ['turnout/extension', './rules.js', 'node:crypto'])
    assert.deepEqual(pastTheInterface({ path: 'mine/index.js', text: `import { x } from '${specifier}'` }), [], specifier)
})

test('every table has one owner, and every owner a table', () => {
  assert.deepEqual(OWNED.map(([table]) => table).sort(), tablesIn(migrations).sort())
})

test('every exception from the journal exists', () => {
  assert.deepEqual(
    Object.keys(NOT_JOURNALED).filter((table) => !(table in OWNERS)),
    [],
  )
  assert.deepEqual(
    Object.keys(RECORDED_BY_CALLERS).filter((path) => !sources.some((source) => source.path === path)),
    [],
  )
})

test('features use only features before them in the list', () => {
  const order = FEATURES.map(({ name }) => name)
  const later = FEATURES.flatMap(({ name, uses }) =>
    uses.filter((used) => order.indexOf(used.name) >= order.indexOf(name)).map((used) => `${name} uses ${used.name}`),
  )
  assert.deepEqual(later, [])
})

test('every folder in a group of features/ is in the list, under its name', () => {
  const folders = globSync('features/*/*/', { cwd: SRC }).map((path) => path.split('/')[2]!)
  assert.deepEqual(FEATURES.map(({ name }) => name).sort(), folders.sort())
})

/** At these, only extensions add. */
const ADDED_BY_EXTENSIONS = ['channels.channel', 'eligibility.sign-up-rule', 'extensions.settings', 'planning.shift-form.section']

test('extension points have different names, and features add only to points that exist', () => {
  const names = sources
    .filter((source) => !isTest(source))
    .flatMap(({ text }) =>
      [...text.matchAll(/\b(?:extensionPoint|hookPoint)(?:<[^;]*?>)?\(\s*'([^']+)'/g)].map(([, name]) => name!),
    )
  assert.ok(names.length > 20)
  assert.deepEqual(names.toSorted(), [...new Set(names)].sort())
  const used = new Set(
    FEATURES.flatMap(({ adds = [], module }) => [...adds.map(({ point }) => point), ...(module ? ['platform.modules'] : [])]),
  )
  assert.deepEqual([...used, ...ADDED_BY_EXTENSIONS].sort(), names.toSorted(), 'a point without an addition is not needed')
})

test('features import or show words of every feature that they declare', () => {
  assert.deepEqual(unneededUses(sources), [])
})

/** Each sample is reported with a message that matches; without a pattern it is accepted. */
const PLANTED: [rule: Rule, path: string, text: string, words?: RegExp][] = [
  [
    folderViolations,
    'platform/db/pool.ts',
    `import { signUp } from '#features/staffing/participations/commands.ts'`,
    /:1 platform\/db must not import features\/part/,
  ],
  [
    folderViolations,
    'platform/http/server.ts',
    `\nimport type { Event } from '#features/events/events/schema/events.ts'`,
    /:2 platform\/http must not import features\/events/,
  ],
  [
    folderViolations,
    'platform/html/html.ts',
    `import { openDatabase } from '../db/pool.ts'`,
    /html must not import platform\/db/,
  ],
  [
    folderViolations,
    'platform/ui/table.ts',
    `import type { Actor } from '#platform/auth/actor.ts'`,
    /ui must not import platform\/auth/,
  ],
  [
    folderViolations,
    'platform/auth/actor.ts',
    `import { x } from '#platform/http/problem.ts'`,
    /auth must not import platform\/http/,
  ],
  [
    folderViolations,
    'platform/mail/mail.ts',
    `import { html } from '#platform/html/html.ts'`,
    /mail must not import platform\/html/,
  ],
  [folderViolations, 'platform/clock.ts', `import { readConfig } from './config.ts'`, /clock must not import platform\/config/],
  [folderViolations, 'features/accounts/users/queries.ts', `import { buildApp } from '#app'`, /users must not import app.ts/],
  [
    folderViolations,
    'features/accounts/users/queries.ts',
    `import { CAST } from '../../../demo/people.ts'`,
    /users must not import demo/,
  ],
  [
    folderViolations,
    'features/accounts/users/queries.ts',
    `import { freshDatabase } from '#test/database.ts'`,
    /imports the test/,
  ],
  [
    folderViolations,
    'main.ts',
    `import { signUp } from '#features/staffing/participations/commands.ts'`,
    /main.ts must not import features/,
  ],
  [folderViolations, 'demo/world.ts', `import { serve } from '../cli/serve.ts'`, /demo must not import cli/],
  [folderViolations, 'cli/serve.ts', `import { world } from '../../test/world.ts'`, /leaves src/],
  [folderViolations, 'platform/cache/cache.ts', '', /platform\/cache is not a known folder/],
  [folderViolations, 'shared.ts', '', /shared.ts is not a known folder/],
  [folderViolations, 'platform/http/server.ts', `export { may } from '#features/accounts/users/access.ts'`, /must not import/],
  [
    folderViolations,
    'platform/http/server.ts',
    `const late = await import('#features/accounts/users/access.ts')`,
    /must not import/,
  ],
  [
    folderViolations,
    'platform/http/server.ts',
    `import {\n  a,\n  b,\n} from '#features/accounts/users/access.ts'`,
    /:1 .*must not import/,
  ],
  [folderViolations, 'platform/http/server.ts', `// import { may } from '#features/accounts/users/access.ts'`],
  [folderViolations, 'app.ts', `import { pages } from '#features/accounts/users/pages.ts'`],
  [folderViolations, 'platform/http/server.test.ts', `import { freshDatabase } from '#test/database.ts'`],
  [
    unjournaledCommands,
    'features/accounts/people/commands/groups.ts',
    `await tx.insertInto('user_group').values({ name }).execute()`,
    /groups.ts writes user_group without an entry/,
  ],
  [
    unjournaledCommands,
    'features/accounts/people/commands/groups.ts',
    `await tx.insertInto('user_group').execute()\nawait record(tx, doing, entry)`,
  ],
  [unjournaledCommands, 'features/access/sign-in/commands/sign-in.ts', `await tx.insertInto('sign_in_attempt').execute()`],
  [
    journalKindViolations,
    'features/accounts/people/journal.ts',
    "  interface JournalKinds {\n    'group.renamed': { subject: 'group' }\n  }",
    /declares group.renamed, which no command records/,
  ],
  [
    journalKindViolations,
    'features/accounts/people/queries.ts',
    "\nconst kind = journalKind('group.renamed')",
    /:2 reads group.renamed, which no command records/,
  ],
  [
    journalKindViolations,
    'features/accounts/people/queries.ts',
    "sql`where j.kind in ('group.changed')`",
    /:1 names a kind without journalKind/,
  ],
  [
    journalKindViolations,
    'features/accounts/people/queries.ts',
    "sql`where j.kind like 'group.%'`",
    /:1 names a kind without journalKind/,
  ],
  [
    featureViolations,
    'features/accounts/users/queries.ts',
    `import { x } from '#features/events/events/queries.ts'`,
    /users must not import events/,
  ],
  [
    featureViolations,
    'features/access/sign-in/commands.ts',
    `import { x } from '../tokens/commands.ts'`,
    /sign-in must not import tokens/,
  ],
  [
    featureViolations,
    'features/on-the-day/hours/queries.ts',
    `import { x } from '#features/accounts/users/pages.ts'`,
    /must not import pages of users/,
  ],
  [
    featureViolations,
    'features/on-the-day/hours/queries.ts',
    `import { x } from '#features/accounts/users/jobs/clean.ts'`,
    /must not import jobs of users/,
  ],
  [
    featureViolations,
    'features/sharing/webhooks/jobs.ts',
    `import { x } from '#features/accounts/users/commands.ts'`,
    /must not import commands of users/,
  ],
  [featureViolations, 'cli/serve.ts', `import { x } from '#features/accounts/users/pages.ts'`, /must not import pages of users/],
  [featureViolations, 'features/accounts/users/schema.ts', `import { x } from './queries.ts'`, /schema must not import queries/],
  [
    featureViolations,
    'features/accounts/users/queries.ts',
    `import { x } from './commands.ts'`,
    /queries must not import commands/,
  ],
  [
    featureViolations,
    'features/accounts/users/views.ts',
    `import { findPeople } from './queries.ts'`,
    /views must not import queries/,
  ],
  [featureViolations, 'features/accounts/users/views.ts', `import type { Row } from './queries.ts'`],
  [featureViolations, 'features/accounts/users/api.ts', `import { x } from './pages/people.ts'`, /api must not import pages/],
  [featureViolations, 'features/accounts/users/rules.ts', `import { sql } from 'kysely'`, /rules are pure: kysely/],
  [
    featureViolations,
    'features/accounts/users/rules.ts',
    `import { record } from '#platform/journal/journal.ts'`,
    /rules are pure/,
  ],
  [featureViolations, 'features/accounts/users/rules/ages.ts', `import { readFileSync } from 'node:fs'`, /rules are pure/],
  [featureViolations, 'features/accounts/users/rules.ts', `import { z } from 'zod'`, /rules are pure: zod/],
  [featureViolations, 'features/staffing/staffing/flows/manual.ts', `import { sql } from 'kysely'`, /rules are pure: kysely/],
  [
    featureViolations,
    'features/staffing/staffing/structures/registry.ts',
    `import { loadStaffing } from '../queries/staffing.ts'`,
    /rules are pure: \.\.\/queries/,
  ],
  [featureViolations, 'features/staffing/staffing/flows/manual.ts', `import { z } from 'zod'`],
  [
    featureViolations,
    'features/staffing/participations/rules/a.ts',
    `import { getFlow } from '#features/staffing/staffing/flows/registry.ts'`,
  ],
  [featureViolations, 'features/accounts/users/rules/ages.ts', `import { years } from './years.ts'`],
  [featureViolations, 'features/accounts/users/rules.ts', `import type { Actor } from '#platform/auth/actor.ts'`],
  [featureViolations, 'features/on-the-day/hours/queries.ts', `import { visibleTo } from '#features/accounts/users/access.ts'`],
  [
    featureViolations,
    'features/operations/import-ephios/commands.ts',
    `import { x } from '#features/accounts/people/commands.ts'`,
  ],
  [featureViolations, 'features/on-the-day/hours/feature.ts', `import { users } from '#features/accounts/users/feature.ts'`],
  [
    featureViolations,
    'features/on-the-day/hours/queries.ts',
    `import { users } from '#features/accounts/users/feature.ts'`,
    /must not import feature of users/,
  ],
  [
    featureViolations,
    'features/accounts/users/feature.ts',
    `import { hours } from '#features/on-the-day/hours/feature.ts'`,
    /users must not import hours/,
  ],
  [fileNameViolations, 'features/accounts/users/utils.ts', '', /utils is too vague/],
  [fileNameViolations, 'platform/http/index.ts', '', /index is too vague/],
  [fileNameViolations, 'demo/helpers/names.ts', '', /helpers is too vague/],
  [fileNameViolations, 'platform/db/query-helpers.ts', '', /query-helpers is too vague/],
  [fileNameViolations, 'features/accounts/users/repository.ts', '', /repository is not a role/],
  [fileNameViolations, 'features/accounts/users/pages/people/list.ts', '', /too deep/],
  [fileNameViolations, 'features/access/oauth/provider/keys.ts', '', /too deep/],
  [fileNameViolations, 'features/accounts/persons/queries.ts', '', /persons is not a known feature/],
  [fileNameViolations, 'features/accounts/people/pages/people.ts', ''],
  [fileNameViolations, 'features/accounts/users/merging.test.ts', ''],
  [
    writers,
    'features/events/events/commands.ts',
    `await tx.insertInto('participation').values(row)`,
    /:1 writes participation, which belongs to features\/participations/,
  ],
  [writers, 'features/events/events/commands.ts', `tx\n  .updateTable( 'session')`, /:2 writes session/],
  [writers, 'features/events/events/jobs.ts', `tx.deleteFrom('journal')`, /writes journal, which belongs to platform\/journal/],
  [writers, 'features/accounts/users/commands.ts', 'await sql`insert into\n  event (title) values (1)`', /writes event/],
  [writers, 'platform/jobs/worker.ts', "await pool.query('update shift set missing = 0')", /writes shift/],
  [writers, 'cli/doctor.ts', "await pool.query('DELETE FROM event')", /writes event/],
  [writers, 'features/accounts/users/commands.ts', `tx.mergeInto('permission')`, /writes permission, which belongs to triggers/],
  [writers, 'features/accounts/users/commands.ts', `tx.updateTable('user_profile as person')`],
  [writers, 'features/accounts/users/queries.ts', 'await sql`select id from event for update of event`'],
  [writers, 'features/accounts/users/queries.ts', '// update event\nconst x = 1'],
  [writers, 'demo/events.ts', `tx.insertInto('event')`],
  [accessViolations, 'features/accounts/users/commands.ts', 'const now = new Date()', /:1 reads the time/],
  [accessViolations, 'platform/http/rate-limiter.ts', '\n\nconst ends = Date.now() + 1', /:3 reads the time/],
  [accessViolations, 'features/accounts/users/commands.ts', 'const now = new Date', /reads the time/],
  [accessViolations, 'features/accounts/users/commands.ts', 'const then = new Date(row.at)'],
  [accessViolations, 'platform/config.ts', 'const level = process.env.LOG_LEVEL', /reads the environment/],
  [accessViolations, 'cli/serve.ts', 'const { PORT } = process.env', /reads the environment/],
  [accessViolations, 'cli.ts', 'readConfig(process.env)'],
  [accessViolations, 'features/sharing/federation/partner.ts', 'await fetch(url)', /opens a connection/],
  [
    accessViolations,
    'features/on-the-day/hours/queries.ts',
    'sql`(at at time zone zone)::date`',
    /uses zone rules of the database/,
  ],
  [accessViolations, 'features/on-the-day/hours/queries.ts', "sql`at at time zone 'UTC'`"],
  [
    accessViolations,
    'features/sharing/federation/partner.ts',
    `import { request } from 'node:https'`,
    /must not import node:https/,
  ],
  [
    accessViolations,
    'features/sharing/federation/partner.ts',
    `import { connect, isIP } from 'node:net'`,
    /must not import node:net/,
  ],
  [accessViolations, 'features/sharing/federation/partner.ts', `import { isIP } from 'node:net'`],
  [
    accessViolations,
    'features/messaging/notifications/jobs.ts',
    `import { createTransport } from 'nodemailer'`,
    /must not import nodemailer/,
  ],
  [accessViolations, 'features/accounts/users/queries.ts', `import pg from 'pg'`, /must not import pg/],
  [
    accessViolations,
    'features/accounts/users/pages.ts',
    `import type { FastifyRequest } from 'fastify'`,
    /must not import fastify/,
  ],
  [accessViolations, 'app.ts', `import cookie from '@fastify/cookie'`, /must not import @fastify/],
  [accessViolations, 'platform/outbound/get.ts', `import { request } from 'node:https'`],
  [
    domainViolations,
    'platform/ui/card.ts',
    '\nexport function shiftCardView() {}',
    /:2 shiftCardView: the platform knows nothing/,
  ],
  [domainViolations, 'platform/ui/card.ts', "words.t('ui.roster')", /roster/],
  [domainViolations, 'platform/ui/card.ts', 'sql`select max_participations from event`', /max_participations/],
  [domainViolations, 'platform/ui/card.ts', '// as on a shift\nconst next = waiting.shift()'],
  [domainViolations, 'features/events/events/views/card.ts', 'export function shiftCardView() {}'],
  [exportViolations, 'platform/log.ts', '\nexport default makeLog', /:2 exports without a name/],
  [exportViolations, 'platform/log.ts', `export * from './other.ts'`, /exports without a name/],
]

for (const [rule, path, text, words] of PLANTED) {
  const shown = `${path}: ${text.slice(0, 60).replaceAll('\n', ' ') || '(empty)'}`
  test(words ? `reports ${shown}` : `accepts ${shown}`, () => {
    const violations = rule([{ path, text }])
    if (!words) return assert.deepEqual(violations, [])
    assert.equal(violations.length, 1)
    assert.match(violations[0]!, words)
  })
}

test('every export is used by another file', () => {
  const root = new URL('../../', import.meta.url)
  const others = globSync(['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts'], { cwd: fileURLToPath(root) }).map((path) => ({
    path,
    text: readFileSync(new URL(path, root), 'utf8'),
  }))
  assert.deepEqual(unusedExports(sources, others), [])
})

test('reports exports that no other file uses', () => {
  const source = { path: 'platform/log.ts', text: '\nexport const makeLog = 1\nexport type Log = number' }
  const use = { path: 'app.ts', text: "import { makeLog } from './platform/log.ts'" }
  assert.deepEqual(unusedExports([source, use], []), ['platform/log.ts:3 exports Log, which no other file uses'])
})

test('reports reads that are not declared, and declarations without a read', () => {
  const query = { path: 'features/events/browse/queries.ts', text: '\nsql`select from event e join shift s on true`' }
  const declared = { below: { browse: ['event'] }, above: {} }
  assert.deepEqual(readViolations([query], declared), [
    'features/events/browse/queries.ts:2 reads shift of events, which `reads` of browse does not declare',
  ])
  assert.deepEqual(readViolations([query], { below: { browse: ['event', 'shift', 'guest'] }, above: {} }), [
    'browse declares guest and does not read it',
  ])
  const upwards = { path: 'features/accounts/users/queries.ts', text: "db.selectFrom('event')" }
  assert.deepEqual(readViolations([upwards], { below: { users: ['event'] }, above: {} }), [
    'features/accounts/users/queries.ts:1 reads event of events, which `readsAbove` of users does not declare',
  ])
})

test('reports messages of features above', () => {
  const words = { path: 'features/events/browse/words.en.ts', text: "export const en = {\n  'home.title': 'Home',\n}" }
  const use = (path: string, text: string) => messageViolations([words, { path, text }])
  assert.match(
    use('features/accounts/users/views.ts', "\nwords.t('home.title')").join(),
    /^features\/accounts\/users\/views.ts:2 uses home.title, a message of browse$/,
  )
  const template = 'words.t(`home.$' + '{name}`)'
  assert.match(use('features/accounts/users/views.ts', template).join(), /uses home\.…/)
  assert.deepEqual(use('features/on-the-day/hours/views.ts', "words.t('home.title')"), [])
})

test('reports features that are declared and not used', () => {
  const query = {
    path: 'features/staffing/companions/queries.ts',
    text: `import { x } from '#features/staffing/staffing/queries.ts'`,
  }
  assert.deepEqual(
    unneededUses([query]).filter((use) => use.startsWith('companions ')),
    ['companions uses users', 'companions uses eligibility', 'companions uses participations'],
  )
})

test('compares the kinds that are declared with those that are recorded', () => {
  const declare = (name: 'JournalKinds' | 'FormerJournalKinds', feature: string) => ({
    path: `features/accounts/${feature}/journal.ts`,
    text: `  interface ${name} {\n    'group.renamed': { subject: 'group' }\n  }`,
  })
  const declared = declare('JournalKinds', 'people')
  const recording = (code: string, feature = 'people') => ({ path: `features/accounts/${feature}/commands.ts`, text: code })
  for (const code of [
    "record(tx, context, { kind: 'group.renamed' })",
    "const kind = isNew ? 'group.created' : 'group.renamed'",
    "recordGroup(tx, 'group.renamed')",
  ])
    assert.deepEqual(journalKindViolations([declared, recording(code)]), [], code)
  for (const code of [
    "type Kind = { kind: 'group.created' | 'group.renamed' }",
    "const entry = await getEntry(tx, id, ['group.renamed'])",
    "if (entry.kind === 'group.renamed') return",
    "// { kind: 'group.renamed' }",
  ])
    assert.match(journalKindViolations([declared, recording(code)]).join(), /group.renamed, which no command records/, code)
  const code = "record(tx, context, { kind: 'group.renamed' })"
  assert.match(journalKindViolations([declared, declared, recording(code)]).join(), /declares group.renamed again/)
  assert.match(journalKindViolations([declare('FormerJournalKinds', 'people'), recording(code)]).join(), /as former/)
  assert.match(
    journalKindViolations([declare('JournalKinds', 'joining'), recording(code)]).join(),
    /people\/commands.ts:1 records group.renamed, which joining declares/,
  )
})

test('reports triggers of notifications that never fire', () => {
  const others = sources.map(({ path, text }) => ({ path, text: text.replaceAll("'event.published'", "'event.publishd'") }))
  assert.ok(idleTriggers(others).includes('event_published waits for event.published'))
})

test('reports a cycle of features', () => {
  const cycle = [
    { path: 'features/accounts/users/queries.ts', text: `import { x } from '../events/queries.ts'` },
    { path: 'features/events/events/queries.ts', text: `import { x } from '#features/accounts/users/queries.ts'` },
  ]
  assert.match(cycleViolations(cycle).join(), /(users → events → users|events → users → events) is a cycle/)
})

test('reports a cycle of files, also of types', () => {
  const cycle = [
    { path: 'features/accounts/users/queries/a.ts', text: `import { b } from './b.ts'` },
    { path: 'features/accounts/users/queries/b.ts', text: `import type { A } from './a.ts'` },
    { path: 'features/accounts/users/queries/c.ts', text: `import type { A } from './a.ts'` },
  ]
  assert.deepEqual(fileCycleViolations(cycle), [
    'features/accounts/users/queries/a.ts → features/accounts/users/queries/b.ts → features/accounts/users/queries/a.ts is a cycle of files',
  ])
})

test('knows the tables that later migrations drop', () => {
  assert.deepEqual(tablesIn(['create table a (\n);\ncreate table if not exists b ();', 'drop table a;\ncreate table c ()']), [
    'b',
    'c',
  ])
})

test('reads every form of import', () => {
  const text = `import a from 'one'\nimport { type B } from 'two'\nimport type { C } from "three"\nimport 'four'\nexport * from 'five'
const x = () => import('six')\nexport type { D } from 'seven'\nconst text = 'import nothing from here'`
  const found = importsOf({ path: 'x.ts', text }).map(({ specifier, isType }) => `${specifier}${isType ? ' type' : ''}`)
  assert.deepEqual(found, ['one', 'two type', 'three type', 'five', 'seven type', 'four', 'six'])
})

/** The compiler rejects these already; this is the check at runtime. */
const undeclared = { path: '/api/forgotten/', kind: 'list', parameters: {} } as never

for (const [what, values] of [
  ['endpoint', { endpoints: [undeclared], pages: [] }],
  ['page', { endpoints: [], pages: [undeclared] }],
] as const) {
  test(`a server with one ${what} that declares no access does not start`, async () => {
    await assert.rejects(makeServer(values as never), /\/api\/forgotten\/ declares no access/)
  })
}

type Make = (value: never) => unknown

for (const make of [listEndpoint, recordEndpoint, actionEndpoint, viewPage, formPage, actionPage] as Make[]) {
  test(`${make.name} refuses a value that declares no access`, () => {
    assert.throws(() => make(undeclared), /declares no access/)
    assert.throws(() => make({ path: '/x/', access: { kind: 'everybody' } } as never), /declares no access/)
  })
}

test('decisions are numbered from 1 without gaps, each with its number in the heading and the same sections', () => {
  const folder = fileURLToPath(new URL('../../docs/decisions/', import.meta.url))
  const files = globSync('*.md', { cwd: folder }).sort()
  for (const file of files) {
    const sections = readFileSync(folder + file, 'utf8').match(/^## (Context|Decision|Consequences)$/gm)
    assert.deepEqual(sections, ['## Context', '## Decision', '## Consequences'], file)
  }
  const numbers = files.map((file, index) => {
    const [, heading = ''] = /^# (\d+)\. /.exec(readFileSync(folder + file, 'utf8')) ?? []
    return [Number(file.slice(0, 4)), Number(heading), index + 1].join()
  })
  assert.deepEqual(
    numbers,
    files.map((_, index) => Array.from({ length: 3 }, () => index + 1).join()),
  )
})
