import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { migrate } from '#platform/db/migrate.ts'
import type { DB } from '#platform/db/tables.ts'
import { databaseBefore, type MigratedDatabase, openTestDatabase } from '#test/support/database.ts'
import { ANN, HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type ImportedRow = { table_name: string; row: object }

/** Upgrades a database of an earlier version, with rows of an import that it could not use, to the version with this migration. */
async function upgradeTo(
  migration: string,
  rows: readonly ImportedRow[],
  prepare: (db: Kysely<DB>) => Promise<void> = async () => {},
): Promise<{ database: MigratedDatabase; db: Kysely<DB>; left: string[] }> {
  const database = await databaseBefore(migration)
  const { write: db, close } = openTestDatabase({ url: database.url })
  after(async () => {
    await close()
    await database.drop()
  })
  await db.insertInto('user_profile').values({ id: ANN.id, display_name: ANN.name, email: ANN.email }).execute()
  await db.insertInto('user_group').values({ id: HELPERS.id, name: HELPERS.name }).execute()
  await db.insertInto('event_type').values({ id: 1, title: 'Service' }).execute()
  await prepare(db)
  for (const { table_name, row } of rows)
    await db
      .insertInto('moved_in_row')
      .values({ table_name, row: JSON.stringify(row) })
      .execute()
  await database.migrateThrough(migration)
  const left = await db.selectFrom('moved_in_row').select('table_name').execute()
  return { database, db, left: left.map(({ table_name }) => table_name) }
}

test('a migration converts requests for working hours of an earlier import', async () => {
  const request = (id: number, state: string, slug = 'ephios.grant_working_hours') => ({
    table_name: 'consequence',
    row: { id, slug, state, user_id: ANN.id, data: { hours: 2, date: '2031-01-01', reason: 'x' } },
  })
  const { db, left } = await upgradeTo('_hours', [
    request(3, 'needs_confirmation'),
    request(4, 'denied'),
    request(5, 'executed', 'ephios.grant_qualification'),
  ])
  const rows = await db.selectFrom('decision_request').select(['id', 'kind', 'state']).orderBy('id').execute()
  assert.deepEqual(rows, [
    { id: 3, kind: 'working_hours', state: 'open' },
    { id: 4, kind: 'working_hours', state: 'refused' },
  ])
  assert.deepEqual(left, ['consequence'])
  const values = { kind: 'working_hours', user_id: ANN.id, data: '{}' }
  const next = await db.insertInto('decision_request').values(values).returning('id').executeTakeFirstOrThrow()
  assert.equal(next.id, 5)
})

test('a migration converts qualification requests and automatic qualifications of an earlier import', async () => {
  const request = (id: number, userId: number, state = 'needs_confirmation') => ({
    table_name: 'consequence',
    row: {
      id,
      slug: 'ephios.grant_qualification',
      state,
      user_id: userId,
      data: { qualification_id: 7, event_id: null, expires: null },
    },
  })
  const automatic = (id: number, eventId: number, more: object) => ({
    table_name: 'eventautoqualification_eventautoqualificationconfiguration',
    row: {
      id,
      event_id: eventId,
      qualification_id: 7,
      expiration_date: null,
      mode: 1,
      extend_only: false,
      needs_confirmation: true,
      ...more,
    },
  })
  const rows = [
    request(1, ANN.id),
    request(2, ANN.id, 'denied'),
    request(3, 999_999),
    automatic(1, 900, { mode: 2, expiration_date: '2033-01-01T00:00:00Z' }),
    automatic(2, 901, { mode: 3, extend_only: true, needs_confirmation: false }),
    automatic(3, 999_999, {}),
  ]
  const { db, left } = await upgradeTo('_qualification_requests', rows, async (db) => {
    await sql`insert into qualification_category (id, title) values (7, 'Medical')`.execute(db)
    await sql`insert into qualification (id, title, abbreviation, category_id) values (7, 'Medic', 'M', 7)`.execute(db)
    for (const [id, end] of [
      [900, '2020-01-01T00:00:00Z'],
      [901, '2090-01-01T00:00:00Z'],
    ] as const) {
      await sql`insert into event (id, title, location, type_id) select ${id}, 'Drill', '', id from event_type limit 1`.execute(
        db,
      )
      await sql`insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
        values (${id}, '2019-12-31', '2019-12-31', ${end}, 'manual', 'uniform')`.execute(db)
    }
    // Made since the import; its id is that of a request in ephios.
    await db.insertInto('decision_request').values({ id: 1, kind: 'working_hours', user_id: ANN.id, data: '{}' }).execute()
    await sql`select setval(pg_get_serial_sequence('decision_request', 'id'), 1)`.execute(db)
  })
  const requests = await db.selectFrom('decision_request').select(['kind', 'state']).orderBy('id').execute()
  assert.deepEqual(requests, [
    { kind: 'working_hours', state: 'open' },
    { kind: 'qualification', state: 'open' },
    { kind: 'qualification', state: 'refused' },
  ])
  const grants = await db.selectFrom('event_qualification').selectAll().orderBy('event_id').execute()
  assert.deepEqual(
    grants.map(({ event_id, mode, recipients, needs_decision, applied_at }) => [
      event_id,
      mode,
      recipients,
      needs_decision,
      applied_at !== null,
    ]),
    [
      [900, 'every', 'all', true, true],
      [901, 'last', 'holding', false, false],
    ],
  )
  assert.deepEqual([grants[0]!.expires_at, left], [new Date('2033-01-01T00:00:00Z'), []])
})

test('a migration converts pages of an earlier import, except those that became settings', async () => {
  const page = (id: number, slug: string, isPublic: boolean) => ({
    table_name: 'pages_page',
    row: { id, slug, title: slug, content: 'Text', show_in_footer: true, publicly_visible: isPublic },
  })
  const { db, left } = await upgradeTo('_pages', [page(7, 'hilfe', false), page(8, 'Impressum', true)])
  const rows = await db.selectFrom('content_page').select(['id', 'slug', 'in_footer', 'is_public']).execute()
  assert.deepEqual(rows, [{ id: 7, slug: 'hilfe', in_footer: true, is_public: false }])
  assert.deepEqual(left, ['pages_page'])
})

test('a migration converts resources and their allocations of an earlier import', async () => {
  const shift = 900
  const rows = [
    { table_name: 'simpleresource_resourcecategory', row: { id: 1, name: 'Fahrzeuge', icon: 'truck' } },
    { table_name: 'simpleresource_resource', row: { id: 2, title: 'LF 20', category_id: 1 } },
    { table_name: 'simpleresource_resource', row: { id: 3, title: 'Lost', category_id: 99 } },
    { table_name: 'simpleresource_resourceallocation', row: { id: 4, shift_id: shift } },
    { table_name: 'simpleresource_resourceallocation_resources', row: { id: 5, resourceallocation_id: 4, resource_id: 2 } },
  ]
  const { db, left } = await upgradeTo('_resources', rows, async (db) => {
    await sql`insert into event (id, title, location, type_id) select 900, 'Drill', '', id from event_type limit 1`.execute(db)
    await sql`insert into shift (id, event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      values (${shift}, 900, now(), now(), now() + interval '1 hour', 'manual', 'uniform')`.execute(db)
  })
  const allocated = await db.selectFrom('shift_resource').selectAll().execute()
  assert.deepEqual(allocated, [{ shift_id: shift, resource_id: 2 }])
  assert.deepEqual(left, ['simpleresource_resource'])
})

test('a migration converts identity providers and their groups of an earlier import', async () => {
  const provider = (id: number, more: object) => ({
    table_name: 'core_identityprovider',
    row: {
      id,
      label: 'Keycloak',
      internal_name: `keycloak-${id}`,
      client_id: 'us',
      client_secret: { sealed: 'key.sealed' },
      scopes: '',
      authorization_endpoint: 'https://id.example/auth',
      token_endpoint: 'https://id.example/token',
      jwks_uri: '',
      create_missing_groups: true,
      qualification_codename_to_uuid: { medic: 'x' },
      ...more,
    },
  })
  const { db, left } = await upgradeTo('_identity_providers', [
    provider(4, {}),
    provider(5, { token_endpoint: '' }),
    { table_name: 'core_identityprovider_default_groups', row: { id: 1, identityprovider_id: 4, group_id: 1 } },
    { table_name: 'core_identityprovider_default_groups', row: { id: 2, identityprovider_id: 4, group_id: 99 } },
  ])
  const rows = await db
    .selectFrom('identity_provider')
    .select(['id', 'client_secret_sealed', 'scopes', 'jwks_uri', 'create_missing_groups', 'qualification_uuids', 'enabled'])
    .execute()
  assert.deepEqual(rows, [
    {
      id: 4,
      client_secret_sealed: 'key.sealed',
      scopes: 'openid profile email',
      jwks_uri: null,
      create_missing_groups: true,
      qualification_uuids: { medic: 'x' },
      enabled: true,
    },
  ])
  const groups = await db.selectFrom('identity_provider_group').selectAll().execute()
  assert.deepEqual(groups, [{ identity_provider_id: 4, group_id: 1 }])
  assert.deepEqual(left, ['core_identityprovider'])
})

test('a migration converts questions, questionnaires, answers and saved answers of an earlier import', async () => {
  const shift = 900
  const person = { participation_id: 902 }
  const rows = [
    {
      table_name: 'questionnaires_question',
      row: {
        id: 1,
        name: 'T-Shirt',
        question_text: 'Größe?',
        description: null,
        required: true,
        type: 'single',
        choices: ['S', 'M'],
      },
    },
    // As a SQLite database stores it.
    {
      table_name: 'questionnaires_question',
      row: { id: 2, name: 'Meal', question_text: '', required: 0, type: 'multiple', choices: '["vegan"]', archived: 1 },
    },
    { table_name: 'questionnaires_savedanswer', row: { id: 9, answer: '["vegan"]', user_id: ANN.id, question_id: 2 } },
    { table_name: 'questionnaires_questionnaire', row: { id: 4, shift_id: shift } },
    { table_name: 'questionnaires_questionnaire_questions', row: { id: 5, questionnaire_id: 4, question_id: 1 } },
    {
      table_name: 'questionnaires_answer',
      row: { id: 6, answer: 'M', participation_id: person.participation_id, question_id: 1 },
    },
    { table_name: 'questionnaires_answer', row: { id: 7, answer: 'S', participation_id: 77, question_id: 1 } },
    { table_name: 'questionnaires_savedanswer', row: { id: 8, answer: ['S'], user_id: ANN.id, question_id: 1 } },
  ]
  const { db, left } = await upgradeTo('_questionnaires', rows, async (db) => {
    await sql`insert into event (id, title, location, type_id) select 900, 'Drill', '', id from event_type limit 1`.execute(db)
    await sql`insert into shift (id, event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      values (${shift}, 900, now(), now(), now() + interval '1 hour', 'manual', 'uniform')`.execute(db)
    await sql`insert into participation (id, shift_id, event_id, kind, user_id, state, start_time, end_time)
      values (${person.participation_id}, ${shift}, 900, 'local', ${ANN.id}, 1, now(), now())`.execute(db)
  })
  const questions = await db
    .selectFrom('question')
    .select(['id', 'name', 'text', 'kind', 'required', 'choices'])
    .orderBy('id')
    .execute()
  assert.deepEqual(questions, [
    { id: 1, name: 'T-Shirt', text: 'Größe?', kind: 'single', required: true, choices: ['S', 'M'] },
    { id: 2, name: 'Meal', text: 'Meal', kind: 'multiple', required: false, choices: ['vegan'] },
  ])
  assert.deepEqual(await db.selectFrom('shift_question').selectAll().execute(), [{ shift_id: shift, question_id: 1 }])
  const answer = { participation_id: person.participation_id, question_id: 1, value: 'M' }
  assert.deepEqual(await db.selectFrom('answer').selectAll().execute(), [answer])
  assert.deepEqual(await db.selectFrom('saved_answer').selectAll().orderBy('question_id').execute(), [
    { user_id: ANN.id, question_id: 1, value: ['S'] },
    { user_id: ANN.id, question_id: 2, value: ['vegan'] },
  ])
  assert.deepEqual(left, [])
  const next = await db
    .insertInto('question')
    .values({ name: 'Meal', text: 'Meal?', kind: 'text' })
    .returning('id')
    .executeTakeFirstOrThrow()
  assert.equal(next.id, 3)
})

test('a migration converts notifications and settings of an earlier import', async () => {
  const recent = new Date(Date.now() - 24 * 3_600_000).toISOString()
  const notification = (id: number, slug: string, data: object | string, more: object = {}) => ({
    table_name: 'core_notification',
    row: { id, slug, data, user_id: ANN.id, created_at: recent, processed_by: [], read: false, ...more },
  })
  const setting = (id: number, name: string, raw_value: string) => ({
    table_name: 'dynamic_preferences_globalpreferencemodel',
    row: { id, section: 'general', name, raw_value },
  })
  const about = { event_id: 900, participation_id: 902 }
  const rows = [
    notification(1, 'ephios_participation_state_changed', about, { read: true }),
    // As SQLite stores it.
    notification(2, 'ephios_participation_awaits_disposition', JSON.stringify(about), { read: 0 }),
    notification(3, 'ephios_custom_event_notification', { event_id: 900, content: 'Bring boots\nThanks' }),
    notification(4, 'ephios_profile_update', {}, { created_at: '2020-01-01T00:00:00Z' }),
    notification(5, 'ephios_participation_customized', { participation_id: 999_999 }),
    notification(6, 'ephios_generic_mass', { subject: 'Hello' }),
    notification(7, 'ephios_profile_update', {}, { user_id: null }),
    notification(8, 'ephios_profile_update', {}),
    setting(1, 'hide_login_form', 'True'),
    setting(2, 'enabled_plugins', 'guests'),
    setting(3, 'favourite_colour', 'blue'),
  ]
  const { database, db, left } = await upgradeTo('_imported_notifications', rows, async (db) => {
    await sql`insert into event (id, title, location, type_id) select 900, 'Drill', '', id from event_type limit 1`.execute(db)
    await sql`insert into shift (id, event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug)
      values (901, 900, '2031-01-01', '2031-01-01', '2031-01-02', 'manual', 'uniform')`.execute(db)
    await sql`insert into participation (id, shift_id, kind, user_id, state) values (902, 901, 'local', ${ANN.id}, 1)`.execute(db)
  })
  const converted = await db
    .selectFrom('notification')
    .leftJoin('event_message', 'event_message.id', 'message_id')
    .select(['kind', 'source', 'notification.event_id', 'participation_id', 'data', 'mail', 'push', 'read_at', 'subject'])
    .orderBy('source')
    .execute()
  assert.deepEqual(
    converted.map(({ kind, source, event_id, data, read_at, subject }) => [
      source,
      kind,
      event_id,
      data,
      read_at !== null,
      subject,
    ]),
    [
      ['import 1', 'participation_state', 900, { from: null, to: 1 }, true, null],
      ['import 2', 'participation_request', 900, { from: null, to: 0 }, false, null],
      ['import 3', 'event_message', 900, {}, false, 'Bring boots'],
      ['import 8', 'profile_changed', null, { what: 'profile', fields: [] }, false, null],
    ],
  )
  assert.deepEqual(new Set(converted.map(({ mail, push }) => `${mail} ${push}`)), new Set(['skipped none']))
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'hide_local_sign_in')
    .executeTakeFirstOrThrow()
  assert.equal(value, true)
  assert.deepEqual(left, ['dynamic_preferences_globalpreferencemodel'])
  await migrate({ url: database.url })
  const world = await openWorld({ database, empty: true })
  const inbox = await world.withSession(ANN).get('/notifications/', { unchecked: true })
  for (const line of [/Drill/, /Bring boots/, /Your profile was changed\./]) assert.match(inbox.text, line)
})

test('a migration converts files of events of an earlier import', async () => {
  const file = (id: number, more: object) => ({
    table_name: 'files_document',
    row: {
      id,
      title: `Plan ${id}`,
      file: `documents/${id}.pdf`,
      updated_at: '2030-01-02T03:04:05Z',
      uploader_id: ANN.id,
      ...more,
    },
  })
  const link = (id: number, document_id: number, event_id: number) => ({
    table_name: 'files_document_attached_to',
    row: { id, document_id, event_id },
  })
  const rows = [file(7, {}), file(8, { title: '', uploader_id: 999_999 }), link(1, 7, 900), link(2, 8, 999_999)]
  const { db, left } = await upgradeTo('_attachments', rows, async (db) => {
    await sql`insert into event (id, title, location, type_id) select 900, 'Drill', '', id from event_type limit 1`.execute(db)
  })
  const converted = await db
    .selectFrom('attachment')
    .select(['id', 'title', 'source_path', 'uploader_id'])
    .orderBy('id')
    .execute()
  assert.deepEqual(converted, [
    { id: 7, title: 'Plan 7', source_path: 'documents/7.pdf', uploader_id: ANN.id },
    { id: 8, title: 'File 8', source_path: 'documents/8.pdf', uploader_id: null },
  ])
  assert.deepEqual(await db.selectFrom('event_attachment').selectAll().execute(), [{ event_id: 900, attachment_id: 7 }])
  assert.deepEqual(left, [])
  const next = await db.insertInto('attachment').values({ title: 'New' }).returning('id').executeTakeFirstOrThrow()
  assert.equal(next.id, 9)
})
