import { type Kysely, sql } from 'kysely'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Spreadsheet } from '#platform/spreadsheet/sheet.ts'
import { rightsOf } from '../access.ts'
import { findNamedQualifications } from '../queries/people.ts'
import { type ImportFormat, type SheetInfo, suggestSettings } from '../rules/import.ts'

const BATCH = 2000

/** Stores a list that was read. Nothing else changes before it is applied. */
export async function startImport(
  context: CommandContext,
  { fileName, spreadsheet }: { fileName: string; spreadsheet: Spreadsheet },
): Promise<number> {
  rightsOf(context.actor)
  const { sheets } = spreadsheet
  const format: ImportFormat =
    spreadsheet.kind === 'xlsx'
      ? { kind: 'xlsx' }
      : { kind: 'text', encoding: spreadsheet.encoding, separator: spreadsheet.separator }
  const first = Math.max(
    0,
    sheets.findIndex(({ rows }) => rows.length),
  )
  return transact(context.db, async (tx) => {
    const settings = suggestSettings(first, sheets[first]!.rows, await findNamedQualifications(tx))
    const listed: SheetInfo[] = sheets.map(({ name, rows, isTooLong }) => ({ name, rows: rows.length, isTooLong }))
    const { id } = await tx
      .insertInto('people_import')
      .values({
        created_by_id: userIdOrNull(context.actor),
        created_at: context.now,
        file_name: fileName.slice(0, 254),
        format: JSON.stringify(format),
        sheets: JSON.stringify(listed),
        settings: JSON.stringify(settings),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [sheet, { rows }] of sheets.entries())
      for (let at = 0; at < rows.length; at += BATCH)
        await sql`
          insert into people_import_row (import_id, sheet, number, cells)
          select ${id}, ${sheet}, number, cells
          from jsonb_to_recordset(${JSON.stringify(rows.slice(at, at + BATCH))}::jsonb) as r (number integer, cells jsonb)`.execute(
          tx,
        )
    return id
  })
}

/** False: it is being applied, or was. */
export async function discardImport(context: CommandContext, id: number): Promise<boolean> {
  rightsOf(context.actor)
  const deleted = await context.db
    .deleteFrom('people_import')
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

const KEPT_MS = 24 * 3600_000

/** Lists contain personal data: they are deleted a day after they were applied or uploaded. */
export async function deleteOldImports(db: Kysely<DB>, now: Date): Promise<void> {
  await sql`
    delete from people_import
    where coalesce(undone_at, applied_at, created_at) < ${new Date(now.getTime() - KEPT_MS)}
      and state in ('open', 'applied', 'undone')`.execute(db)
}

/** When a person is erased. */
export async function deleteImportedRowsOf(db: Kysely<DB>, userId: number): Promise<void> {
  await db.deleteFrom('people_import_row').where('user_id', '=', userId).execute()
  await db.deleteFrom('people_import').where('created_by_id', '=', userId).where('state', '=', 'open').execute()
}

/** Deletes rows of other people, or of nobody yet, that contain what identifies an erased person. */
export async function deleteImportedRowsAbout(db: Kysely<DB>, pattern: string): Promise<void> {
  await sql`delete from people_import_row where concat_ws(' ', cells::text, result::text, written::text) ~ ${pattern}`.execute(db)
}
