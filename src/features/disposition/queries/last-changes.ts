import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

/** `by` null: the participants themselves if they did it, or somebody whose name is not known. */
export type LastChange = { at: Date; by: string | null; isOwn: boolean }

/** Who last did something with each of these participations, and when. */
export async function findLastChanges(db: Kysely<DB>, participationIds: readonly number[]): Promise<Map<number, LastChange>> {
  if (!participationIds.length) return new Map()
  const { rows } = await sql<LastChange & { id: number }>`
    select p.id, last.at, u.display_name as by, last.kind <> 'participation.moved' as "isOwn"
    from participation p
    cross join lateral (
      select j.at, j.kind, j.actor_kind, j.actor_id from journal j
      where j.subject_kind = 'participation' and j.subject_id = p.id order by j.id desc limit 1
    ) last
    left join user_profile u on last.actor_kind = 'user' and u.id = last.actor_id
    where p.id = any (${participationIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...change }) => [id, change]))
}
