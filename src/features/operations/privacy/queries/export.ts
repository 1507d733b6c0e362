import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { DB } from '#platform/db/tables.ts'

type ExportedRow = Record<string, unknown>
type ExportedFile = { id: string; name: string; bytes: number }

const PAGE_SIZE = 500

/** A condition on the table as `t`: its rows of this person. */
export function rowsOf({ column, via, where }: PersonalTable, userId: number): RawBuilder<unknown> {
  const own = via
    ? sql`exists (select from ${sql.table(via.table)} v where ${sql.ref(`v.${via.id}`)} = ${sql.ref(`t.${via.key}`)}
        and ${sql.ref(`v.${column}`)} = ${userId})`
    : sql`${sql.ref(`t.${column}`)} = ${userId}`
  return where ? sql`${own} and ${sql.raw(where)}` : own
}

function recordOf({ export: given }: PersonalTable): RawBuilder<unknown> {
  if (given.section === undefined) throw new Error('not exported')
  const { only, without = {}, adds = {} } = given
  const columns = only
    ? sql`jsonb_build_object(${sql.join(only.flatMap((name) => [sql.lit(name), sql.ref(`t.${name}`)]))})`
    : sql`to_jsonb(t) - ${Object.keys(without)}::text[]`
  const names = Object.entries(adds).flatMap(([name, expression]) => [sql.lit(name), sql.raw(expression)])
  return names.length ? sql`${columns} || jsonb_build_object(${sql.join(names)})` : columns
}

/** What the table stores about the person, in pages, so that the size of an export does not depend on memory. */
export async function* readRows(db: Kysely<DB>, table: PersonalTable, userId: number): AsyncGenerator<ExportedRow[]> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    // never null: record (made from a row)
    const { rows } = await sql<{ record: ExportedRow }>`
      select ${recordOf(table)} as record from ${sql.table(table.table)} t where ${rowsOf(table, userId)}
      order by t limit ${PAGE_SIZE} offset ${offset}`.execute(db)
    if (rows.length) yield rows.map(({ record }) => record)
    if (rows.length < PAGE_SIZE) return
  }
}

/** Files that the person uploaded: to events, and proofs of qualifications. */
export async function findOwnFiles(db: Kysely<DB>, userId: number): Promise<ExportedFile[]> {
  const { rows } = await sql<ExportedFile>`
    select f.id, f.name, f.bytes from stored_file f
    where f.id in (select a.file_id from attachment a where a.uploader_id = ${userId})
      or f.id in (select p.file_id from qualification_proof p join decision_request r on r.id = p.request_id where r.user_id = ${userId})
      or f.id in (select p.file_id from profile_picture p where p.user_id = ${userId})
    order by f.id`.execute(db)
  return rows
}
