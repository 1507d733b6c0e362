import { type Kysely, sql } from 'kysely'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import { hashClientSecret, hashSecret, type Keyring } from '#platform/auth/secrets.ts'
import { findDrift, recountAudiences } from '#platform/db/denormalised.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import type { SourceDatabase } from '#platform/db/source-database.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { findPages, orphansOf, readFacts, rowsOf } from '../queries/source.ts'
import { findStoredTables, isUnused } from '../queries/tables.ts'
import { Book, type Secrets, type SourceRow, type Step, storable } from '../rules/book.ts'
import { type MovingReport, Tally } from '../rules/report.ts'
import { NOT_CARRIED, PARTICIPATION, SOURCE_COLUMNS, strangeColumns } from '../rules/source-columns.ts'
import { stepsOf } from '../rules/steps.ts'
import { legalPages } from '../rules/steps-rest.ts'
import { Loading } from './loading.ts'
import { ArchiveRefused } from './refusals.ts'

export type MovingWish = {
  source: SourceDatabase
  secrets: Secrets
  now: Date
  /** Of the instance, and of people whose own language is not known here. */
  language: 'de' | 'en'
  /** Everything is done and then undone: the report is what it would be. */
  isDryRun: boolean
  progress?: (rows: number, of: number) => void
}

export const secretsWith = ({ seal }: Pick<Keyring, 'seal'>): Secrets => ({
  // As the database reads bytes.
  hash: (secret) => `\\x${hashSecret(secret).toString('hex')}`,
  hashClientSecret,
  seal,
})

class Undone extends Error {}

/** All or nothing: an instance that could not be filled is as empty as before. */
export async function moveIn(db: Kysely<DB>, wish: MovingWish): Promise<MovingReport> {
  requireEphios(wish.source)
  let report: MovingReport | undefined
  try {
    await db.transaction().execute(async (tx) => {
      report = await fill(tx, wish)
      if (wish.isDryRun) throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  }
  return report!
}

function requireEphios({ tables, kind }: SourceDatabase): void {
  const missing = ['userprofile', 'event', 'shift', PARTICIPATION.source].filter((table) => !tables.has(table))
  if (missing.length) throw new ArchiveRefused(`This ${kind} database is none of ephios: it has no table ${missing.join(', ')}.`)
}

async function fill(tx: Tx, wish: MovingWish): Promise<MovingReport> {
  const { source, secrets, now, language } = wish
  await sql`set local statement_timeout = 0`.execute(tx)
  if (!(await isUnused(tx)))
    throw new ArchiveRefused(
      'This instance is in use. An import goes into an empty one: numbers of people, events and shifts stay as they are.',
    )
  const ours = await findStoredTables(tx)
  for (const { name } of ours) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  const restoreIndexes = await dropIndexes(tx, LARGE)
  const book = new Book({ secrets, now: now.toISOString(), language })
  const facts = await readFacts(source)
  const loading = new Loading(
    tx,
    ours.map(({ name }) => name),
  )
  const tally = await Tally.of(source, wish.progress)
  for (const step of stepsOf(facts)) {
    // Shifts and participations carry who sees their event; from here on that is known.
    if (step.source === PARTICIPATION.source) await placeEvents(tx)
    await takeAll(wish, { step, book, loading, tally, tx })
  }
  await loading.add(legalPages(await findPages(source), book))
  await loading.flush()
  await keepOrphans(tx, wish, book, tally)
  await keepTheRest(tx, wish, tally)
  const strange = await keepStrange(tx, wish)
  await countAndSign(tx)
  await restoreIndexes()
  // Without it the planner takes full tables for empty ones.
  await sql`analyze ${sql.join(ours.map(({ name }) => sql.table(name)))}`.execute(tx)
  await settle(tx, wish, ours)
  const drift = await findDrift(tx)
  if (drift.length) throw new Error(`the import does not agree with itself: ${drift.map(({ what }) => what).join(', ')}`)
  await requireCounts(tx, loading)
  return tally.report(book.notes, strange)
}

/** Tables whose indexes are made once, at the end. */
const LARGE = [
  'event',
  'event_group_grant',
  'shift',
  'participation',
  'participation_comment',
  'journal',
  'moved_in_row',
] as const

type Work = { step: Step; book: Book; loading: Loading; tally: Tally; tx: Tx }

async function takeAll({ source, secrets }: MovingWish, { step, book, loading, tally, tx }: Work): Promise<void> {
  const left: { row: SourceRow; why: string }[] = []
  for await (const batch of rowsOf(source, step.source)) {
    for (const row of batch) {
      const before = book.notes.length
      const targets = step.take(row, book)
      const why = book.notes.slice(before).find(({ what }) => what === 'left out')?.why
      if (why !== undefined) left.push({ row, why })
      else await loading.add(targets)
      tally.count(step.source, why === undefined ? 'taken' : 'left')
      if (step.source === PARTICIPATION.source)
        for (const { table, column } of PARTICIPATION.kinds) if (row[column] != null) tally.count(table, 'taken')
    }
  }
  await loading.flush()
  // Left out is not thrown away.
  for (const each of chunksOf(left, 1_000)) {
    await keep(
      tx,
      step.source,
      each.map(({ row, why }) => ({ json: sealSecrets(JSON.stringify(row), secrets), why })),
    )
  }
}

/** They say who, but not on which shift. */
async function keepOrphans(tx: Tx, { source, secrets }: MovingWish, book: Book, tally: Tally): Promise<void> {
  const why = 'says who, but the participation itself is not there'
  for (const { table } of PARTICIPATION.kinds) {
    if (!source.tables.has(table)) continue
    for await (const batch of orphansOf(source, table)) {
      await keep(
        tx,
        table,
        batch.map((row) => ({ json: sealSecrets(JSON.stringify(row), secrets), why })),
      )
      for (const row of batch) {
        book.leftOut(table, row.abstractparticipation_ptr_id, why)
        tally.count(table, 'left')
      }
    }
  }
}

/** Tables that have no place here, and those that nobody has heard of. */
async function keepTheRest(tx: Tx, { source, secrets }: MovingWish, tally: Tally): Promise<void> {
  const kinds = new Set<string>(PARTICIPATION.kinds.map(({ table }) => table))
  for (const table of [...source.tables.keys()].sort()) {
    if (table in SOURCE_COLUMNS || table in NOT_CARRIED || table === PARTICIPATION.source || kinds.has(table)) continue
    for await (const batch of source.readWhole(table)) {
      await keep(
        tx,
        table,
        batch.map((json) => ({ json: sealSecrets(json, secrets), why: null })),
      )
      for (const _ of batch) tally.count(table, 'kept')
    }
  }
}

/** What our rows have no column for stays beside them. */
async function keepStrange(tx: Tx, { source, secrets }: MovingWish): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of [...source.tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const strange = strangeColumns(table, columns)
    if (!strange.length) continue
    found.push(...strange.map((column) => `${table}.${column}`))
    const why = `has ${strange.join(', ')}, which is not known here`
    for await (const batch of source.readWhole(table))
      await keep(
        tx,
        table,
        batch.map((json) => ({ json: sealSecrets(json, secrets), why })),
      )
  }
  return found
}

async function keep(tx: Tx, table: string, rows: readonly { json: string; why: string | null }[]): Promise<void> {
  const texts = rows.map(({ json, why }) => `{"why":${JSON.stringify(why)},"row":${storable(json)}}`)
  await sql`
    insert into moved_in_row (table_name, row_id, reason, row)
    select ${table}, kept.row ->> 'id', kept.why, kept.row
    from json_to_recordset(${`[${texts.join(',')}]`}::json) as kept (why text, row jsonb)`.execute(tx)
}

const SECRET = /(^|_)(token|secret|password|code|key)$/

/** Nothing in our tables opens a door by itself; a later release that adopts the row can read it with the instance's key. */
function sealSecrets(json: string, { seal }: Secrets): string {
  const row = JSON.parse(json) as Record<string, unknown>
  const names = Object.keys(row).filter((name) => SECRET.test(name) && typeof row[name] === 'string' && row[name] !== '')
  if (!names.length) return json
  for (const name of names) row[name] = { sealed: seal(row[name] as string) }
  return JSON.stringify(row)
}

/** Times, audiences and counts of events, before the participations that copy them. */
async function placeEvents(tx: Tx): Promise<void> {
  await sql`
    update event set start_time = times.start_time, end_time = times.end_time, shift_count = times.shifts
    from (select event_id, min(start_time) as start_time, max(end_time) as end_time, count(*) as shifts from shift group by event_id) times
    where event.id = times.event_id`.execute(tx)
  const sets = sql`select event_id, array_agg(distinct group_id order by group_id) as group_ids from event_group_grant group by event_id`
  await sql`insert into audience (group_ids) select distinct group_ids from (${sets}) sets order by 1 on conflict do nothing`.execute(
    tx,
  )
  await sql`update event set audience_id = audience.id from (${sets}) sets join audience using (group_ids) where event.id = sets.event_id`.execute(
    tx,
  )
  await sql`update shift set listed_audience_id = event.audience_id from event where event.id = shift.event_id and event.listed`.execute(
    tx,
  )
  await recountAudiences(tx)
}

const SHIFTS_AT_ONCE = 500

/** What whole tables say about each other. */
async function countAndSign(tx: Tx): Promise<void> {
  await sql`
    update shift set requested_count = counted.requested, confirmed_count = counted.confirmed
    from (select shift_id, count(*) filter (where state = 0) as requested, count(*) filter (where state = 1) as confirmed
      from participation group by shift_id) counted
    where shift.id = counted.shift_id`.execute(tx)
  // Comments of participants do not name them; their participation does.
  await sql`
    update participation_comment set author_id = participation.user_id from participation
    where participation.id = participation_id and author_kind = 'participant'`.execute(tx)
}

/** What depends on everything, and the triggers that keep it from now on. */
async function settle(
  tx: Tx,
  { language, now, progress }: MovingWish,
  ours: Awaited<ReturnType<typeof findStoredTables>>,
): Promise<void> {
  await sql`select rebuild_qualification_closure()`.execute(tx)
  await sql`insert into setting (name, value, changed_at) values ('default_language', to_jsonb(${language}::text), ${now})
    on conflict (name) do update set value = excluded.value`.execute(tx)
  await sql`update catalogue_version set version = version + 1`.execute(tx)
  const shifts = await tx.selectFrom('shift').select('id').orderBy('id').execute()
  for (const [n, each] of chunksOf(shifts, SHIFTS_AT_ONCE).entries()) {
    await refreshStatistics(
      tx,
      each.map(({ id }) => id),
    )
    progress?.(Math.min((n + 1) * SHIFTS_AT_ONCE, shifts.length), shifts.length)
  }
  for (const { name, numbered } of ours) {
    if (numbered)
      await sql`select setval(pg_get_serial_sequence(${name}, ${numbered}), greatest((select max(${sql.ref(numbered)}) from ${sql.table(name)}), 1),
        exists (select from ${sql.table(name)}))`.execute(tx)
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
  }
}

/** What was taken over must be there. */
async function requireCounts(tx: Tx, { counts }: Loading): Promise<void> {
  for (const [table, expected] of counts) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(tx)
    // Settings and audiences have rows of their own.
    if (rows[0]!.count < expected || (table !== 'setting' && rows[0]!.count !== expected))
      throw new Error(`${table} has ${rows[0]!.count} rows instead of ${expected}`)
  }
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size))
  return chunks
}
