import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Actor, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { dayOf, GUARDIANSHIP_END_AGE } from '../rules.ts'
import { type ActorRow, actorColumns, actorFrom } from './actor.ts'

/** Every request and every command has it. The day is that of the instance. */
export type Moment = { now: Date; site: Pick<Site, 'timeZone'> }
export type Reading = Moment & { db: Kysely<DB> }

const BIRTHDAY = sql`c.date_of_birth + make_interval(years => ${GUARDIANSHIP_END_AGE}::int)`
/** The day on which guardianships of a `user_profile` as `c` end. As `getDayOfAge`: from 1 March for who was born on 29 February. */
export const guardianshipEnd: RawBuilder<unknown> = sql`((${BIRTHDAY})::date
  + case when extract(day from ${BIRTHDAY}) <> extract(day from c.date_of_birth) then 1 else 0 end)`

/** A row if the organisation keeps guardianships after the 18th birthday. */
export const guardianshipsStay = sql`select from setting where name = 'guardianship_stays' and value = 'true'`

/**
 * A condition on `user_profile` as `c`: the guardianships of the person have not ended with the 18th birthday. Everything that asks who is
 * a guardian asks this, too: the rows stay until the job of the night has removed them.
 */
export const isNotOfAge = ({ now, site }: Moment): RawBuilder<boolean> => sql<boolean>`(
  c.date_of_birth is null or ${dayOf(now, site.timeZone)}::date < ${guardianshipEnd} or exists (${guardianshipsStay}))`

/** A condition on `user_profile` as `c`: guardians may act for the person. Accounts that can do more than take part are left out. */
export const isActedFor = (at: Moment): RawBuilder<boolean> => sql<boolean>`(
  ${isNotOfAge(at)} and c.is_active and not c.is_staff and not c.is_superuser and not c.is_service_account
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
export async function findChildren({ db, now, site }: Reading, guardianId: number): Promise<Child[]> {
  return rowsOf(db).all(sql<Child>`
    select c.id as "userId", c.display_name as name, c.email, c.username, c.date_of_birth as "dateOfBirth", g.since,
      g.in_calendar as "isInCalendar"
    from guardianship g join user_profile c on c.id = g.child_id
    where g.guardian_id = ${guardianId} and ${isActedFor({ now, site })} order by lower(c.display_name), c.id`)
}

export type Guardian = { userId: number; name: string; email: string; since: Date; isActive: boolean }

/** The guardians of a person, by name. */
export async function findGuardians({ db, now, site }: Reading, childId: number): Promise<Guardian[]> {
  return rowsOf(db).all(sql<Guardian>`
    select u.id as "userId", u.display_name as name, u.email, g.since, u.is_active as "isActive"
    from guardianship g join user_profile u on u.id = g.guardian_id join user_profile c on c.id = g.child_id
    where g.child_id = ${childId} and ${isNotOfAge({ now, site })} order by lower(u.display_name), u.id`)
}

/**
 * The caller as one of their children: what the child sees and does, without any permission. Undefined: the caller may not act for this
 * person. Only with a session: tokens act for their owner.
 */
export async function getChildActor(
  context: Reading & { actor: Actor },
  childId: number,
): Promise<(Actor & UserActor) | undefined> {
  return (await findChildActors(context, [childId]))[0]
}

/** The caller as several of their children, by name; `childIds` undefined: for all. */
export async function findChildActors(
  context: Reading & { actor: Actor },
  childIds?: readonly number[],
): Promise<(Actor & UserActor)[]> {
  const { actor: guardian } = context
  if (guardian.kind !== 'user' || !guardian.isGuardian || guardian.via.kind !== 'session' || guardian.by) return []
  return findActorsOfChildren(context, guardian, childIds)
}

/** For what guardians read about their children; also without a session, for push messages. */
export async function findActorsOfChildren(
  { db, now, site }: Reading,
  { userId, displayName, via }: Pick<UserActor, 'userId' | 'displayName' | 'via'>,
  childIds?: readonly number[],
): Promise<(Actor & UserActor)[]> {
  const only = childIds ? sql`and g.child_id = any (${childIds}::bigint[])` : sql``
  const { rows } = await sql<ActorRow>`
    select ${actorColumns} from guardianship g join user_profile u on u.id = g.child_id join user_profile c on c.id = u.id
    where g.guardian_id = ${userId} ${only} and ${isActedFor({ now, site })} order by lower(u.display_name), u.id`.execute(db)
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
export const hasChildren = (userId: number, at: Moment): RawBuilder<boolean> => sql<boolean>`exists (
  select from guardianship g join user_profile c on c.id = g.child_id where g.guardian_id = ${userId} and ${isNotOfAge(at)})`
