import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { isKnownHash } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { openSourceDatabase } from '#platform/db/source-database.ts'
import { COMPLETE_ROWS } from '#test/support/ephios/complete-rows.ts'
import { type EphiosRow, makeEphiosSqlite } from '#test/support/ephios/database.ts'
import { DESTINATIONS, type Destination, IMPORTED_AT } from '#test/support/ephios/destinations.ts'
import { readLookups, readRows } from '../queries/source.ts'
import { ImportContext, type Target, type Value } from './import-context.ts'
import { makeMappers } from './mappers.ts'
import type { SourceRow } from './values.ts'

/** Rows that a row needs. */
const REFERENCES: Record<string, string[]> = {
  qualification: ['qualificationcategory'],
  qualification_includes: ['qualification'],
  userprofile_groups: ['userprofile', 'auth_group'],
  auth_group_permissions: ['auth_group'],
  userprofile_user_permissions: ['userprofile'],
  qualificationgrant: ['userprofile', 'qualification'],
  workinghours: ['userprofile'],
  consequence: ['userprofile'],
  core_identityprovider_default_groups: ['core_identityprovider', 'auth_group'],
  eventtypepreference: ['eventtype'],
  complexsignup_position: ['complexsignup_buildingblock'],
  complexsignup_position_qualifications: ['complexsignup_position', 'qualification'],
  complexsignup_blockcomposition: ['complexsignup_buildingblock'],
  complexsignup_blockqualificationrequirement: ['complexsignup_buildingblock'],
  complexsignup_blockqualificationrequirement_qualifications: ['complexsignup_blockqualificationrequirement', 'qualification'],
  event: ['eventtype'],
  guardian_groupobjectpermission: ['auth_group', 'event'],
  guardian_userobjectpermission: ['userprofile', 'event'],
  shift: ['event'],
  eventautoqualification_eventautoqualificationconfiguration: ['event', 'qualification'],
  federation_federateduser: ['federation_federatedguest'],
  federation_federateduser_qualifications: ['federation_federateduser', 'qualification'],
  federation_federatedeventshare: ['event'],
  federation_federatedeventshare_shared_with: ['event', 'federation_federatedguest'],
  guests_eventguestshare: ['event'],
  guests_guestuser: ['event'],
  guests_guestuser_qualifications: ['guests_guestuser', 'qualification'],
  core_participationcomment: ['abstractparticipation'],
  api_accesstoken: ['userprofile'],
  api_refreshtoken: ['userprofile'],
  simpleresource_resource: ['simpleresource_resourcecategory'],
  simpleresource_resourceallocation: ['shift'],
  simpleresource_resourceallocation_resources: ['shift', 'simpleresource_resource'],
  questionnaires_questionnaire: ['shift'],
  questionnaires_questionnaire_questions: ['shift', 'questionnaires_question'],
  questionnaires_answer: ['abstractparticipation', 'questionnaires_question'],
  questionnaires_savedanswer: ['userprofile', 'questionnaires_question'],
  files_document_attached_to: ['files_document', 'event'],
}

/** Rows that may exist once. */
const UNIQUE = [
  'qualification_includes',
  'userprofile_groups',
  'auth_group_permissions',
  'userprofile_user_permissions',
  'qualificationgrant',
  'core_identityprovider_default_groups',
  'complexsignup_position_qualifications',
  'complexsignup_blockqualificationrequirement_qualifications',
  'guardian_groupobjectpermission',
  'guardian_userobjectpermission',
  'eventautoqualification_eventautoqualificationconfiguration',
  'federation_federateduser_qualifications',
  'federation_federatedeventshare_shared_with',
  'guests_eventguestshare',
  'guests_guestuser',
  'guests_guestuser_qualifications',
  'api_application',
  'federation_federatedhost',
  'api_accesstoken',
  'api_refreshtoken',
  'dynamic_preferences_globalpreferencemodel',
  'simpleresource_resourceallocation_resources',
  'questionnaires_questionnaire_questions',
  'questionnaires_answer',
  'questionnaires_savedanswer',
  'files_document_attached_to',
]

/** SQL fills these columns when all rows are there. */
const COMPLETED = new Set(['participation_comment.author_id', 'notification.event_id', 'notification.data'])

/** Times in one notation; JSON as a value. */
function toComparable(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'json' in value) return JSON.parse(String(value.json))
  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|\+00:00|\+00)?$/.exec(String(value))
  return typeof value === 'string' && time ? `${time[1]}T${time[2]}.${(time[3] ?? '').padEnd(6, '0')}Z` : value
}

const readAs = (value: Value | undefined, how: Destination['read']): unknown => {
  // A column without a value is empty.
  const comparable = toComparable(value ?? null)
  if (how === 'unsealed') return String(comparable).replace(/^sealed /, '')
  return how === 'scope in it' ? (comparable as { scope: string }).scope : comparable
}

/** Decimals are texts until PostgreSQL reads them. */
const isEqual = (actual: unknown, expected: unknown): boolean =>
  isDeepStrictEqual(typeof expected === 'number' && typeof actual === 'string' ? Number(actual) : actual, expected)

type Expected = {
  source: string
  row: EphiosRow
  table: string
  columns: Map<string, { value: unknown; read: Destination['read'] }>
}

function* expectedRows(): Generator<Expected> {
  for (const [source, destinations] of Object.entries(DESTINATIONS))
    for (const row of COMPLETE_ROWS[source]!) {
      const byTable = new Map<string, Expected['columns']>()
      for (const [name, column] of Object.entries(typeof destinations === 'function' ? destinations(row) : destinations))
        for (const { to, expected, read } of 'omitted' in column ? [] : [column].flat()) {
          if (COMPLETED.has(to)) continue
          const [table, target] = to.split('.') as [string, string]
          byTable.set(
            table,
            (byTable.get(table) ?? new Map()).set(target, { value: toComparable(expected(row[name], row)), read }),
          )
        }
      for (const [table, columns] of byTable) yield { source, row, table, columns }
    }
}

describe('every row of ephios', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'every-row-'))
  after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'db.sqlite3')
  makeEphiosSqlite(path, COMPLETE_ROWS)
  const source = await openSourceDatabase(path)
  const secrets = {
    hash: (secret: string) => `\\x${hashSecret(secret).toString('hex')}`,
    seal: (secret: string) => `sealed ${secret}`,
    isKnownHash,
    hashClientSecret: (secret: string) => `hash of ${secret}`,
  }
  const context = new ImportContext({ secrets, now: IMPORTED_AT, language: 'de' })
  const lookups = await readLookups(source)
  const rowsOf = new Map<string, SourceRow[]>()
  const targets: Target[] = []
  for (const mapper of makeMappers(lookups)) {
    const rows: SourceRow[] = []
    for await (const batch of readRows(source, mapper.source)) rows.push(...batch)
    rowsOf.set(mapper.source, rows)
    for (const row of rows) if (!mapper.omit?.(row, context)) targets.push(...mapper.map(row, context))
  }
  await source.close()
  const mapperOf = (name: string) => makeMappers(lookups).find((mapper) => mapper.source === name)!

  test('is mapped without a note', () => {
    assert.deepEqual(
      context.notes.filter(({ table }) => table !== 'api_application'),
      [],
    )
  })

  test('has its values in the rows of ours', () => {
    const missing: string[] = []
    for (const { source: from, row, table, columns } of expectedRows()) {
      const candidates = targets.filter((target) => target.table === table)
      const isFound = candidates.some(({ values }) =>
        [...columns].every(([column, { value, read }]) => isEqual(readAs(values[column], read), value)),
      )
      if (isFound) continue
      const expected = Object.fromEntries([...columns].map(([column, { value }]) => [column, value]))
      missing.push(`${from} ${JSON.stringify(row)} is not in ${table}: ${JSON.stringify(expected)}`)
    }
    assert.deepEqual(missing, [])
  })

  /** Everything was imported, except the rows of one table. */
  class Incomplete extends ImportContext {
    readonly #missing: string
    constructor(missing: string) {
      super({ secrets, now: IMPORTED_AT, language: 'de' })
      this.#missing = missing
    }
    override has(table: string, id: unknown): id is number {
      return id !== null && id !== undefined && table !== this.#missing
    }
  }
  for (const [name, tables] of Object.entries(REFERENCES))
    test(`of ${name} is skipped without its ${tables.join(', ')}`, () => {
      for (const table of tables) {
        const incomplete = new Incomplete(table)
        const mapped = rowsOf.get(name)!.map((row) => mapperOf(name).map(row, incomplete))
        const reasons = incomplete.notes.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason)
        assert.ok(mapped.some((each) => each.length === 0))
        assert.ok(reasons.length > 0, `${table} is missing`)
        for (const reason of reasons) assert.match(reason, new RegExp(`^refers to ${table} \\d+, which does not exist$`))
        assert.ok(incomplete.notes.every((note) => note.table === name && /^\d+$/.test(note.id)))
      }
    })

  for (const name of UNIQUE)
    test(`of ${name} is skipped if it comes twice`, () => {
      const complete = new Incomplete('')
      const mapper = mapperOf(name)
      const [row] = rowsOf.get(name)!
      assert.equal(mapper.map(row!, complete).length > 0, true)
      assert.deepEqual(mapper.map(row!, complete), [])
      assert.deepEqual(
        complete.notes.filter(({ outcome }) => outcome === 'skipped').map(({ table, reason }) => [table, reason]),
        [[name, 'is a duplicate']],
      )
    })
})
