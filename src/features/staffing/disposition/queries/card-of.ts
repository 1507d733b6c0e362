import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { CardPerson } from '../rules/cards.ts'

/** Shift and person of a participation. */
export async function getCardOf(db: Kysely<DB>, id: number): Promise<{ shiftId: number; who: CardPerson } | undefined> {
  type Row = { shiftId: number } & (
    | { kind: 'local' | 'visitor' | 'guest'; personId: number; name: null }
    | { kind: 'placeholder'; personId: null; name: string }
  )
  const row = await rowsOf(db).first(sql<Row>`
    select p.shift_id as "shiftId", p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as "personId", p.placeholder_name as name
    from participation p where p.id = ${id}`)
  if (!row) return undefined
  const who = row.kind === 'placeholder' ? { placeholder: row.name } : { kind: row.kind, id: row.personId }
  return { shiftId: row.shiftId, who }
}
