import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { addCanary } from '#test/support/canary.ts'
import { openWorld } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { rowsOf } from './queries/export.ts'

const PERSONAL_DATA = personalDataOf(FEATURES)

/** Tables whose rows belong to no person with an account, each with the reason. A new table needs an entry here or in personal-data.ts of its feature. */
const NO_PERSONAL_DATA: Record<string, string> = {
  waiting_line: 'settings of shifts',
  mail_state: 'whether the server takes mails; reasons are stored without addresses',
  audience: 'sets of groups',
  block_composition: 'building blocks',
  block_position: 'building blocks',
  block_position_qualification: 'building blocks',
  block_requirement: 'building blocks',
  block_requirement_qualification: 'building blocks',
  building_block: 'building blocks',
  cache_mark: 'numbers of transactions',
  catalogue_version: 'a counter',
  change: 'numbers of changed records and of people who see them, for a few days',
  change_feed: 'a counter',
  change_pending: 'numbers of changed records, until they are in the feed',
  content_page: 'texts of the organisation; the page that deletes a person lists those that name them',
  event_attachment: 'which file belongs to which event',
  event_group_grant: 'grants to groups',
  event_participation_count: 'counts',
  event_qualification: 'what an event teaches',
  event_share: 'which event is shared with which partner',
  event_type: 'settings of events',
  event_type_default_group: 'groups',
  event_type_required_qualification: 'settings of events',
  federated_guest: 'partner instances',
  federated_host: 'partner instances',
  fill_place: 'which place a filling changed',
  fill_weight: 'settings',
  group_grant: 'grants to groups',
  group_permission: 'permissions of groups',
  guest: 'people without an account, deleted by the retention rule or by the event',
  guest_share: 'links of events',
  event_series: 'rules of dates',
  programme_shift: 'shifts and keys of sessions',
  event_template: 'what planners wrote',
  event_series_member: 'hashes of what was planned',
  event_check_in: 'codes of events',
  identity_provider: 'settings',
  identity_provider_group: 'settings',
  identity_provider_group_value: 'settings',
  identity_provider_withheld_group: 'settings',
  migration: 'the history of the schema',
  moved_in_row: 'rows of a former system that could not be imported; an erasure deletes those that name the person',
  oauth_signing_key: 'keys of the instance',
  participation_count: 'counts',
  participation_count_pending: 'counts',
  partner_event: 'events of partners',
  permission: 'names of permissions',
  push_key: 'keys of the instance',
  qualification: 'the catalogue',
  qualification_category: 'the catalogue',
  qualification_closure: 'the catalogue',
  qualification_inclusion: 'the catalogue',
  question: 'texts of questions',
  rate_count: 'hashes, for a minute',
  registration: 'people who have no account yet; deleted after some days, and with the person who has the same address',
  resource: 'vehicles and rooms',
  resource_category: 'vehicles and rooms',
  retention_run: 'counts',
  second_factor_group: 'groups',
  second_factor_policy: 'settings',
  setting: 'settings of the organisation',
  shift: 'shifts',
  shift_question: 'questions of shifts',
  shift_resource: 'resources of shifts',
  sign_in_attempt: 'hashes with a key, for a day',
  stored_file: 'names and sizes; the export has the files of attachments and proofs',
  used_passkey_challenge: 'hashes, for some minutes',
  used_sign_in_state: 'hashes, for some minutes',
  user_group: 'names of groups',
  visitor: 'people of partners, deleted by the retention rule or with the link',
  visitor_qualification: 'people of partners',
  visitor_session: 'people of partners',
  webhook_delivery: 'what was sent to others; an erasure deletes those that name the person',
  webhook_queue: 'counters',
  work_limit: 'settings',
}

describe('the list of personal data', async () => {
  const world = await openWorld()
  const { person } = await addCanary(world)
  const { rows: columns } = await sql<{ table: string; column: string; type: string; references_user: boolean }>`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid and a.attnum = any (k.conkey)
        and k.confrelid = 'user_profile'::regclass) as references_user
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`.execute(
    world.db.write,
  )
  const listed = (table: string, column: string) =>
    PERSONAL_DATA.some((entry) => entry.table === table && entry.column === column && !entry.via)

  test('has every foreign key to a person', () => {
    const missing = columns.filter(({ table, column, references_user }) => references_user && !listed(table, column))
    assert.deepEqual(
      missing.map(({ table, column }) => `${table}.${column}`),
      [],
    )
  })

  test('has every table, or the reason why it holds no data of a person', () => {
    const tables = [...new Set(columns.map(({ table }) => table))]
    const known = new Set([...PERSONAL_DATA.map(({ table }) => table as string), ...Object.keys(NO_PERSONAL_DATA)])
    assert.deepEqual(
      tables.filter((table) => !known.has(table)),
      [],
    )
    assert.deepEqual(
      Object.keys(NO_PERSONAL_DATA).filter((table) => !tables.includes(table)),
      [],
      'tables that do not exist',
    )
  })

  test('names only columns that exist, and sections once', () => {
    const has = (table: string, column: string) => columns.some((each) => each.table === table && each.column === column)
    const wrong = PERSONAL_DATA.flatMap(({ table, column, via, merge, export: given }) => [
      ...(has(via?.table ?? table, column) ? [] : [`${table}.${column}`]),
      ...(via && !has(table, via.key) ? [`${table}.${via.key}`] : []),
      ...(merge.do === 'move_missing' ? merge.key.filter((name) => !has(table, name)).map((name) => `${table}.${name}`) : []),
      ...(given.section === undefined
        ? []
        : [...(given.only ?? []), ...Object.keys(given.without ?? {})]
            .filter((name) => !has(table, name))
            .map((name) => `${table}.${name}`)),
    ])
    assert.deepEqual(wrong, [])
    const sections = PERSONAL_DATA.flatMap(({ export: { section } }) => (section === undefined ? [] : [section]))
    assert.equal(new Set(sections).size, sections.length)
  })

  test('gives no secrets and no numbers of other people', () => {
    const SECRET = /(_hash|_sealed|password|secret|^auth|^p256dh|^endpoint)$/
    const given = PERSONAL_DATA.flatMap(({ table, column, via, export: out }) => {
      if (out.section === undefined) return []
      return columns
        .filter(
          (each) =>
            each.table === table && !(out.without && each.column in out.without) && (!out.only || out.only.includes(each.column)),
        )
        .filter(
          (each) =>
            SECRET.test(each.column) ||
            each.type === 'bytea' ||
            (each.references_user && (via !== undefined || each.column !== column)),
        )
        .map((each) => `${out.section}: ${table}.${each.column}`)
    })
    assert.deepEqual(given, [])
  })

  test('is covered by the canary of the other tests', async () => {
    const empty: string[] = []
    for (const entry of PERSONAL_DATA) {
      const { rows } = await sql`select from ${sql.table(entry.table)} t where ${rowsOf(entry, person.id)}`.execute(
        world.db.write,
      )
      if (!rows.length && entry.merge.do !== 'stay') empty.push(`${entry.table}.${entry.column}`)
    }
    assert.deepEqual(empty, [])
  })
})
