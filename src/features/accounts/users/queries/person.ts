import { type Kysely, sql } from 'kysely'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { mayManageHidden } from '../access.ts'
import type { Target } from '../rules.ts'

export type Person = Target & {
  name: string
  /** A stand-in if the person has no address of their own. */
  email: string
  username: string | null
  contactEmail: string | null
  dateOfBirth: string | null
  phone: string | null
  emergencyName: string | null
  emergencyPhone: string | null
  language: Language
  isActive: boolean
  isVisible: boolean
  hasPassword: boolean
  emailInvalid: boolean
  /** Since when and why mails to the address come back, if it is known. */
  emailFailedAt: Date | null
  emailFailure: string | null
  createdAt: Date
  lastSeenAt: Date | null
}

/** Deleted people and service accounts are not found. Commands lock the row first. */
export async function getPerson(db: Kysely<DB>, id: number): Promise<Person | undefined> {
  return rowsOf(db).first(sql<Person>`
    select u.id as "userId", u.display_name as name, u.email, u.username, u.contact_email as "contactEmail", u.date_of_birth as "dateOfBirth", u.phone, u.emergency_name as "emergencyName",
      u.emergency_phone as "emergencyPhone",
      u.preferred_language as language, u.is_active as "isActive", u.is_visible as "isVisible", u.is_staff as "isStaff",
      u.is_superuser as "isSuperuser", u.password_hash is not null as "hasPassword", u.email_invalid as "emailInvalid",
      f.failed_at as "emailFailedAt", nullif(f.reason, '') as "emailFailure",
      u.created_at as "createdAt",
      greatest(u.last_sign_in_at, (select max(s.last_seen_at) from session s where s.user_id = u.id)) as "lastSeenAt",
      array(select m.group_id from user_group_member m where m.user_id = u.id order by 1) as "groupIds",
      array(select p.permission from user_permission p where p.user_id = u.id order by 1) as "ownPermissions"
    from user_profile u left join email_failure f on f.user_id = u.id and lower(f.email) = lower(u.email) and u.email_invalid
    where u.id = ${id} and u.deleted_at is null and not u.is_service_account`)
}

/** Hidden people are found for administrators only, as in the list. */
export async function getVisiblePerson({ db, actor }: RequestContext, id: number): Promise<Person | undefined> {
  const person = await getPerson(db, id)
  return person && (person.isVisible || mayManageHidden(actor)) ? person : undefined
}

/** The person whom a page is about. */
export const requireVisiblePerson = async (context: RequestContext, id: number): Promise<Person> =>
  requireFound(await getVisiblePerson(context, id))

/** What those who may change people change about a profile, and the record does not show; undefined for others. */
export async function getPersonRevision({ db, actor }: RequestContext, { id }: { id: number }): Promise<string | undefined> {
  if (!hasPermission(actor, 'change_user')) return undefined
  const person = await getPerson(db, id)
  return (
    person &&
    JSON.stringify([
      person.username,
      person.contactEmail,
      person.phone,
      person.language,
      person.groupIds.toSorted((a, b) => a - b),
    ])
  )
}

export type HeldQualification = {
  qualificationId: number
  title: string
  category: string
  expiresAt: Date | null
  isExternal: boolean
}

export async function findHeldQualifications(db: Kysely<DB>, userId: number): Promise<HeldQualification[]> {
  return db
    .selectFrom('qualification_grant as h')
    .innerJoin('qualification as q', 'q.id', 'h.qualification_id')
    .innerJoin('qualification_category as c', 'c.id', 'q.category_id')
    .select([
      'h.qualification_id as qualificationId',
      'q.title',
      'c.title as category',
      'h.expires_at as expiresAt',
      'h.externally_managed as isExternal',
    ])
    .where('h.user_id', '=', userId)
    .orderBy('c.title')
    .orderBy('q.title')
    .orderBy('q.id')
    .execute()
}

export type AccountUses = { past: number; responsibleFor: number }

/** What depends on an account, for the page that confirms closing it. */
export async function getAccountUses(db: Kysely<DB>, userId: number, now: Date): Promise<AccountUses> {
  return rowsOf(db).one(sql<AccountUses>`
    select (select count(*)::int from participation p where p.user_id = ${userId} and p.state = 1 and p.end_time < ${now}) as past,
      (select count(*)::int from event_user_grant g join event e on e.id = g.event_id
        where g.user_id = ${userId} and g.permission = 'change' and e.deleted_at is null and e.end_time >= ${now}) as "responsibleFor"
    `)
}

/** Whether another active administrator exists. */
export async function hasOtherAdministrator(db: Kysely<DB>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('user_profile')
    .select('id')
    .where('is_staff', '=', true)
    .where('is_active', '=', true)
    .where('id', '!=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
