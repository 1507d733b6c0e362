import { type Kysely, sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import type { PeopleFilter } from '#features/accounts/users/queries/people.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { findSelected } from '../queries.ts'
import { type ActionKind, MOST_PEOPLE, UNDO_MS } from '../rules.ts'

type Selection = { kind: ActionKind; filter: PeopleFilter }
type SelectionOutcome = { ok: true; id: number } | { ok: false; reason: 'nobody' | 'too_many' }

/** Keeps who was chosen, so that the action concerns the people whom its page names. People whom the actor may not see are left out. */
export async function selectPeople(context: CommandContext, { kind, filter }: Selection): Promise<SelectionOutcome> {
  const { userId } = requirePermission(context.actor, 'change_user')
  const people = await findSelected(context, filter, MOST_PEOPLE + 1)
  if (!people.length) return { ok: false, reason: 'nobody' }
  if (people.length > MOST_PEOPLE) return { ok: false, reason: 'too_many' }
  return transact(context.db, async (tx): Promise<SelectionOutcome> => {
    const { id } = await tx
      .insertInto('people_action')
      .values({ created_by_id: userId, created_at: context.now, kind })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`insert into people_action_person (action_id, user_id) select ${id}, unnest(${people}::bigint[])`.execute(tx)
    return { ok: true, id }
  })
}

/** An action is needed for as long as it can be undone. */
export async function deleteOldActions(db: Kysely<DB>, now: Date): Promise<void> {
  await sql`
    delete from people_action where coalesce(undone_at, finished_at, created_at) < ${new Date(now.getTime() - UNDO_MS)}
      and state in ('open', 'done', 'undone')`.execute(db)
}

/** When a person is erased. */
export async function deleteActionsOf(db: Kysely<DB>, userId: number): Promise<void> {
  await db.deleteFrom('people_action').where('created_by_id', '=', userId).execute()
  await db.deleteFrom('people_action_person').where('user_id', '=', userId).execute()
}
