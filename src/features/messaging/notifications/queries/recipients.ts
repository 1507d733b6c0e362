import { type Kysely, sql } from 'kysely'
import type { RecipientContext, RecipientQuery, RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** Leaves out the actor, inactive users and service accounts. */
export async function findRecipients(
  db: Kysely<DB>,
  query: RecipientQuery,
  context: RecipientContext & { actorId: number | null },
): Promise<RecipientRow[]> {
  return rowsOf(db).all(sql<RecipientRow>`
    select r.* from (${query(context)}) r left join user_profile u on u.id = r.user_id
    where r.user_id is distinct from ${context.actorId} and (r.user_id is null or u.is_active and not u.is_service_account)
    order by r.user_id, r.guest_id, r.visitor_id`)
}

export async function getParticipationState(db: Kysely<DB>, id: number): Promise<number | undefined> {
  return (await db.selectFrom('participation').select('state').where('id', '=', id).executeTakeFirst())?.state
}
