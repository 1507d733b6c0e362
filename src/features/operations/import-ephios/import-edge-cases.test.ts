import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '#platform/config.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { type EphiosRows, makeEphiosSqlite } from '#test/support/ephios/database.ts'
import { ANN } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { withStoredRegion } from '../../../cli/database.ts'
import { importEphios, makeImportSecrets } from './commands/import.ts'
import { findUnbalancedTables, type ImportReport } from './rules/report.ts'
import { summarizeImport } from './rules/summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'import-edge-cases-'))
after(() => rmSync(folder, { recursive: true }))
let made = 0

/** Imports a SQLite file with these rows into an empty instance; `more.change` can edit the file before. */
async function importRows(
  rows: EphiosRows,
  more: { change?: (file: DatabaseSync) => void; language?: 'de' | 'en' } = {},
): Promise<{ world: World; report: ImportReport; all: <T>(text: string) => Promise<T[]> }> {
  const path = join(folder, `${++made}.sqlite3`)
  makeEphiosSqlite(path, rows)
  if (more.change) {
    const file = new DatabaseSync(path)
    more.change(file)
    file.close()
  }
  const world = await openWorld({ empty: true })
  const source = await openSourceDatabase(path)
  const secrets = makeImportSecrets(world.app.site.keyring)
  const options = { source, secrets, now: world.now, language: more.language ?? 'de', isDryRun: false } as const
  const report = await importEphios(world.db.write, options).finally(() => source.close())
  assert.deepEqual(findUnbalancedTables(report), [])
  return { world, report, all: async <T>(text: string) => (await sql.raw(text).execute(world.db.read)).rows as T[] }
}

const person = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  email: `p${id}@example.org`,
  display_name: `P${id}`,
  is_active: true,
  is_visible: true,
  preferred_language: 'de',
  calendar_token: `calendar${id}`,
  disabled_notifications: [],
  ...more,
})
const type = { id: 1, title: 'Dienst', color: '#112233', show_participant_data: 0 }
const event = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  title: `E${id}`,
  location: 'Markt',
  type_id: 1,
  active: true,
  ...more,
})
const shift = (id: number, event_id: number, more: Record<string, unknown> = {}) => ({
  id,
  event_id,
  meeting_time: '2031-05-04T05:30:00Z',
  start_time: '2031-05-04T06:00:00Z',
  end_time: '2031-05-04T08:00:00Z',
  signup_flow_slug: 'manual',
  structure_slug: 'uniform',
  ...more,
})
const formatNotes = (report: ImportReport) =>
  report.notes.map(({ table, id, outcome, reason }) => `${table} ${id} ${outcome}: ${reason}`)

describe('an import of', () => {
  test('an empty database only sets the language', async () => {
    const { report, all } = await importRows({}, { language: 'en' })
    assert.deepEqual([report.tables, report.notes, report.unknownColumns, report.identityProviders], [[], [], [], []])
    assert.equal(summarizeImport(report).isComplete, true)
    assert.deepEqual(await all('select name, value from setting'), [{ name: 'default_language', value: 'en' }])
  })

  test('ids beyond 32 bits keeps them, and later ids follow', async () => {
    const [who, what] = [3_000_000_001, 5_000_000_000]
    const { world, all } = await importRows({
      userprofile: [person(who)],
      eventtype: [type],
      event: [event(what)],
      shift: [shift(9_007_199_254_740_000, what)],
      abstractparticipation: [{ id: what, state: 4, shift_id: 9_007_199_254_740_000 }],
      localparticipation: [{ abstractparticipation_ptr_id: what, user_id: who }],
    })
    assert.deepEqual(await all('select id, user_id, event_id, state from participation'), [
      { id: what, user_id: who, event_id: what, state: 4 },
    ])
    const values = { title: 'later', location: '', type_id: 1 }
    const later = await world.db.write.insertInto('event').values(values).returning('id').executeTakeFirstOrThrow()
    assert.equal(later.id, what + 1)
  })

  test('an id beyond 2^53 fails with a clear message', async () => {
    const change = (file: DatabaseSync) => file.exec('insert into auth_group values (9223372036854775807, 1)')
    await assert.rejects(importRows({}, { change }), /9223372036854775807|too large/)
  })

  test('long names, emoji and null characters cuts texts by code points', async () => {
    const { world, all } = await importRows({
      userprofile: [person(1, { display_name: `${'🚒'.repeat(300)}`, phone: '1\u00002' })],
      eventtype: [type],
      event: [event(1, { title: `${'ä'.repeat(400)}`, description: 'a\u0000b' })],
      shift: [
        shift(1, 1, {
          label: '🦺'.repeat(400),
          structure_configuration: '{"a": "x\\u0000y", "path": "c:\\\\u0000", "half": "\\ud83d", "whole": "\\ud83d\\ude92"}',
        }),
      ],
      dynamic_preferences_globalpreferencemodel: [
        { id: 1, section: 'general', name: 'organization_name', raw_value: 'Ö'.repeat(200) },
      ],
    })
    const [row] = await all<Record<string, unknown>>('select display_name, phone from user_profile')
    assert.deepEqual(row, { display_name: '🚒'.repeat(254), phone: '12' })
    assert.deepEqual(await all('select title, description from event'), [{ title: 'ä'.repeat(254), description: 'ab' }])
    assert.deepEqual(await all('select label, structure_configuration as c from shift'), [
      { label: '🦺'.repeat(255), c: { a: 'xy', path: 'c:\\u0000', half: '\ufffd', whole: '🚒' } },
    ])
    const [name] = await all<{ value: string }>(`select value from setting where name = 'organization_name'`)
    assert.equal(name!.value, 'Ö'.repeat(100))
    assert.equal((await world.nobody.get('/accounts/login/', { unchecked: true })).status, 200)
  })

  test('duplicate uuids, group names and links replaces or skips them', async () => {
    const uuid = 'a0000000-0000-4000-8000-000000000011'
    const guest = (id: number) => ({
      id,
      email: `g${id}@example.org`,
      date_of_birth: '2000-01-01',
      event_id: 1,
      display_name: 'G',
    })
    const { report, all } = await importRows({
      auth_group: [
        { id: 1, name: 'Helfer' },
        { id: 2, name: 'Helfer' },
      ],
      qualificationcategory: [{ id: 1, uuid, title: 'Medizin' }],
      qualification: [
        { id: 1, uuid, title: 'San', category_id: 1 },
        { id: 2, uuid, title: 'RS', category_id: 1 },
      ],
      userprofile: [person(1), person(2, { calendar_token: 'calendar1' })],
      eventtype: [type],
      event: [event(1), event(2)],
      guests_eventguestshare: [
        { id: 1, token: 'same', active: true, event_id: 1 },
        { id: 2, token: 'same', active: true, event_id: 2 },
      ],
      guests_guestuser: [
        { ...guest(1), access_token: 'mine' },
        { ...guest(2), access_token: 'mine' },
      ],
    })
    const notes = formatNotes(report)
    assert.deepEqual(
      notes.map((note) => note.replace(/replaced by [-0-9a-f]{36}/, 'replaced by …')),
      [
        'qualification 2 repaired: missing or duplicate uuid replaced by …',
        'auth_group 2 repaired: invalid or duplicate name replaced by “Helfer (No. 2)”',
        'guests_eventguestshare 2 skipped: has no unique link',
        'guests_guestuser 2 repaired: has no unique link; it needs a new one',
      ],
    )
    assert.deepEqual(await all('select name from user_group order by id'), [{ name: 'Helfer' }, { name: 'Helfer (No. 2)' }])
    assert.equal((await all('select id from guest')).length, 2)
    assert.deepEqual(await all('select id from user_profile where calendar_token_hash is not null'), [{ id: 1 }])
  })

  test('invalid days and times removes them or skips the row', async () => {
    const { report, all } = await importRows({
      userprofile: [person(1, { date_of_birth: '1990-02-30', last_login: 'yesterday' })],
      api_accesstoken: [{ id: 1, token: 'secret', scope: 'ME_READ', user_id: 1, expires: 'never' }],
      consequence: [
        { id: 1, slug: 'plugin.grant_medal', data: {}, state: 'executed', user_id: 1 },
        { id: 2, slug: 'ephios.grant_working_hours', data: {}, state: 'unknown', user_id: 1 },
      ],
      workinghours: [{ id: 1, hours: '2', reason: '', user_id: 1, date: 'soon' }],
    })
    assert.deepEqual(formatNotes(report), [
      'userprofile 1 repaired: invalid date of birth removed',
      'workinghours 1 skipped: has no valid hours or date',
      'consequence 1 skipped: requests of the kind plugin.grant_medal belong to an extension',
      'consequence 2 skipped: has no valid data or state',
    ])
    assert.deepEqual(await all('select date_of_birth, last_sign_in_at from user_profile'), [
      { date_of_birth: null, last_sign_in_at: null },
    ])
    const [token] = await all<{ ended: boolean }>(
      "select expires_at <= created_at + interval '10 years' as ended from access_token",
    )
    assert.equal(token!.ended, true)
  })

  test('events without shifts keeps them', async () => {
    const { all } = await importRows({ eventtype: [type], event: [event(1)] })
    assert.deepEqual(await all('select id, start_time, shift_count from event'), [{ id: 1, start_time: null, shift_count: 0 }])
  })

  test('unknown columns and tables keeps whole rows, with secrets sealed', async () => {
    const change = (file: DatabaseSync) => {
      file.exec(`alter table userprofile add column favourite_colour text`)
      file.exec(`update userprofile set favourite_colour = 'blue'`)
      file.exec(`create table someplugin_thing (id, title, secret); insert into someplugin_thing values (1, 'T', 'topsecret')`)
    }
    const { report, all } = await importRows({ userprofile: [person(7)] }, { change })
    assert.deepEqual(report.unknownColumns, ['userprofile.favourite_colour'])
    const kept = await all<{ table_name: string; row: Record<string, unknown>; reason: string | null }>(
      'select table_name, row, reason from moved_in_row order by table_name',
    )
    assert.deepEqual(
      kept.map(({ table_name, reason }) => [table_name, reason]),
      [
        ['someplugin_thing', null],
        ['userprofile', 'unknown columns: favourite_colour'],
      ],
    )
    assert.equal(kept[1]!.row.favourite_colour, 'blue')
    assert.doesNotMatch(JSON.stringify(kept), /topsecret|calendar7/)
  })

  test('sessions, push devices and other tables without entered data explains them and keeps nothing', async () => {
    const change = (file: DatabaseSync) => {
      const tables = [
        'django_session',
        'django_migrations',
        'webpush_pushinformation',
        'webpush_group',
        'webpush_subscriptioninfo',
      ]
      for (const table of tables) file.exec(`create table ${table} (id); insert into ${table} values (1), (2)`)
    }
    const { report, all } = await importRows({ userprofile: [person(7)] }, { change })
    assert.deepEqual(await all('select table_name from moved_in_row'), [])
    const { omitted, open } = summarizeImport(report)
    assert.deepEqual(
      omitted.map((line) => line.replace(/:.*/, '')),
      ['Rows that describe the tables of ephios (2)', 'Sessions (2)', 'Browsers with push messages (6)'],
    )
    assert.match(open[0]!, /^Push messages are off/)
  })

  test('requests takes the times of the log, of requests only', async () => {
    const request = (id: number) => ({ id, slug: 'ephios.grant_working_hours', data: {}, state: 'executed', user_id: 1 })
    const entry = (id: number, content_type_id: number, more: Record<string, unknown>) => ({
      id,
      content_object_id: 1,
      attached_to_object_id: 1,
      attached_to_object_type_id: content_type_id,
      content_type_id,
      action_type: 'change',
      data: {},
      user_id: 2,
      ...more,
    })
    const day = (n: number) => ({ datetime: `2031-02-0${n}T08:00:00Z` })
    const rows: EphiosRows = {
      userprofile: [person(1), person(2)],
      consequence: ['2031-01-10', '2031-01-11'].map((date, n) => ({
        ...request(n + 1),
        data: { date, hours: 2, user: 1, reason: 'Drill' },
      })),
      django_content_type: [
        { id: 3, app_label: 'core', model: 'event' },
        { id: 4, app_label: 'core', model: 'consequence' },
      ],
      modellogging_logentry: [
        entry(1, 4, { ...day(1), action_type: 'create' }),
        entry(2, 4, day(2)),
        entry(3, 4, { ...day(3), user_id: 1 }),
        entry(4, 3, day(9)),
        entry(5, 4, { datetime: 'soon' }),
      ],
    }
    const READ = 'select id, created_at, decided_at, decided_by_id from decision_request order by id'
    const noon = { id: 2, created_at: new Date('2031-01-11T12:00:00Z'), decided_at: null, decided_by_id: null }
    assert.deepEqual(await (await importRows(rows)).all(READ), [
      { id: 1, created_at: new Date('2031-02-01T08:00:00Z'), decided_at: new Date('2031-02-03T08:00:00Z'), decided_by_id: 1 },
      noon,
    ])
    const withoutLog = await importRows(rows, { change: (file) => file.exec('drop table modellogging_logentry') })
    assert.deepEqual((await withoutLog.all<object>(READ))[1], noon)
  })

  test('participants without a participation keeps their rows, by their table, and the tables that exist', async () => {
    const { report, all } = await importRows(
      {
        userprofile: [person(7)],
        localparticipation: [{ abstractparticipation_ptr_id: 5, user_id: 7 }],
        core_placeholderparticipation: [{ abstractparticipation_ptr_id: 6, display_name: 'Tom' }],
      },
      { change: (file) => file.exec('drop table guests_guestparticipation') },
    )
    const reason = 'its participation does not exist'
    assert.deepEqual(formatNotes(report), [
      `localparticipation 5 skipped: ${reason}`,
      `core_placeholderparticipation 6 skipped: ${reason}`,
    ])
    assert.deepEqual(await all('select table_name, reason from moved_in_row order by table_name'), [
      { table_name: 'core_placeholderparticipation', reason },
      { table_name: 'localparticipation', reason },
    ])
  })

  test('settings and notifications shows them on the pages', async () => {
    const { world, all } = await importRows({
      userprofile: [person(7, { preferred_language: 'en' })],
      eventtype: [type],
      event: [event(1)],
      shift: [shift(1, 1)],
      abstractparticipation: [{ id: 5, state: 1, shift_id: 1 }],
      localparticipation: [{ abstractparticipation_ptr_id: 5, user_id: 7 }],
      core_identityprovider: [
        {
          id: 1,
          label: 'Keycloak',
          internal_name: 'keycloak',
          client_id: 'turnout',
          authorization_endpoint: 'https://id.example/auth',
          token_endpoint: 'https://id.example/token',
        },
      ],
      dynamic_preferences_globalpreferencemodel: [{ id: 1, section: 'general', name: 'hide_login_form', raw_value: 'True' }],
      core_notification: [
        {
          id: 3,
          slug: 'ephios_participation_state_changed',
          data: { participation_id: 5 },
          user_id: 7,
          created_at: '2031-04-28T08:00:00Z',
        },
        {
          id: 4,
          slug: 'ephios_custom_event_notification',
          data: { event_id: 1, content: 'Bring boots' },
          user_id: 7,
          created_at: '2031-04-29T08:00:00Z',
        },
      ],
    })
    const signIn = await world.nobody.get('/accounts/login/', { unchecked: true })
    assert.match(signIn.text, /Keycloak/)
    assert.doesNotMatch(signIn.text, /type="password"/)
    assert.match((await world.nobody.get('/accounts/login/?local=true', { unchecked: true })).text, /type="password"/)
    const inbox = await world.withSession({ ...ANN, id: 7 }).get('/notifications/', { unchecked: true })
    for (const line of [/You are confirmed/, /Bring boots/]) assert.match(inbox.text, line)
    assert.deepEqual(await all('select id, kind, event_id, mail, push from notification order by id'), [
      { id: 3, kind: 'participation_state', event_id: 1, mail: 'skipped', push: 'none' },
      { id: 4, kind: 'event_message', event_id: 1, mail: 'skipped', push: 'none' },
    ])
  })

  test('pages sets the imprint and imports the other pages', async () => {
    const page = (id: number, slug: string, content: string, publicly_visible = true) => ({
      id,
      title: slug,
      slug,
      content,
      publicly_visible,
    })
    const { world, all } = await importRows({
      pages_page: [
        page(1, 'impressum', 'Bereitschaft **Musterstadt**'),
        page(2, 'datenschutz', 'secret draft', false),
        page(3, 'hilfe', 'So geht es'),
      ],
    })
    const imprint = await world.nobody.get('/imprint/', { unchecked: true })
    assert.match(imprint.text, /<strong>Musterstadt<\/strong>/)
    assert.equal((await world.nobody.get('/privacy/', { unchecked: true })).status, 404)
    assert.deepEqual(await all('select slug, is_public from content_page order by id'), [
      { slug: 'datenschutz', is_public: false },
      { slug: 'hilfe', is_public: true },
    ])
    assert.match((await world.nobody.get('/pages/hilfe/', { unchecked: true })).text, /So geht es/)
    const redirected = await world.nobody.get('/pages/impressum/', { unchecked: true })
    assert.equal(redirected.headers.location, '/imprint/')
    assert.deepEqual(await all('select row_id from moved_in_row'), [])
  })
})

test('the language of an import is that of the instance unless DEFAULT_LANGUAGE is set', async () => {
  const { world } = await importRows({})
  const languageWith = async (env: Record<string, string>) =>
    (await withStoredRegion(readConfig(env, 'try-out'), world.databaseUrl)).defaultLanguage
  assert.equal(await languageWith({}), 'de')
  assert.equal(await languageWith({ DEFAULT_LANGUAGE: 'en' }), 'en')
  await world.db.write.deleteFrom('setting').where('name', '=', 'default_language').execute()
  assert.equal(await languageWith({}), 'en')
})
