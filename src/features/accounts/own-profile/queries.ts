import { type Kysely, sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { pictureShownTo } from './access.ts'
import type { EmailChange } from './rules.ts'

type StoredChange = EmailChange & {
  userId: number
  formerEmail: string
  newEmail: string
  /** Of the person now. */
  email: string
  name: string
  language: Language
  isActive: boolean
}

const columns = sql`c.user_id as "userId", c.former_email as "formerEmail", c.new_email as "newEmail", c.requested_at as "requestedAt",
  c.confirmed_at as "confirmedAt", c.stopped_at as "stoppedAt", u.email, u.display_name as name, u.preferred_language as language,
  u.is_active as "isActive"`
const from = sql`email_change c join user_profile u on u.id = c.user_id`
const isToken = (token: string): boolean => /^\w{20,64}$/.test(token)

export async function getEmailChange(db: Kysely<DB>, userId: number): Promise<StoredChange | undefined> {
  return rowsOf(db).first(sql<StoredChange>`select ${columns} from ${from} where c.user_id = ${userId}`)
}

/** The change of this person that the link confirms. A link of another person finds nothing. */
export async function getChangeToConfirm(db: Kysely<DB>, userId: number, token: string): Promise<StoredChange | undefined> {
  if (!isToken(token)) return undefined
  return rowsOf(db).first(sql<StoredChange>`
    select ${columns} from ${from} where c.user_id = ${userId} and c.confirm_hash = ${hashSecret(token)}`)
}

export async function getChangeToStop(db: Kysely<DB>, token: string): Promise<StoredChange | undefined> {
  if (!isToken(token)) return undefined
  return rowsOf(db).first(sql<StoredChange>`select ${columns} from ${from} where c.stop_hash = ${hashSecret(token)}`)
}

export async function isAddressTaken(db: Kysely<DB>, email: string, userId: number): Promise<boolean> {
  return rowsOf(db).exists(sql`
    select from user_profile u where lower(u.email) = lower(${email}) and u.id <> ${userId}`)
}

type Picture = { id: string; name: string; content_type: string; bytes: number }

/** Undefined: there is none, or the actor may not see it. */
export async function getPicture(db: Kysely<DB>, actor: UserActor, userId: number): Promise<Picture | undefined> {
  return rowsOf(db).first(sql<Picture>`
    select f.id, f.name, f.content_type, f.bytes::int as bytes from profile_picture p join user_profile u on u.id = p.user_id
    join stored_file f on f.id = p.file_id where u.id = ${userId} and ${pictureShownTo(actor)}`)
}

/** The id of the file, which changes with the picture. */
export async function getPictureId(db: Kysely<DB>, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('profile_picture').select('file_id').where('user_id', '=', userId).executeTakeFirst()
  return row?.file_id
}

/** The present values of the person who asks for a change by the request `r`. */
export const presentValues = sql`(select json_build_object('name', u.display_name, 'dateOfBirth', u.date_of_birth)
  from user_profile u where u.id = r.user_id)`
