import { type Kysely, sql } from 'kysely'
import { type Actor, isStaff, userIdOrNull } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Pagination } from '#platform/http/paging.ts'
import type { ImportFormat, ImportSettings, ImportState, ImportSummary, SheetInfo } from '../rules/import.ts'
import type { Change, Verdict } from '../rules/judgement.ts'
import type { RowProblem } from '../rules/row.ts'

export type PeopleImport = {
  id: number
  createdById: number | null
  createdBy: string | null
  createdAt: Date
  fileName: string
  format: ImportFormat
  sheets: SheetInfo[]
  settings: ImportSettings
  summary: ImportSummary | null
  state: ImportState
  refusal: 'bad_rows' | 'not_allowed' | 'nothing' | 'failed' | null
  goodRowsOnly: boolean
  sendsInvitations: boolean
  done: number
  total: number
  checkedAt: Date | null
  appliedAt: Date | null
  undoneAt: Date | null
}

const columns = sql`i.id, i.created_by_id as "createdById", u.display_name as "createdBy", i.created_at as "createdAt", i.file_name as "fileName",
  i.format, i.sheets, i.settings, i.summary, i.state, i.refusal, i.good_rows_only as "goodRowsOnly", i.sends_invitations as "sendsInvitations",
  i.done, i.total, i.checked_at as "checkedAt", i.applied_at as "appliedAt", i.undone_at as "undoneAt"`

export async function getImport(db: Kysely<DB>, id: number): Promise<PeopleImport | undefined> {
  return rowsOf(db).first(sql<PeopleImport>`
    select ${columns} from people_import i left join user_profile u on u.id = i.created_by_id where i.id = ${id}`)
}

const MOST_LISTED = 20

/** The latest imports that the caller may see. */
export async function findImports(db: Kysely<DB>, actor: Actor): Promise<PeopleImport[]> {
  const own = isStaff(actor) ? sql`true` : sql`i.created_by_id = ${userIdOrNull(actor)}`
  return rowsOf(db).all(sql<PeopleImport>`
    select ${columns} from people_import i left join user_profile u on u.id = i.created_by_id where ${own}
    order by i.created_at desc, i.id desc limit ${MOST_LISTED}`)
}

export type StoredRow = { number: number; cells: string[] }

const BATCH = 5000

/** All rows of a sheet, in batches. */
export async function* readRows(db: Kysely<DB>, importId: number, sheet: number): AsyncGenerator<StoredRow[]> {
  let after = 0
  for (;;) {
    const { rows } = await sql<StoredRow>`
      select number, cells from people_import_row
      where import_id = ${importId} and sheet = ${sheet} and number > ${after} order by number limit ${BATCH}`.execute(db)
    if (rows.length) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!.number
  }
}

/** The first rows of a sheet, for recognising columns and showing samples. */
export async function findFirstRows(db: Kysely<DB>, importId: number, sheet: number, limit: number): Promise<StoredRow[]> {
  return rowsOf(db).all(sql<StoredRow>`
    select number, cells from people_import_row where import_id = ${importId} and sheet = ${sheet}
    order by number limit ${limit}`)
}

export type ShownRow = {
  number: number
  verdict: Verdict
  name: string
  email: string
  problems: RowProblem[]
  changes: Change[]
  userId: number | null
  outcome: 'created' | 'changed' | 'removed' | 'restored' | 'kept' | null
  keptBecause: string | null
}

export type RowFilter = Verdict | 'all' | 'kept'

/** Checked rows for the preview. */
export async function findShownRows(
  db: Kysely<DB>,
  { id, settings }: Pick<PeopleImport, 'id' | 'settings'>,
  filter: RowFilter,
  { limit, offset }: Pagination,
): Promise<{ count: number; rows: ShownRow[] }> {
  const chosen =
    filter === 'all' ? sql`r.verdict is not null` : filter === 'kept' ? sql`r.outcome = 'kept'` : sql`r.verdict = ${filter}`
  const where = sql`r.import_id = ${id} and r.sheet = ${settings.sheet} and ${chosen}`
  const [counted, { rows }] = await Promise.all([
    sql<{ count: number }>`select count(*)::int as count from people_import_row r where ${where}`.execute(db),
    // never null: verdict (every filter asks for it, or for an outcome, which follows it)
    sql<ShownRow>`
      select r.number, r.verdict, r.result ->> 'name' as name, r.result ->> 'email' as email, r.result -> 'problems' as problems,
        r.result -> 'changes' as changes, r.user_id as "userId", r.outcome, r.kept_because as "keptBecause"
      from people_import_row r where ${where} order by r.number limit ${limit} offset ${offset}`.execute(db),
  ])
  return { count: counted.rows[0]!.count, rows }
}
