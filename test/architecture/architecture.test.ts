import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { actionEndpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { actionPage, formPage, viewPage } from '#platform/http/page.ts'
import { makeServer } from '#platform/http/server.ts'
import {
  circlesIn,
  cycleBreaches,
  FEATURES,
  featureBreaches,
  reachBreaches,
  roomBreaches,
  shapeBreaches,
  vocabularyBreaches,
} from './imports.ts'
import { NOT_JOURNALED, RECORDED_BY_CALLERS, silentCommands } from './journal.ts'
import { readBreaches } from './reads.ts'
import { importsOf, type Source } from './source.ts'
import { OWNERS, tablesIn, writerBreaches } from './tables.ts'
import { wordBreaches } from './words.ts'

const SRC = fileURLToPath(new URL('../../src/', import.meta.url))
const read = (path: string): Source => ({ path, text: readFileSync(SRC + path, 'utf8') })
const sources = globSync('**/*.ts', { cwd: SRC }).sort().map(read)
const migrations = globSync('platform/db/migrations/*.sql', { cwd: SRC })
  .sort()
  .map((path) => read(path).text)

type Law = (sources: Source[]) => string[]
const writers: Law = (files) => writerBreaches(files, OWNERS)

const LAWS: [sentence: string, law: Law][] = [
  ['rooms import only the rooms they may know', roomBreaches],
  ['features keep their order and use only the doors of others', featureBreaches],
  ['features form no circle', cycleBreaches],
  ['file names are roles', vocabularyBreaches],
  ['a table is written by its owner only', writers],
  ['what is changed is in the log', silentCommands],
  ['environment, time, network and web framework are reached where they may be', reachBreaches],
  ['every export has a name', shapeBreaches],
  ['tables of other features are read where that is declared', (files) => readBreaches(files)],
  ['a feature uses its own words, shared words, and those of features below it', wordBreaches],
]

test('the sources are found', () => {
  for (const path of ['app.ts', 'platform/http/server.ts', 'features/tokens/commands/personal.ts'])
    assert.ok(
      sources.some((source) => source.path === path),
      path,
    )
})

for (const [sentence, law] of LAWS) test(sentence, () => assert.deepEqual(law(sources), []))

test('every table has an owner, and every owner a table', () => {
  assert.deepEqual(tablesIn(migrations).sort(), Object.keys(OWNERS).sort())
})

test('what is not in the log exists, with a reason', () => {
  assert.deepEqual(
    Object.keys(NOT_JOURNALED).filter((table) => !(table in OWNERS)),
    [],
  )
  assert.deepEqual(
    Object.keys(RECORDED_BY_CALLERS).filter((path) => !sources.some((source) => source.path === path)),
    [],
  )
})

test('the order of the features is one', () => {
  const all = Object.keys(FEATURES)
  const named = all.map((feature): [string, Set<string>] => [feature, new Set(FEATURES[feature]!.filter((name) => name !== '*'))])
  assert.deepEqual(circlesIn(new Map(named)), [])
  assert.deepEqual(
    named.flatMap(([, others]) => [...others]).filter((other) => !all.includes(other)),
    [],
  )
})

/** Each planted source must be reported with these words; without words, it must be let pass. */
const PLANTED: [law: Law, path: string, text: string, words?: RegExp][] = [
  [
    roomBreaches,
    'platform/db/pool.ts',
    `import { signUp } from '#features/participations/commands.ts'`,
    /:1 platform\/db must not import features\/part/,
  ],
  [
    roomBreaches,
    'platform/http/server.ts',
    `\nimport type { Event } from '#features/events/schema.ts'`,
    /:2 platform\/http must not import features\/events/,
  ],
  [roomBreaches, 'platform/html/html.ts', `import { openDatabase } from '../db/pool.ts'`, /html must not import platform\/db/],
  [
    roomBreaches,
    'platform/ui/table.ts',
    `import type { Actor } from '#platform/auth/actor.ts'`,
    /ui must not import platform\/auth/,
  ],
  [
    roomBreaches,
    'platform/auth/actor.ts',
    `import { x } from '#platform/http/problem.ts'`,
    /auth must not import platform\/http/,
  ],
  [roomBreaches, 'platform/mail/mail.ts', `import { html } from '#platform/html/html.ts'`, /mail must not import platform\/html/],
  [roomBreaches, 'platform/clock.ts', `import { readConfig } from './config.ts'`, /clock must not import platform\/config/],
  [roomBreaches, 'features/users/queries.ts', `import { buildApp } from '#app'`, /users must not import app.ts/],
  [roomBreaches, 'features/users/queries.ts', `import { CAST } from '../../demo/people.ts'`, /users must not import demo/],
  [roomBreaches, 'features/users/queries.ts', `import { freshDatabase } from '#test/database.ts'`, /imports the test/],
  [roomBreaches, 'main.ts', `import { signUp } from '#features/participations/commands.ts'`, /main.ts must not import features/],
  [roomBreaches, 'demo/world.ts', `import { serve } from '../cli/serve.ts'`, /demo must not import cli/],
  [roomBreaches, 'cli/serve.ts', `import { world } from '../../test/world.ts'`, /leaves src/],
  [roomBreaches, 'platform/cache/cache.ts', '', /platform\/cache is not a room/],
  [roomBreaches, 'shared.ts', '', /shared.ts is not a room/],
  [roomBreaches, 'platform/http/server.ts', `export { may } from '#features/users/access.ts'`, /must not import/],
  [roomBreaches, 'platform/http/server.ts', `const late = await import('#features/users/access.ts')`, /must not import/],
  [roomBreaches, 'platform/http/server.ts', `import {\n  a,\n  b,\n} from '#features/users/access.ts'`, /:1 .*must not import/],
  [roomBreaches, 'platform/http/server.ts', `// import { may } from '#features/users/access.ts'`],
  [roomBreaches, 'app.ts', `import { pages } from '#features/users/pages.ts'`],
  [roomBreaches, 'platform/http/server.test.ts', `import { freshDatabase } from '#test/database.ts'`],
  [
    silentCommands,
    'features/users/commands/groups.ts',
    `await tx.insertInto('user_group').values({ name }).execute()`,
    /groups.ts writes user_group without an entry/,
  ],
  [
    silentCommands,
    'features/users/commands/groups.ts',
    `await tx.insertInto('user_group').execute()\nawait record(tx, doing, entry)`,
  ],
  [silentCommands, 'features/sign-in/commands/sign-in.ts', `await tx.insertInto('sign_in_attempt').execute()`],
  [
    featureBreaches,
    'features/users/queries.ts',
    `import { x } from '#features/events/queries.ts'`,
    /users must not import events/,
  ],
  [
    featureBreaches,
    'features/sign-in/commands.ts',
    `import { x } from '../tokens/commands.ts'`,
    /sign-in must not import tokens/,
  ],
  [
    featureBreaches,
    'features/events/queries.ts',
    `import { x } from '#features/users/pages.ts'`,
    /must not import pages of users/,
  ],
  [
    featureBreaches,
    'features/events/queries.ts',
    `import { x } from '#features/users/jobs/clean.ts'`,
    /must not import jobs of users/,
  ],
  [
    featureBreaches,
    'features/webhooks/jobs.ts',
    `import { x } from '#features/users/commands.ts'`,
    /must not import commands of users/,
  ],
  [featureBreaches, 'cli/serve.ts', `import { x } from '#features/users/pages.ts'`, /must not import pages of users/],
  [featureBreaches, 'features/users/schema.ts', `import { x } from './queries.ts'`, /schema must not import queries/],
  [featureBreaches, 'features/users/queries.ts', `import { x } from './commands.ts'`, /queries must not import commands/],
  [featureBreaches, 'features/users/views.ts', `import type { Row } from './queries.ts'`, /views must not import queries/],
  [featureBreaches, 'features/users/api.ts', `import { x } from './pages/people.ts'`, /api must not import pages/],
  [featureBreaches, 'features/users/rules.ts', `import { sql } from 'kysely'`, /rules are pure: kysely/],
  [featureBreaches, 'features/users/rules.ts', `import { record } from '#platform/journal/journal.ts'`, /rules are pure/],
  [featureBreaches, 'features/users/rules/ages.ts', `import { readFileSync } from 'node:fs'`, /rules are pure/],
  [featureBreaches, 'features/users/rules/ages.ts', `import { years } from './years.ts'`],
  [featureBreaches, 'features/users/rules.ts', `import type { Actor } from '#platform/auth/actor.ts'`],
  [featureBreaches, 'features/events/queries.ts', `import { visibleTo } from '#features/users/access.ts'`],
  [featureBreaches, 'features/moving/commands.ts', `import { x } from '#features/events/commands.ts'`],
  [vocabularyBreaches, 'features/users/utils.ts', '', /utils says nothing/],
  [vocabularyBreaches, 'platform/http/index.ts', '', /index says nothing/],
  [vocabularyBreaches, 'demo/helpers/names.ts', '', /helpers says nothing/],
  [vocabularyBreaches, 'platform/db/query-helpers.ts', '', /query-helpers says nothing/],
  [vocabularyBreaches, 'features/users/repository.ts', '', /repository is not a role/],
  [vocabularyBreaches, 'features/users/pages/people/list.ts', '', /too deep/],
  [vocabularyBreaches, 'features/oauth/provider/keys.ts', '', /too deep/],
  [vocabularyBreaches, 'features/people/queries.ts', '', /people is not a feature/],
  [vocabularyBreaches, 'features/users/pages/people.ts', ''],
  [vocabularyBreaches, 'features/users/merging.test.ts', ''],
  [
    writers,
    'features/events/commands.ts',
    `await tx.insertInto('participation').values(row)`,
    /:1 writes participation, which belongs to features\/participations/,
  ],
  [writers, 'features/events/commands.ts', `tx\n  .updateTable( 'session')`, /:2 writes session/],
  [writers, 'features/events/jobs.ts', `tx.deleteFrom('journal')`, /writes journal, which belongs to platform\/journal/],
  [writers, 'features/users/commands.ts', 'await sql`insert into\n  event (title) values (1)`', /writes event/],
  [writers, 'platform/jobs/worker.ts', "await pool.query('update shift set missing = 0')", /writes shift/],
  [writers, 'cli/doctor.ts', "await pool.query('DELETE FROM event')", /writes event/],
  [writers, 'features/users/commands.ts', `tx.mergeInto('permission')`, /writes permission, which belongs to triggers/],
  [writers, 'features/users/commands.ts', `tx.updateTable('user_profile as person')`],
  [writers, 'features/users/queries.ts', 'await sql`select id from event for update of event`'],
  [writers, 'features/users/queries.ts', '// update event\nconst x = 1'],
  [writers, 'demo/events.ts', `tx.insertInto('event')`],
  [reachBreaches, 'features/users/commands.ts', 'const now = new Date()', /:1 reads the time/],
  [reachBreaches, 'platform/http/rate-limiter.ts', '\n\nconst ends = Date.now() + 1', /:3 reads the time/],
  [reachBreaches, 'features/users/commands.ts', 'const now = new Date', /reads the time/],
  [reachBreaches, 'features/users/commands.ts', 'const then = new Date(row.at)'],
  [reachBreaches, 'platform/config.ts', 'const level = process.env.LOG_LEVEL', /reads the environment/],
  [reachBreaches, 'cli/serve.ts', 'const { PORT } = process.env', /reads the environment/],
  [reachBreaches, 'cli.ts', 'readConfig(process.env)'],
  [reachBreaches, 'features/federation/partner.ts', 'await fetch(url)', /opens a connection/],
  [reachBreaches, 'features/federation/partner.ts', `import { request } from 'node:https'`, /must not import node:https/],
  [reachBreaches, 'features/federation/partner.ts', `import { connect, isIP } from 'node:net'`, /must not import node:net/],
  [reachBreaches, 'features/federation/partner.ts', `import { isIP } from 'node:net'`],
  [reachBreaches, 'features/notifications/jobs.ts', `import { createTransport } from 'nodemailer'`, /must not import nodemailer/],
  [reachBreaches, 'features/users/queries.ts', `import pg from 'pg'`, /must not import pg/],
  [reachBreaches, 'features/users/pages.ts', `import type { FastifyRequest } from 'fastify'`, /must not import fastify/],
  [reachBreaches, 'app.ts', `import cookie from '@fastify/cookie'`, /must not import @fastify/],
  [reachBreaches, 'platform/outbound/get.ts', `import { request } from 'node:https'`],
  [shapeBreaches, 'platform/log.ts', '\nexport default makeLog', /:2 exports without a name/],
  [shapeBreaches, 'platform/log.ts', `export * from './other.ts'`, /exports without a name/],
]

for (const [law, path, text, words] of PLANTED) {
  const shown = `${path}: ${text.slice(0, 60).replaceAll('\n', ' ') || '(empty)'}`
  test(words ? `reports ${shown}` : `lets pass ${shown}`, () => {
    const breaches = law([{ path, text }])
    if (!words) return assert.deepEqual(breaches, [])
    assert.equal(breaches.length, 1)
    assert.match(breaches[0]!, words)
  })
}

test('reports reads that are not declared, and declarations without a read', () => {
  const query = { path: 'features/finding/queries.ts', text: '\nsql`select from event e join shift s on true`' }
  const declared = { below: { finding: ['event'] }, above: {} }
  assert.deepEqual(readBreaches([query], declared), [
    'features/finding/queries.ts:2 reads shift of events, which READS does not declare',
  ])
  assert.deepEqual(readBreaches([query], { below: { finding: ['event', 'shift', 'guest'] }, above: {} }), [
    'finding declares guest and does not read it',
  ])
  const upwards = { path: 'features/users/queries.ts', text: "db.selectFrom('event')" }
  assert.deepEqual(readBreaches([upwards], { below: { users: ['event'] }, above: {} }), [
    'features/users/queries.ts:1 reads event of events, which READS_ABOVE does not declare',
  ])
})

test('reports messages of features above', () => {
  const words = { path: 'features/finding/words.en.ts', text: "export const en = {\n  'home.title': 'Home',\n}" }
  const use = (path: string, text: string) => wordBreaches([words, { path, text }])
  assert.match(
    use('features/users/views.ts', "\nwords.t('home.title')").join(),
    /^features\/users\/views.ts:2 uses home.title, a message of finding$/,
  )
  assert.match(use('features/users/views.ts', 'words.t(`home.${name}`)').join(), /uses home\.…/)
  assert.deepEqual(use('features/notifications/views.ts', "words.t('home.title')"), [])
})

test('reports a circle of features', () => {
  const circle = [
    { path: 'features/users/queries.ts', text: `import { x } from '../events/queries.ts'` },
    { path: 'features/events/queries.ts', text: `import { x } from '#features/users/queries.ts'` },
  ]
  assert.match(cycleBreaches(circle).join(), /(users → events → users|events → users → events) is a circle/)
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

/** Types refuse these already; this is for code that got around them. */
const undeclared = { path: '/api/forgotten/', kind: 'list', parameters: {} } as never

for (const [what, planted] of [
  ['endpoint', { endpoints: [undeclared], pages: [] }],
  ['page', { endpoints: [], pages: [undeclared] }],
] as const) {
  test(`a server with one ${what} that declares no access does not start`, async () => {
    await assert.rejects(makeServer(planted as never), /\/api\/forgotten\/ declares no access/)
  })
}

type Make = (value: never) => unknown

for (const make of [listEndpoint, recordEndpoint, actionEndpoint, viewPage, formPage, actionPage] as Make[]) {
  test(`${make.name} refuses a value that declares no access`, () => {
    assert.throws(() => make(undeclared), /declares no access/)
    assert.throws(() => make({ path: '/x/', access: { kind: 'everybody' } } as never), /declares no access/)
  })
}
