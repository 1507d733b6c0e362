import { type Kysely, sql } from 'kysely'
import type { RecipientContext, RecipientQuery, RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** Whoever caused it, with or without an account here. Jobs and partner instances are nobody. */
export type Cause = { kind: string; id: number | null }

/** Leaves out the actor, inactive users and service accounts. */
export async function findRecipients(
  db: Kysely<DB>,
  query: RecipientQuery,
  { actor, ...context }: RecipientContext & { actor: Cause | undefined },
): Promise<RecipientRow[]> {
  const idOf = (kind: string) => (actor?.kind === kind ? actor.id : null)
  return rowsOf(db).all(sql<RecipientRow>`
    select r.* from (${query(context)}) r left join user_profile u on u.id = r.user_id
    where (r.user_id is null or r.user_id is distinct from ${idOf('user')} and u.is_active and not u.is_service_account)
      and (r.guest_id is null or r.guest_id is distinct from ${idOf('guest')})
      and (r.visitor_id is null or r.visitor_id is distinct from ${idOf('visitor')})
    order by r.user_id, r.guest_id, r.visitor_id`)
}
