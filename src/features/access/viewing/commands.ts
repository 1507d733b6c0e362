import type { Kysely } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import { lockAndRequirePerson } from '#features/accounts/users/commands/people.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getViewedPerson } from './queries.ts'
import { VIEWING_MINUTES } from './rules.ts'

const MINUTE_MS = 60_000

/** False: the person has more rights, or no active account. */
export async function startViewing(context: CommandContext, userId: number): Promise<boolean> {
  requireStaff(context.actor)
  const viewer = requireSession(context.actor)
  const until = new Date(context.now.getTime() + VIEWING_MINUTES * MINUTE_MS)
  return transact(context.db, async (tx) => {
    await lockAndRequirePerson(tx, context, userId)
    if (!(await getViewedPerson(tx, viewer, userId, until))) return false
    const row = { user_id: userId, expires_at: until }
    await tx
      .insertInto('viewing')
      .values({ session_hash: viewer.via.sessionHash, ...row })
      .onConflict((same) => same.column('session_hash').doUpdateSet(row))
      .execute()
    await record(tx, context, { kind: 'user.viewed_as', subject: { kind: 'user', id: userId } })
    return true
  })
}

/** Also after it has ended by itself. */
export async function stopViewing({ db, actor }: CommandContext): Promise<void> {
  const { sessionHash } = requireSession(actor).via
  await db.deleteFrom('viewing').where('session_hash', '=', sessionHash).execute()
}

export async function deleteEndedViewings(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('viewing').where('expires_at', '<=', now).execute()
}

export const deleteViewingsOf = (tx: Tx, userId: number): Promise<unknown> =>
  tx.deleteFrom('viewing').where('user_id', '=', userId).execute()

type SessionUser = Actor & UserActor & { via: { kind: 'session' } }

function requireSession(actor: Actor): SessionUser {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') throw new Problem('permission_denied')
  return actor as SessionUser
}
