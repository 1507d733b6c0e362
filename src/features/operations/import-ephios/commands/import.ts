import { type Kysely, sql } from 'kysely'
import { findDrift, recountAudiences, recountParticipations } from '#features/operations/backup/commands/denormalised.ts'
import { TransferError } from '#features/operations/backup/commands/transfer-error.ts'
import { findStoredTables, isEmptyInstance, type StoredTable } from '#features/operations/backup/queries/tables.ts'
import { countUses } from '#features/operations/modules/queries.ts'
import { startNewFeed } from '#features/sharing/change-feed/commands/sequence.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { isKnownHash } from '#platform/auth/passwords.ts'
import { hashClientSecret, hashSecret, type Keyring } from '#platform/auth/secrets.ts'
import { dropIndexes } from '#platform/db/indexes.ts'
import type { SourceDatabase } from '#platform/db/source-database.ts'
import { markAll } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Module, type ModuleName, withNeeded } from '#platform/features/modules.ts'
import { findIdentityProviders, readLookups, readOrphans, readRows } from '../queries/source.ts'
import { ImportContext, type Secrets, type TableMapper } from '../rules/import-context.ts'
import { makeMappers } from '../rules/mappers.ts'
import { type ImportReport, RowCounter } from '../rules/report.ts'
import { findIgnored, findUnknownColumns, PARTICIPATION, SOURCE_COLUMNS } from '../rules/source-columns.ts'
import { type SourceRow, toStorableJson } from '../rules/values.ts'
import { RowLoader } from './row-loader.ts'

type ImportOptions = {
  source: SourceDatabase
  secrets: Secrets
  now: Date
  /** Of the instance, and of users with an unsupported language. */
  language: 'de' | 'en'
  /** Those of this program; undefined: all stay on. */
  modules?: readonly Module[]
  /** Imports everything and rolls back, so the report is the real one. */
  isDryRun: boolean
  progress?: (rows: number, of: number) => void
  /** Before the commit. */
  onCommit?: () => void
}

export const makeImportSecrets = ({ seal }: Pick<Keyring, 'seal'>): Secrets => ({
  // The text format of bytea.
  hash: (secret) => `\\x${hashSecret(secret).toString('hex')}`,
  hashClientSecret,
  seal,
  isKnownHash,
})

class DryRunRollback extends Error {}

/** Runs in one transaction: after a failure the instance is as empty as before. */
export async function importEphios(db: Kysely<DB>, options: ImportOptions): Promise<ImportReport> {
  requireEphios(options.source)
  let report: ImportReport | undefined
  try {
    await db.transaction().execute(async (tx) => {
      report = await fillInstance(tx, options)
      if (options.isDryRun) throw new DryRunRollback()
      options.onCommit?.()
    })
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error
  }
  return report!
}

function requireEphios({ tables, kind }: SourceDatabase): void {
  const missing = ['userprofile', 'event', 'shift', PARTICIPATION.source].filter((table) => !tables.has(table))
  if (missing.length) throw new TransferError(`Not an ephios database: this ${kind} database has no table ${missing.join(', ')}.`)
}

async function fillInstance(tx: Tx, options: ImportOptions): Promise<ImportReport> {
  const { source, secrets, now, language } = options
  await sql`set local statement_timeout = 0`.execute(tx)
  if (!(await isEmptyInstance(tx)))
    throw new TransferError('This instance is not empty. An import keeps all ids, so it needs an empty instance.')
  const tables = await findStoredTables(tx)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(tx)
  const restoreIndexes = await dropIndexes(tx, LARGE_TABLES)
  const context = new ImportContext({ secrets, now: now.toISOString(), language })
  const lookups = await readLookups(source)
  const loader = new RowLoader(
    tx,
    tables.map(({ name }) => name),
  )
  const counter = await RowCounter.create(source, options.progress)
  for (const mapper of makeMappers(lookups)) {
    // Participations copy times and audience of their shift and event, which are complete from here on.
    if (mapper.source === PARTICIPATION.source) await completeEvents(tx)
    await importTable(options, { mapper, context, loader, counter, tx })
  }
  await storeOrphans(tx, options, context, counter)
  await storeOtherTables(tx, options, counter)
  const unknownColumns = await storeUnknownColumns(tx, options)
  await completeParticipations(tx)
  await completeNotifications(tx)
  await restoreIndexes()
  // The planner still has the statistics of empty tables.
  await sql`analyze ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
  await finishImport(tx, options, { tables, counter })
  await switchModules(tx, options, context.enabledModules)
  const drift = await findDrift(tx)
  if (drift.length) throw new Error(`consistency check failed: ${drift.map(({ what }) => what).join(', ')}`)
  await requireCounts(tx, loader)
  const identityProviders = await findIdentityProviders(source)
  return counter.makeReport(
    { notes: context.notes, unknownColumns, facts: context.facts, identityProviders },
    context.omittedValues,
  )
}

/** ephios has no module for working hours: they are always there. */
const ALWAYS_ON: readonly ModuleName[] = ['hours']

/** Their counts say what could be shown, not what was made with them. */
const COUNTED_WITHOUT_USE: readonly ModuleName[] = ['timeline', 'reports']

/** Switches on what was switched on before or has content. The first steps do not ask again. */
async function switchModules(tx: Tx, { modules, now }: ImportOptions, enabled: readonly ModuleName[]): Promise<void> {
  if (!modules) return
  const uses = await countUses(tx, modules)
  const used = modules.map(({ name }) => name).filter((name) => uses.get(name)! > 0 && !COUNTED_WITHOUT_USE.includes(name))
  const names = withNeeded(modules, [...ALWAYS_ON, ...enabled, ...used])
  await sql`
    insert into setting (name, value, changed_at)
    values ('modules', ${JSON.stringify([...names])}::jsonb, ${now}), ('modules_chosen', 'true', ${now})
    on conflict (name) do update set value = excluded.value, changed_at = excluded.changed_at`.execute(tx)
}

/** Their indexes are created once, after the import. */
const LARGE_TABLES = [
  'event',
  'event_group_grant',
  'shift',
  'participation',
  'participation_comment',
  'journal',
  'moved_in_row',
] as const

type TableImport = { mapper: TableMapper; context: ImportContext; loader: RowLoader; counter: RowCounter; tx: Tx }

async function importTable(
  { source, secrets }: ImportOptions,
  { mapper, context, loader, counter, tx }: TableImport,
): Promise<void> {
  const skipped: { row: SourceRow; reason: string }[] = []
  for await (const batch of readRows(source, mapper.source)) {
    for (const row of batch) {
      const omission = mapper.omit?.(row, context)
      if (omission) {
        counter.omit(mapper.source, omission)
        continue
      }
      const before = context.notes.length
      const targets = mapper.map(row, context)
      const reason = context.notes.slice(before).find(({ outcome }) => outcome === 'skipped')?.reason
      if (reason !== undefined) skipped.push({ row, reason })
      else await loader.add(targets)
      counter.count(mapper.source, reason === undefined ? 'imported' : 'skipped')
      if (mapper.source === PARTICIPATION.source)
        for (const { table, column } of PARTICIPATION.kinds)
          if (row[column] != null) counter.count(table, reason === undefined ? 'imported' : 'skipped')
    }
  }
  await loader.flush()
  for (const chunk of chunksOf(skipped, 1_000)) {
    await storeRows(
      tx,
      mapper.source,
      chunk.map(({ row, reason }) => ({ json: sealSecrets(JSON.stringify(row), secrets), reason })),
    )
  }
}

/** Participants without the common part of their participation, which names the shift. */
async function storeOrphans(
  tx: Tx,
  { source, secrets }: ImportOptions,
  context: ImportContext,
  counter: RowCounter,
): Promise<void> {
  const reason = 'its participation does not exist'
  for (const { table } of PARTICIPATION.kinds) {
    if (!source.tables.has(table)) continue
    for await (const batch of readOrphans(source, table)) {
      await storeRows(
        tx,
        table,
        batch.map((row) => ({ json: sealSecrets(JSON.stringify(row), secrets), reason })),
      )
      for (const row of batch) {
        context.noteSkipped(table, row.abstractparticipation_ptr_id, reason)
        counter.count(table, 'skipped')
      }
    }
  }
}

/** Tables of extensions, and tables without a counterpart. */
async function storeOtherTables(tx: Tx, { source, secrets }: ImportOptions, counter: RowCounter): Promise<void> {
  const kinds = new Set<string>(PARTICIPATION.kinds.map(({ table }) => table))
  for (const table of [...source.tables.keys()].sort()) {
    if (table in SOURCE_COLUMNS || findIgnored(table) || table === PARTICIPATION.source || kinds.has(table)) continue
    for await (const batch of source.readWhole(table)) {
      await storeRows(
        tx,
        table,
        batch.map((json) => ({ json: sealSecrets(json, secrets), reason: null })),
      )
      for (const _ of batch) counter.count(table, 'kept')
    }
  }
}

/** Stores whole rows of tables with unknown columns, in addition to their import. */
async function storeUnknownColumns(tx: Tx, { source, secrets }: ImportOptions): Promise<string[]> {
  const found: string[] = []
  for (const [table, columns] of [...source.tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const unknownColumns = findUnknownColumns(table, columns)
    if (!unknownColumns.length) continue
    found.push(...unknownColumns.map((column) => `${table}.${column}`))
    const reason = `unknown columns: ${unknownColumns.join(', ')}`
    for await (const batch of source.readWhole(table))
      await storeRows(
        tx,
        table,
        batch.map((json) => ({ json: sealSecrets(json, secrets), reason })),
      )
  }
  return found
}

async function storeRows(tx: Tx, table: string, rows: readonly { json: string; reason: string | null }[]): Promise<void> {
  const texts = rows.map(({ json, reason }) => `{"reason":${JSON.stringify(reason)},"row":${toStorableJson(json)}}`)
  await sql`
    insert into moved_in_row (table_name, row_id, reason, row)
    select ${table}, stored.row ->> 'id', stored.reason, stored.row
    from json_to_recordset(${`[${texts.join(',')}]`}::json) as stored (reason text, row jsonb)`.execute(tx)
}

const SECRET_COLUMN = /(^|_)(token|secret|password|code|key)$/

/** No table holds secrets in plain text. A later release that imports these rows can unseal them with the key of the instance. */
function sealSecrets(json: string, { seal }: Secrets): string {
  const row = JSON.parse(json) as Record<string, unknown>
  const names = Object.keys(row).filter((name) => SECRET_COLUMN.test(name) && typeof row[name] === 'string' && row[name] !== '')
  if (!names.length) return json
  for (const name of names) row[name] = { sealed: seal(row[name] as string) }
  return JSON.stringify(row)
}

/** Sets times, shift counts and audiences of events, which triggers keep up to date otherwise. */
async function completeEvents(tx: Tx): Promise<void> {
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

const BATCH_SHIFTS = 500

/** Sets the counts of shifts and the authors of comments. */
async function completeParticipations(tx: Tx): Promise<void> {
  await sql`
    update shift set requested_count = counted.requested, confirmed_count = counted.confirmed
    from (select shift_id, count(*) filter (where state = 0) as requested, count(*) filter (where state = 1) as confirmed
      from participation group by shift_id) counted
    where shift.id = counted.shift_id`.execute(tx)
  // ephios stores authors of comments by responsibles only.
  await sql`
    update participation_comment set author_id = participation.user_id from participation
    where participation.id = participation_id and author_kind = 'participant'`.execute(tx)
}

/** Adds what notifications of ephios do not store: the event, and the state if it is still the one that they report. */
async function completeNotifications(tx: Tx): Promise<void> {
  await sql`
    update notification n set event_id = p.event_id,
      data = case when n.data ? 'from' and not n.data ? 'to' then n.data || jsonb_build_object('to', p.state) else n.data end
    from participation p where p.id = n.participation_id`.execute(tx)
  await sql`
    update notification n set data = n.data || jsonb_build_object('what', r.kind)
    from decision_request r where n.kind = 'request_decided' and r.id = (n.data ->> 'request_id')::bigint`.execute(tx)
}

/** Derives what depends on all tables, sets the sequences, and enables the triggers again. */
async function finishImport(
  tx: Tx,
  { language, now }: ImportOptions,
  { tables, counter }: { tables: readonly StoredTable[]; counter: RowCounter },
): Promise<void> {
  await sql`select rebuild_qualification_closure()`.execute(tx)
  await recountParticipations(tx)
  await sql`insert into setting (name, value, changed_at) values ('default_language', to_jsonb(${language}::text), ${now})
    on conflict (name) do update set value = excluded.value`.execute(tx)
  await sql`update catalogue_version set version = version + 1`.execute(tx)
  const shifts = await tx.selectFrom('shift').select('id').orderBy('id').execute()
  for (const chunk of chunksOf(shifts, BATCH_SHIFTS)) {
    await refreshStatistics(
      tx,
      chunk.map(({ id }) => id),
    )
    counter.advance(chunk.length)
  }
  counter.finish()
  for (const { name, identityColumn } of tables) {
    if (identityColumn)
      await sql`select setval(pg_get_serial_sequence(${name}, ${identityColumn}), greatest((select max(${sql.ref(identityColumn)}) from ${sql.table(name)}), 1),
        exists (select from ${sql.table(name)}))`.execute(tx)
    await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
  }
  await startNewFeed(tx)
  await markAll(tx)
}

/** Fails if a table does not hold exactly the loaded rows. */
async function requireCounts(tx: Tx, { counts }: RowLoader): Promise<void> {
  for (const [table, expected] of counts) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(tx)
    // The import itself adds settings.
    if (rows[0]!.count < expected || (table !== 'setting' && rows[0]!.count !== expected))
      throw new Error(`${table} has ${rows[0]!.count} rows instead of ${expected}`)
  }
}

function chunksOf<T>(all: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size))
  return chunks
}
