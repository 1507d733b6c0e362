import { type Kysely, sql } from 'kysely'
import { givesRights } from '#features/accounts/users/queries/group-rights.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { LinkState } from './rules.ts'

export type JoinLink = LinkState & {
  id: number
  groupId: number
  groupName: string
  needsApproval: boolean
  note: string
  sealedToken: string
  createdBy: string | null
  createdAt: Date
}

/** A group that got rights after the link was made takes requests only, as for a new link. */
const columns = sql`l.id, l.group_id as "groupId", g.name as "groupName", l.needs_approval or ${givesRights} as "needsApproval", l.note,
  l.token_sealed as "sealedToken", c.display_name as "createdBy", l.created_at as "createdAt", l.expires_at as "expiresAt",
  l.revoked_at as "revokedAt", l.uses, l.max_uses as "maxUses"`
const from = sql`join_link l join user_group g on g.id = l.group_id left join user_profile c on c.id = l.created_by_id`

const isToken = (token: string): boolean => /^\w{20,64}$/.test(token)

export async function getLinkByToken(db: Kysely<DB>, token: string): Promise<JoinLink | undefined> {
  if (!isToken(token)) return undefined
  return rowsOf(db).first(sql<JoinLink>`select ${columns} from ${from} where l.token_hash = ${hashSecret(token)}`)
}

export async function getLinkById(db: Kysely<DB>, id: number): Promise<JoinLink | undefined> {
  return rowsOf(db).first(sql<JoinLink>`select ${columns} from ${from} where l.id = ${id}`)
}

export async function getLink(db: Kysely<DB>, groupId: number, id: number): Promise<JoinLink | undefined> {
  return rowsOf(db).first(sql<JoinLink>`select ${columns} from ${from} where l.id = ${id} and l.group_id = ${groupId}`)
}

const MAX_SHOWN = 100

/** Latest first. */
export async function findLinks(db: Kysely<DB>, groupId: number): Promise<JoinLink[]> {
  return rowsOf(db).all(sql<JoinLink>`
    select ${columns} from ${from} where l.group_id = ${groupId}
    order by (l.revoked_at is null) desc, l.created_at desc, l.id desc limit ${MAX_SHOWN}`)
}

export type Registration = {
  id: number
  linkId: number | null
  groupName: string | null
  email: string
  name: string
  dateOfBirth: string
  language: Language
  passwordHash: string
}

const registrationColumns = sql`r.id, r.join_link_id as "linkId", r.email, r.display_name as name, r.date_of_birth as "dateOfBirth",
  r.language, r.password_hash as "passwordHash"`

export async function getRegistrationByToken(db: Kysely<DB>, token: string, now: Date): Promise<Registration | undefined> {
  if (!isToken(token)) return undefined
  return rowsOf(db).first(sql<Registration>`
    select ${registrationColumns}, (select g.name from join_link l join user_group g on g.id = l.group_id where l.id = r.join_link_id) as "groupName"
    from registration r where r.token_hash = ${hashSecret(token)} and r.expires_at > ${now}`)
}

export async function getRegistration(db: Kysely<DB>, id: number, now: Date): Promise<Registration | undefined> {
  return rowsOf(db).first(sql<Registration>`
    select ${registrationColumns}, (select g.name from join_link l join user_group g on g.id = l.group_id where l.id = r.join_link_id) as "groupName"
    from registration r where r.id = ${id} and r.expires_at > ${now}`)
}

/** Deleted people keep a row with an address that nobody can enter. */
export async function isAddressTaken(db: Kysely<DB>, email: string): Promise<boolean> {
  return rowsOf(db).exists(sql`select from user_profile u where lower(u.email) = lower(${email})`)
}

export async function isMember(db: Kysely<DB>, groupId: number, userId: number): Promise<boolean> {
  return rowsOf(db).exists(sql`select from user_group_member m where m.group_id = ${groupId} and m.user_id = ${userId}`)
}

export async function hasOpenRequest(db: Kysely<DB>, groupId: number, userId: number): Promise<boolean> {
  return rowsOf(db).exists(sql`
    select from decision_request r where r.user_id = ${userId} and r.kind = 'joining' and r.state in ('open', 'failed')
      and r.data ->> 'group_id' = ${String(groupId)}`)
}

/** Who asks by the request `r`, and the name of the group. */
export const joiningDetails = sql`(select json_build_object('email', u.email, 'dateOfBirth', u.date_of_birth,
    'groupName', (select g.name from user_group g where g.id::text = r.data ->> 'group_id'))
  from user_profile u where u.id = r.user_id)`

export type Refusal = {
  userId: number
  email: string
  name: string
  language: Language
  comment: string
  groupName: string | null
}

/** A request that was refused, for the mail to the person. */
export async function getRefusal(db: Kysely<DB>, requestId: number): Promise<Refusal | undefined> {
  return rowsOf(db).first(sql<Refusal>`
    select u.id as "userId", u.email, u.display_name as name, u.preferred_language as language, r.comment, g.name as "groupName"
    from decision_request r join user_profile u on u.id = r.user_id
    left join user_group g on g.id::text = r.data ->> 'group_id'
    where r.id = ${requestId} and r.state = 'refused' and not u.is_active`)
}

/** Accounts that were refused long ago, and accounts whose request was withdrawn. */
export async function findRefusedAccounts(db: Kysely<DB>, before: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from user_profile u where not u.is_active and not u.is_visible and u.deleted_at is null and u.last_sign_in_at is null
      and exists (select from decision_request r where r.user_id = u.id and r.kind = 'joining' and r.state = 'refused' and r.decided_at <= ${before}
        and (r.data ->> 'is_new')::boolean)
      and not exists (select from decision_request r where r.user_id = u.id and r.state in ('open', 'failed', 'granted'))
    order by u.id limit 200`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether an invitation link of this person is valid. */
export async function getInvitation(db: Kysely<DB>, userId: number, now: Date): Promise<{ expiresAt: Date } | undefined> {
  return rowsOf(db).first(sql<{ expiresAt: Date }>`
    select l.expires_at as "expiresAt" from one_time_link l where l.user_id = ${userId} and l.purpose = 'invitation'
      and l.used_at is null and l.expires_at > ${now} order by l.expires_at desc limit 1`)
}
