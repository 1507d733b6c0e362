import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { findUnbalancedTables, type ImportReport } from '#features/operations/import-ephios/rules/report.ts'
import type { Database } from '#platform/db/pool.ts'
import { runOn } from '../postgres-server.ts'
import { makeEphiosPostgres, makeEphiosSqlite } from './database.ts'
import { EPHIOS_TABLES } from './tables.ts'

/** How many rows of each kind go with a number of participations, as in an organisation of some years. */
export type Size = { participations: number; people: number; events: number; shifts: number; log: number }

export function sizeFor(participations: number): Size {
  const people = Math.max(40, Math.ceil(participations / 200))
  const events = Math.max(5, Math.ceil(participations / 50))
  return { participations, people, events, shifts: 3 * events, log: participations }
}

/** SQL that differs between the two databases. */
type Dialect = { yes: string; no: string; json: string; hours: (n: string) => string; uuid: (n: string) => string }

const POSTGRES: Dialect = {
  yes: 'true',
  no: 'false',
  json: 'jsonb',
  hours: (n) => `timestamptz '2019-01-01 08:00:00Z' + (${n}) * interval '1 hour'`,
  uuid: (n) => `('00000000-0000-4000-8000-' || lpad((${n})::text, 12, '0'))::uuid`,
}
const SQLITE: Dialect = {
  yes: '1',
  no: '0',
  json: 'text',
  hours: (n) => `datetime('2019-01-01 08:00:00', '+' || (${n}) || ' hours')`,
  uuid: (n) => `printf('0000000000004000800%013d', ${n})`,
}

const GROUPS = 10
const SKILLS = 12
const json = (value: unknown) => `'${JSON.stringify(value)}'`

const STRUCTURES: [slug: string, configuration: unknown][] = [
  ['uniform', { minimum_number_of_participants: 2, maximum_number_of_participants: 20 }],
  ['complex', { starting_blocks: [{ uuid: 'b1', building_block: 1, label: '', optional: false }] }],
  ['named_teams', { teams: [1, 2, 3].map((n) => ({ uuid: `t${n}`, title: `Team ${n}`, min_count: n, max_count: 9 })) }],
  ['qualification_mix', { qualification_requirements: [1, 2, 3].map((n) => ({ qualification: n, min_count: 2, max_count: 6 })) }],
]

/** `i` counts from one; lists every column that differs from the default of an empty one. */
function fillings({ participations, people, events, shifts, log }: Size, { yes, no, json: jsonType, hours, uuid }: Dialect) {
  // By shift i, then by round: each shift has participants of all kinds, and none twice.
  const shift = `1 + i % ${shifts}`
  const kind = `(i + 7 * (i / ${shifts})) % 20`
  const choose = (n: string, of: readonly string[]) =>
    `case ${of.map((value, at) => `when ${n} % ${of.length} = ${at} then ${value}`).join(' ')} end`
  const start = hours('i * 2')
  const half = (kinds: string, column: string, value: string) => ({
    rows: participations,
    where: kinds,
    columns: { abstractparticipation_ptr_id: 'i', [column]: value },
  })
  const fill: Record<string, { rows: number; where?: string; columns: Record<string, string> }> = {
    django_content_type: { rows: 1, columns: { id: 'i', app_label: `'core'`, model: `'event'` } },
    auth_permission: {
      rows: 2,
      columns: { id: 'i', name: `''`, content_type_id: '1', codename: choose('i', [`'change_event'`, `'view_event'`]) },
    },
    auth_group: { rows: GROUPS, columns: { id: 'i', name: `'Gruppe ' || i` } },
    qualificationcategory: { rows: 1, columns: { id: 'i', uuid: uuid('i'), title: `'Medizin'`, show_with_user: yes } },
    qualification: {
      rows: SKILLS,
      columns: { id: 'i', uuid: uuid('i'), title: `'Stufe ' || i`, category_id: '1', abbreviation: `'S' || i`, is_imported: no },
    },
    qualification_includes: { rows: SKILLS - 1, columns: { id: 'i', from_qualification_id: 'i + 1', to_qualification_id: 'i' } },
    userprofile: {
      rows: people,
      columns: {
        id: 'i',
        password: `'!'`,
        is_superuser: no,
        email: `'person' || i || '@example.org'`,
        is_active: yes,
        is_staff: no,
        calendar_token: `'calendar' || i`,
        is_visible: yes,
        preferred_language: `'de'`,
        display_name: `'Person ' || i`,
        disabled_notifications: `'[]'`,
        email_invalid: no,
      },
    },
    userprofile_groups: { rows: people, columns: { id: 'i', userprofile_id: 'i', group_id: `1 + i % ${GROUPS}` } },
    qualificationgrant: {
      rows: people,
      columns: { id: 'i', qualification_id: `1 + i % ${SKILLS}`, user_id: 'i', externally_managed: no },
    },
    workinghours: { rows: people, columns: { id: 'i', hours: '2.5', reason: `'Aufbau'`, user_id: 'i', date: `'2026-03-01'` } },
    eventtype: { rows: 3, columns: { id: 'i', title: `'Art ' || i`, color: `'#112233'`, show_participant_data: '0' } },
    event: {
      rows: events,
      columns: {
        id: 'i',
        title: `'Dienst ' || i`,
        description: `'Mit **Herz**'`,
        location: `'Markt'`,
        type_id: '1 + i % 3',
        active: yes,
      },
    },
    guardian_groupobjectpermission: {
      rows: 2 * events,
      columns: {
        id: 'i',
        object_pk: `cast(1 + (i - 1) / 2 as text)`,
        content_type_id: '1',
        group_id: `1 + (i + i / 7) % ${GROUPS}`,
        permission_id: '1 + i % 2',
      },
    },
    complexsignup_buildingblock: {
      rows: 1,
      columns: { id: 'i', uuid: uuid('i'), name: `'RTW'`, block_type: `'atomic'`, allow_more: yes },
    },
    complexsignup_position: { rows: 4, columns: { id: 'i', label: `'Platz'`, optional: no, block_id: '1' } },
    complexsignup_position_qualifications: { rows: 4, columns: { id: 'i', position_id: 'i', qualification_id: 'i * 2' } },
    shift: {
      rows: shifts,
      columns: {
        id: 'i',
        meeting_time: start,
        start_time: start,
        end_time: hours('i * 2 + 6'),
        event_id: `1 + (i - 1) / 3`,
        signup_flow_slug: `'request_confirm'`,
        signup_flow_configuration: `'{"signup_until": null}'`,
        label: `''`,
        structure_slug: choose(
          'i',
          STRUCTURES.map(([slug]) => `'${slug}'`),
        ),
        structure_configuration: `cast(${choose(
          'i',
          STRUCTURES.map(([, configuration]) => json(configuration)),
        )} as ${jsonType})`,
      },
    },
    federation_federatedguest: {
      rows: 1,
      columns: {
        id: 'i',
        name: `'Nord'`,
        url: `'https://nord.example'`,
        client_id: `'n'`,
        client_secret: `'s'`,
        access_token_id: '0',
      },
    },
    federation_federateduser: {
      rows: people,
      columns: {
        id: 'i',
        email: `'visitor' || i || '@nord.example'`,
        phone: `''`,
        created_at: hours('i'),
        federated_instance_id: '1',
        display_name: `'Visitor ' || i`,
      },
    },
    guests_guestuser: {
      rows: events,
      columns: {
        id: 'i',
        email: `'guest' || i || '@example.org'`,
        date_of_birth: `'2000-01-01'`,
        phone: `''`,
        access_token: `'guest' || i`,
        created_at: hours('i'),
        event_id: 'i',
        display_name: `'Gast ' || i`,
      },
    },
    abstractparticipation: {
      rows: participations,
      columns: {
        id: 'i',
        state: choose('i / 3', ['1', '1', '1', '0', '2', '3']),
        shift_id: shift,
        structure_data: `'{}'`,
        finished: no,
      },
    },
    localparticipation: half(`${kind} > 2`, 'user_id', `1 + (i + 37 * (i / ${shifts})) % ${people}`),
    core_placeholderparticipation: half(`${kind} = 0`, 'display_name', `'Feuerwehr ' || i`),
    guests_guestparticipation: half(`${kind} = 1`, 'guest_user_id', `1 + (${shift} - 1) / 3`),
    federation_federatedparticipation: half(`${kind} = 2`, 'federated_user_id', `1 + i % ${people}`),
    core_participationcomment: {
      rows: Math.ceil(participations / 20),
      columns: { id: 'i', visible_for: '1', text: `'komme später'`, created_at: hours('i % 9999'), participation_id: 'i' },
    },
    modellogging_logentry: {
      rows: log,
      columns: {
        id: 'i',
        content_object_id: 'i',
        attached_to_object_id: `1 + i % ${events}`,
        datetime: hours('i % 99999'),
        action_type: `'change'`,
        data: json({ state: ['requested', 'confirmed'] }),
        attached_to_object_type_id: '1',
        content_type_id: '1',
        user_id: `1 + i % ${people}`,
      },
    },
    core_notification: {
      rows: Math.ceil(participations / 10),
      columns: {
        id: 'i',
        slug: `'state'`,
        data: '\'{"participation": 1}\'',
        user_id: `1 + i % ${people}`,
        created_at: hours('i % 9999'),
        processed_by: `'[]'`,
        processing_completed: yes,
        read: no,
      },
    },
  }
  return Object.entries(fill).map(([table, { rows, where, columns }]) => {
    if (!EPHIOS_TABLES[table]) throw new Error(`ephios has no table ${table}`)
    const counted = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`
    const names = Object.keys(columns).map((name) => `"${name}"`)
    const numbers = where ? `(select i from n where ${where}) n` : 'n'
    return `insert into "${table}" (${names.join(', ')}) ${counted} select ${Object.values(columns).join(', ')} from ${numbers}`
  })
}

export async function makeManyInPostgres(url: string, size: Size): Promise<void> {
  await makeEphiosPostgres(url, {})
  await runOn(url, `set jit = off; ${fillings(size, POSTGRES).join('; ')}; analyze`)
}

export function makeManyInSqlite(path: string, size: Size): void {
  makeEphiosSqlite(path, {})
  const database = new DatabaseSync(path)
  database.exec(`begin; ${fillings(size, SQLITE).join('; ')}; commit`)
  database.close()
}

/** Checks the rows that must exist after such a database was imported. */
export async function assertImported(db: Database, size: Size, report: ImportReport): Promise<void> {
  assert.deepEqual(findUnbalancedTables(report), [])
  assert.deepEqual(report.notes, [])
  const { rows } = await sql`select
    (select count(*) from participation) as participations, (select count(*) from user_profile) as people,
    (select count(*) from event) as events, (select count(*) from shift) as shifts,
    (select count(*) from journal where kind like 'imported.%') as log`.execute(db.read)
  assert.deepEqual(rows, [size])
  assert.deepEqual(await findDrift(db.read), [])
}

/** Indexes, constraints and triggers. An import drops or disables some of them and must restore all. */
export async function findSchemaObjects(db: Pick<Database, 'read'>): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated::text
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    order by 1`.execute(db.read)
  return rows.map(({ definition }) => definition)
}
