import { sql } from 'kysely'
import { recountAudiences, recountParticipations } from '#features/operations/backup/commands/denormalised.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** Added to the ids of a copy, once for each copy before it. */
const STEP = 1_000_000
const id = (column: string): string => `${column} + k * ${STEP}`
/** Groups and audiences exist once more and belong to all copies, because pages list all groups. */
const shared = (column: string): string => `${column} + ${STEP}`
/** Every second copy takes place at the same time; the others are 3 to 18 years earlier or later. */
const time = (column: string): string =>
  `${column} + make_interval(days => case when k % 2 = 0 then 0 else (k % 4 - 2) * 1096 * (1 + k / 4 % 6) end)`

/** What differs in a copy, by table and column; `k` is its number. */
const COPIED: Record<string, Record<string, string>> = {
  user_group: { id: shared('id'), name: `name || ' elsewhere'` },
  user_profile: {
    id: id('id'),
    email: `k || '.' || email`,
    display_name: `display_name || ' ' || k`,
    calendar_token_hash: 'null',
    calendar_token_sealed: 'null',
    is_staff: 'false',
    is_superuser: 'false',
  },
  user_group_member: { group_id: shared('group_id'), user_id: id('user_id') },
  qualification_grant: { id: id('id'), user_id: id('user_id') },
  audience: { id: shared('id'), group_ids: `array(select g + ${STEP} from unnest(group_ids) g order by g)` },
  event: {
    id: id('id'),
    audience_id: shared('audience_id'),
    created_by_id: id('created_by_id'),
    start_time: time('start_time'),
    end_time: time('end_time'),
  },
  event_group_grant: { event_id: id('event_id'), group_id: shared('group_id') },
  event_user_grant: { event_id: id('event_id'), user_id: id('user_id') },
  shift: {
    id: id('id'),
    event_id: id('event_id'),
    listed_audience_id: shared('listed_audience_id'),
    meeting_time: time('meeting_time'),
    start_time: time('start_time'),
    end_time: time('end_time'),
  },
  participation: {
    id: id('id'),
    shift_id: id('shift_id'),
    event_id: id('event_id'),
    user_id: id('user_id'),
    listed_audience_id: shared('listed_audience_id'),
    individual_start_time: time('individual_start_time'),
    individual_end_time: time('individual_end_time'),
    start_time: time('start_time'),
    end_time: time('end_time'),
  },
}

/**
 * Adds organisations that are equal to the one in the database: other people, groups and events. What a person of the first one sees
 * stays the same, so that pages of both databases show the same.
 */
export async function addCopies(db: Database, copies: number, people: number): Promise<void> {
  await db.write.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    // Without triggers: the copies are as right as what they are made from.
    await switchTriggers(tx, 'disable')
    const restoreIndexes = await dropIndexes(tx, ['event', 'event_group_grant', 'shift', 'participation'])
    for (const [table, changes] of Object.entries(COPIED)) await copyRows(tx, table, changes, copies)
    await sql`insert into user_profile (email, display_name, date_of_birth)
      select 'more.' || n || '@demo.example', 'Person ' || n, '1990-01-01'
      from generate_series(1, ${people} - (select count(*)::int from user_profile)) n`.execute(tx)
    await restoreIndexes()
    await switchTriggers(tx, 'enable')
    await recountAudiences(tx)
    await recountParticipations(tx)
  })
  const client = await db.writePool.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  client.release(true)
}

/** Groups and audiences are copied once, and the audience without groups exists already: further copies conflict. */
async function copyRows(tx: Tx, table: string, changes: Record<string, string>, copies: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`.execute(tx)
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => changes[name] ?? name)
  await sql`insert into ${sql.table(table)} (${sql.raw(names.join())})
    select ${sql.raw(values.join())} from ${sql.table(table)}, generate_series(1, ${copies}::int) k order by k
    on conflict do nothing`.execute(tx)
}

async function switchTriggers(tx: Tx, way: 'enable' | 'disable'): Promise<void> {
  for (const table of Object.keys(COPIED)) await sql`alter table ${sql.table(table)} ${sql.raw(way)} trigger user`.execute(tx)
}
