import { sql } from 'kysely'
import { changeableBy } from '#features/events/access.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'

/** Undefined: there is none, or the caller neither answers for it nor may read the whole log. */
export async function getEventLogged(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ id: number; title: string } | undefined> {
  const readers = hasPermission(actor, 'view_journal') ? sql`true` : changeableBy(actor)
  const { rows } = await sql<{ id: number; title: string }>`
    select e.id, e.title from event e where e.id = ${id} and ${readers}`.execute(db)
  return rows[0]
}
