import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { performChecks } from '#features/operations/status/commands/list.ts'
import { readConfig } from '#platform/config.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const root = mkdtempSync(join(tmpdir(), 'turnout-extensions-'))
after(() => rmSync(root, { recursive: true }))

/** No export of this file. */
const EXPORT = 'export'

/** A folder with an extension whose definition has these lines. `before`: what runs at its import. */
function write(name: string, lines: string, { before = '', turnout = '^1.0' } = {}): string {
  const folder = join(root, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  const words = "{ title: 'T', text: 'T', who: 'W', label: 'L' }"
  writeFileSync(
    join(folder, 'index.js'),
    `import { defineExtension, html } from 'turnout/extension'
${before}
const extension = defineExtension({ name: '${name}', version: '1.2.3', turnout: '${turnout}', words: { en: ${words}, de: ${words} }, ${lines} })
${EXPORT} { extension as default }`,
  )
  return folder
}

const PERSONAL = 'create table note (person_id bigint references public.user_profile (id))'
/** Each is left out at start; the page of modules and the system status say why. */
const LEFT_OUT: [name: string, lines: string, reason: RegExp, more?: { before?: string; turnout?: string }][] = [
  ['throws', '', /thrown at import/, { before: "throw new Error('thrown at import')" }],
  ['never_ends', '', /took longer than 1500 ms/, { before: 'await new Promise(() => {})' }],
  ['from_the_future', '', /for version \^2\.0 of the interface, and this is 1\./, { turnout: '^2.0' }],
  [
    'takes_core_page',
    "pages: [{ path: '/manage/', access: 'staff', show: async () => ({}) }]",
    /page \/manage\/ is not below \/x\/takes_core_page\//,
  ],
  [
    'takes_other_page',
    "pages: [{ path: '/x/takes_other_page/../other/', access: 'staff', show: async () => ({}) }]",
    /is not below/,
  ],
  ['open_page', "pages: [{ path: '/x/open_page/', access: 'open', show: async () => ({}) }]", /pages\.0/],
  ['unknown_part', 'routes: []', /[Uu]nrecognized key[\s\S]*routes/],
  ['bad_sql', "migrations: [{ name: 'one', sql: 'create table (' }]", /the migration one failed: syntax error/],
  [
    'personal',
    `migrations: [{ name: 'one', sql: '${PERSONAL}' }]`,
    /note\.person_id refers to a person and is not in personalData/,
  ],
  [
    'by_name',
    "migrations: [{ name: 'one', sql: 'create table note (user_id bigint)' }]",
    /note\.user_id refers to a person and is not in personalData/,
  ],
  [
    'alters_core',
    "migrations: [{ name: 'one', sql: 'alter table public.user_profile add column spy text' }]",
    /the migration one changes more than its own schema/,
  ],
  ['commits', "migrations: [{ name: 'one', sql: 'commit; create table public.spy ()' }]", /the migration one/],
  [
    'past_the_interface',
    '',
    /only turnout\/extension is public/,
    { before: `import ${JSON.stringify(join(import.meta.dirname, '../../../version.ts'))}` },
  ],
  ['by_alias', '', /only turnout\/extension is public/, { before: "import '#platform/clock.ts'" }],
  ['by_package', '', /only turnout\/extension is public/, { before: "import 'turnout/package.json'" }],
]

const RUNNING = write(
  'trouble',
  `pages: [
    { path: '/x/trouble/throws/', access: 'signed-in', show: async () => { throw new Error('thrown in a page') } },
    { path: '/x/trouble/never/', access: 'signed-in', show: () => new Promise(() => {}) },
    { path: '/x/trouble/away/', access: 'signed-in', show: async () => ({ redirect: '//elsewhere.example/' }) },
    { path: '/x/trouble/staff/', access: 'staff', show: async () => ({ title: 'Staff', main: html\`<p>staff</p>\` }) },
  ],
  adds: { eventSection: async ({ now }, { id }) => {
    if (globalThis.sectionOfTrouble === 'throws') throw new Error('thrown in a section')
    if (globalThis.sectionOfTrouble === 'slow') await new Promise((done) => setTimeout(done, 60_000).unref())
    return html\`<p>section of trouble</p>\`
  } },`,
)

describe('broken extensions', async () => {
  const folders = LEFT_OUT.map(([name, lines, , more]) => write(name, lines, more))
  const budgets = { importMs: 1500, sectionMs: 100, requestMs: 400 }
  const world = await openWorld({ extensions: namedExtensions([...folders, RUNNING, join(root, 'missing')], budgets) })
  const { db } = world
  const olga = await browserOf(world, OLGA)
  const paul = await browserOf(world, PAUL)
  const problems = new Map(
    (await db.read.selectFrom('extension').select(['name', 'problem']).execute()).map(({ name, problem }) => [name, problem]),
  )
  const { id: eventId } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  const eventPage = async () => (await paul.get(`/events/${eventId}-harbour-run/`)).body
  const setSection = (how: string | undefined) => {
    Object.assign(globalThis, { sectionOfTrouble: how })
  }
  const isOn = async () => (await olga.get('/x/trouble/staff/')).statusCode === 200
  const switchOn = async () => {
    await olga.get('/manage/modules/')
    await olga.post('/manage/modules/switch/', { form: { modules: 'x_trouble', to: 'on' } })
  }

  for (const [name, , reason] of LEFT_OUT)
    test(`${name.replaceAll('_', ' ')}: it is left out, with the reason`, () => assert.match(problems.get(name) ?? '', reason))

  test('a folder that does not exist is named', () =>
    assert.match(problems.get('missing') ?? '', /there is no folder and no installed package/))

  test('a refused migration leaves nothing behind', async () => {
    const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace where nspname like 'x\\_%'`.execute(
      db.read,
    )
    assert.deepEqual(rows, [])
    const { rows: spies } =
      await sql`select from information_schema.columns where column_name = 'spy' or table_name = 'spy'`.execute(db.read)
    assert.deepEqual(spies, [])
  })

  test('the page of modules and the system status say why', async () => {
    const body = (await olga.get('/manage/modules/')).body
    assert.match(body, /Left out: thrown at import/)
    assert.match(body, /<dt>T<\/dt><dd>Version 1\.2\.3<\/dd>/)
    assert.match((await olga.get('/manage/status/')).body, /throws is left out: thrown at import/)
    const config = readConfig({ SITE_URL: 'https://a.example', SECRET_KEY: 'k'.repeat(32) }, 'serve')
    const words = wordsFor('en', 'UTC')
    const input = { db, config, files: world.files, keyring: undefined, version: '1', now: world.now, words }
    const areas = await performChecks(input, { isThorough: false })
    const facts = areas.find(({ area }) => area === 'extensions')?.facts ?? []
    assert.equal(facts.filter(({ state }) => state === 'bad').length, LEFT_OUT.length + 1)
    assert.deepEqual(
      facts.filter(({ state }) => state === 'good').map(({ text }) => text),
      ['trouble 1.2.3'],
    )
  })

  test('access that a page declares holds', async () => {
    assert.equal((await olga.get('/x/trouble/staff/')).statusCode, 200)
    assert.equal((await paul.get('/x/trouble/staff/')).statusCode, 403)
  })

  for (const how of ['throws', 'slow'])
    test(`a section that is ${how} costs itself only`, async () => {
      setSection(undefined)
      assert.match(await eventPage(), /section of trouble/)
      setSection(how)
      const body = await eventPage()
      assert.match(body, /Harbour run/)
      assert.doesNotMatch(body, /section of trouble/)
      setSection(undefined)
    })

  for (const path of ['throws', 'never', 'away'])
    test(`the page ${path} answers 503 alone`, async () => {
      const { statusCode, body } = await paul.get(`/x/trouble/${path}/`)
      assert.equal(statusCode, 503)
      assert.match(body, /The extension trouble gives no answer at the moment/)
      assert.equal((await paul.get('/')).statusCode, 200)
    })

  test('after ten failures within ten minutes it is switched off, and administrators are told', async () => {
    world.now = new Date(world.now.getTime() + 11 * 60_000)
    for (let count = 0; count < 9; count++) await paul.get('/x/trouble/throws/')
    assert.equal(await isOn(), true)
    await paul.get('/x/trouble/throws/')
    assert.equal(await isOn(), false)
    assert.doesNotMatch(await eventPage(), /section of trouble/)
    const notice = /Turnout has switched off after repeated failures: trouble\./
    assert.match((await olga.get('/')).body, notice)
    assert.doesNotMatch((await paul.get('/')).body, notice)
    assert.match((await olga.get('/manage/modules/')).body, /Switched off on [^<]*page \/x\/trouble\/throws\/: thrown in a page/)
    assert.match((await olga.get('/manage/log/')).body, /switched modules on or off/)
    await switchOn()
    assert.equal(await isOn(), true)
    assert.doesNotMatch((await olga.get('/')).body, notice)
  })
})
