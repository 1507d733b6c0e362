import { type Kysely, type RawBuilder, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { OwnTexts, TextOwner } from '#platform/features/own-texts.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Stored } from './rules.ts'

/** The column that refers to the record. */
export const COLUMNS = { event: 'event_id', page: 'page_id', question: 'question_id' } as const satisfies Record<
  TextOwner,
  string
>
const columnOf = (owner: TextOwner): RawBuilder<number> => sql.ref(`t.${COLUMNS[owner]}`)

type Row = Stored & { id: number }

export async function findTexts(
  db: Kysely<DB>,
  { owner, ids, language }: { owner: TextOwner; ids: readonly number[]; language: Language },
): Promise<OwnTexts> {
  const rows = await rowsOf(db).all(sql<Row>`
    select coalesce(${columnOf(owner)}, 0) as id, t.language, t.field, t.original, t.text from translated_text t
    where ${columnOf(owner)} = any (${ids}::bigint[]) and t.language = ${language}`)
  const byRecord = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byRecord].map(([id, own]) => [id, new Map(own.map((row) => [row.field, row]))]))
}

/** Of one record, in all languages. */
export const findTextsOf = (db: Kysely<DB>, owner: TextOwner, id: number): Promise<Stored[]> =>
  rowsOf(db).all(sql<Stored>`
    select t.language, t.field, t.original, t.text from translated_text t where ${columnOf(owner)} = ${id} order by t.language, t.field`)
