import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { loadDemoWorld } from './world.ts'

const OPTIONS = {
  now: new Date('2026-05-20T09:30:00Z'),
  seed: 7,
  timeZone: 'Europe/Berlin',
  keyring: makeKeyring('a key of thirty-two bytes or more'),
  passwords: { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' },
}

/** What people and events have in common in all languages: everything but texts. */
const STRUCTURE = {
  people: 'select id, date_of_birth, is_active, is_visible, is_staff from user_profile order by id',
  groups: 'select group_id, user_id from user_group_member order by 1, 2',
  qualifications: 'select user_id, qualification_id, expires_at from qualification_grant order by 1, 2',
  events: 'select id, type_id, start_time, end_time, active, cancelled_at, deleted_at from event order by id',
  shifts:
    'select id, event_id, start_time, end_time, meeting_time, signup_flow_slug, structure_slug, missing, free from shift order by id',
  participations: 'select shift_id, user_id, kind, state, start_time, end_time from participation order by shift_id, id',
}

/** Texts that people read. */
const TEXTS = {
  event: ['title', 'description', 'location', 'cancellation_reason'],
  shift: ['label'],
  event_type: ['title', 'default_description'],
  user_group: ['name'],
  qualification: ['title'],
  qualification_category: ['title'],
  building_block: ['name'],
  block_position: ['label'],
  block_composition: ['label'],
  participation: ['placeholder_name'],
  participation_comment: ['text'],
  content_page: ['title', 'content'],
  question: ['name', 'text', 'description'],
  resource: ['title'],
  resource_category: ['name'],
  working_hours: ['reason'],
  event_template: ['name', 'description'],
  partner_event: ['title', 'description', 'location', 'type_title'],
  federated_host: ['name'],
  federated_guest: ['name'],
  private_calendar: ['name'],
  swap: ['message'],
  stand_in: ['message'],
  stored_file: ['name'],
  webhook: ['name', 'description'],
}

/** Signs of the other language. */
const FOREIGN: Record<SourceLanguage, RegExp> = {
  en: /[äöüß]|\b(und|der|die|das|mit|für|von|zur?|bitte|nicht)\b/i,
  de: /\b(the|and|of|with|for|please|at|we|your?|day|course)\b/i,
}

describe('the sample data', () => {
  const opened: { db: Database; test: TestDatabase }[] = []
  const databases = {} as Record<SourceLanguage, Database>
  before(async () => {
    for (const language of SOURCE_LANGUAGES) {
      const fresh = await freshDatabase()
      const db = openTestDatabase({ url: fresh.url })
      opened.push({ db, test: fresh })
      databases[language] = db
      await loadDemoWorld({ ...OPTIONS, db, language, files: makeMemoryStore() })
    }
  })
  after(async () => {
    for (const { db, test: used } of opened) {
      await db.close()
      await used.drop()
    }
  })

  const rowsOf = async (language: SourceLanguage, query: string) =>
    (await sql.raw<Record<string, unknown>>(query).execute(databases[language].read)).rows

  test('has as many rows of every kind in English as in German', async () => {
    const tables = await rowsOf('en', "select tablename as name from pg_tables where schemaname = 'public' order by 1")
    assert.ok(tables.length > 50)
    const countsIn = async (language: SourceLanguage) => {
      const counts: Record<string, unknown> = {}
      for (const { name } of tables)
        counts[String(name)] = (await rowsOf(language, `select count(*)::int as n from "${name}"`))[0]!.n
      return counts
    }
    assert.deepEqual(await countsIn('en'), await countsIn('de'))
  })

  for (const [what, query] of Object.entries(STRUCTURE))
    test(`has the same ${what} in both languages, but for texts`, async () => {
      const rows = await rowsOf('en', query)
      assert.ok(rows.length > 10)
      assert.deepEqual(rows, await rowsOf('de', query))
    })

  for (const language of SOURCE_LANGUAGES)
    test(`is of one piece: no text of the other language in ${language}`, async () => {
      let read = 0
      const found: string[] = []
      for (const [table, columns] of Object.entries(TEXTS))
        for (const column of columns)
          for (const { text } of await rowsOf(
            language,
            `select distinct ${column} as text from ${table} where ${column} <> ''`,
          )) {
            read++
            if (FOREIGN[language].test(String(text))) found.push(`${table}.${column}: ${text}`)
          }
      assert.ok(read > 150, `only ${read} texts`)
      assert.deepEqual(found, [])
    })

  for (const language of SOURCE_LANGUAGES)
    test(`lets those who sign in read pages in ${language}`, async () => {
      const rows = await rowsOf(
        language,
        "select distinct preferred_language as language from user_profile where email in ('olga@demo.example', 'paul@demo.example', 'ann@demo.example')",
      )
      assert.deepEqual(rows, [{ language }])
    })
})
