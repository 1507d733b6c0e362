import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { type Actor, makeActor, type UserActor } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { mayViewAs } from './access.ts'

type Viewer = Actor & UserActor

/**
 * The person as the viewer may look at pages as: what the person sees, in the language of the viewer, without children and proofs.
 * Undefined: no active account, or one with more rights. Asked for each request, because rights change.
 */
export async function getViewedPerson(db: Kysely<DB>, viewer: Viewer, userId: number, until: Date): Promise<Viewer | undefined> {
  const row = await rowsOf(db).first(
    sql<ActorRow>`select ${actorColumns} from user_profile u where u.id = ${userId} and u.is_active and not u.is_service_account`,
  )
  if (!row || viewer.via.kind !== 'session') return undefined
  const person = actorFrom(row, { kind: 'session', sessionHash: viewer.via.sessionHash })
  if (!mayViewAs(viewer, person)) return undefined
  const { language, userId: viewerId, displayName } = viewer
  return makeActor<UserActor>({ ...person, language, viewedBy: { userId: viewerId, displayName, until } })
}

type GroupMember = { userId: number; name: string }

/** Active members of a group, by name. */
export async function findActiveMembers(db: Kysely<DB>, groupId: number, limit: number): Promise<GroupMember[]> {
  return rowsOf(db).all(sql<GroupMember>`
    select u.id as "userId", u.display_name as name from user_group_member m join user_profile u on u.id = m.user_id
    where m.group_id = ${groupId} and u.is_active and not u.is_service_account
    order by lower(u.display_name), u.id limit ${limit}`)
}
