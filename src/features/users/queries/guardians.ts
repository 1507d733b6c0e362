import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Actor, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { type ActorRow, actorColumns, actorFrom } from './actor.ts'

/** A condition on `user_profile` as `c`: guardians may act for the person. Accounts that can do more than take part are left out. */
export const isActedFor: RawBuilder<boolean> = sql<boolean>`(
  c.is_active and not c.is_staff and not c.is_superuser and not c.is_service_account
  and not exists (select from user_permission p where p.user_id = c.id)
  and not exists (select from group_permission p join user_group_member m on m.group_id = p.group_id where m.user_id = c.id))`

export type Child = {
  userId: number
  name: string
  email: string
  username: string | null
  dateOfBirth: string | null
  since: Date
  isInCalendar: boolean
}

/** The people whom a person may act for, by name. */
export async function findChildren(db: Kysely<DB>, guardianId: number): Promise<Child[]> {
  const { rows } = await sql<Child>`
    select c.id as "userId", c.display_name as name, c.email, c.username, c.date_of_birth as "dateOfBirth", g.since,
      g.in_calendar as "isInCalendar"
    from guardianship g join user_profile c on c.id = g.child_id
    where g.guardian_id = ${guardianId} and ${isActedFor} order by lower(c.display_name), c.id`.execute(db)
  return rows
}

export type Guardian = { userId: number; name: string; email: string; since: Date; isActive: boolean }

/** The guardians of a person, by name. */
export async function findGuardians(db: Kysely<DB>, childId: number): Promise<Guardian[]> {
  const { rows } = await sql<Guardian>`
    select u.id as "userId", u.display_name as name, u.email, g.since, u.is_active as "isActive"
    from guardianship g join user_profile u on u.id = g.guardian_id
    where g.child_id = ${childId} order by lower(u.display_name), u.id`.execute(db)
  return rows
}

/**
 * The caller as one of their children: what the child sees and does, without any permission. Undefined: the caller may not act for this
 * person. Only with a session: tokens act for their owner.
 */
export async function getChildActor(db: Kysely<DB>, guardian: Actor, childId: number): Promise<(Actor & UserActor) | undefined> {
  return (await findChildActors(db, guardian, [childId]))[0]
}

/** The same for several children, by name; `childIds` undefined: for all. */
export async function findChildActors(
  db: Kysely<DB>,
  guardian: Actor,
  childIds?: readonly number[],
): Promise<(Actor & UserActor)[]> {
  if (guardian.kind !== 'user' || !guardian.isGuardian || guardian.via.kind !== 'session' || guardian.by) return []
  return findActorsOfChildren(db, guardian, childIds)
}

/** For what guardians read about their children; also without a session, for push messages. */
export async function findActorsOfChildren(
  db: Kysely<DB>,
  { userId, displayName, via }: Pick<UserActor, 'userId' | 'displayName' | 'via'>,
  childIds?: readonly number[],
): Promise<(Actor & UserActor)[]> {
  const only = childIds ? sql`and g.child_id = any (${childIds}::bigint[])` : sql``
  const { rows } = await sql<ActorRow>`
    select ${actorColumns} from guardianship g join user_profile u on u.id = g.child_id join user_profile c on c.id = u.id
    where g.guardian_id = ${userId} ${only} and ${isActedFor} order by lower(u.display_name), u.id`.execute(db)
  return rows.map((row) =>
    makeActor<UserActor>({
      ...actorFrom(row, via),
      isStaff: false,
      isSuperuser: false,
      permissions: new Set(),
      by: { userId, displayName },
    }),
  )
}

/** Whether a person has children here: the menu leads to the page of the family then. */
export const hasChildren = (userId: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from guardianship g where g.guardian_id = ${userId})`
