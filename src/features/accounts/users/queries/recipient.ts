import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { isAddress } from '#platform/no-address.ts'
import { chooseMailboxes, type Mailbox } from '../rules.ts'
import { isNotOfAge, type Reading } from './guardians.ts'

/** A mailbox that gets the mails of a person. */
export type Recipient = Mailbox<Language> & {
  /** The person whom the mail is for. */
  userId: number
  /** What the person signs in with; undefined: they do not sign in. */
  signInName: string | undefined
}

type Row = {
  id: number
  name: string
  email: string
  username: string | null
  contactEmail: string | null
  emailInvalid: boolean
  language: Language
  isPerson: boolean
}

/**
 * All mails to people with an account go to these mailboxes; see `chooseMailboxes`. Empty for inactive people and service accounts,
 * and for people whom no mail reaches.
 */
export async function findRecipients(
  { db, now, site }: Reading,
  userId: number,
  purpose: 'news' | 'access',
): Promise<Recipient[]> {
  const { rows } = await sql<Row>`
    select u.id, u.display_name as name, u.email, u.username, u.contact_email as "contactEmail", u.email_invalid as "emailInvalid",
      u.preferred_language as language, u.id = ${userId} as "isPerson"
    from user_profile u
    where u.is_active and not u.is_service_account
      and (u.id = ${userId} or u.id in (select g.guardian_id from guardianship g join user_profile c on c.id = g.child_id
        where g.child_id = ${userId} and ${isNotOfAge({ now, site })}))
    order by u.id`.execute(db)
  const person = rows.find(({ isPerson }) => isPerson)
  if (!person) return []
  // An address that mails came back from is used for links that people ask for: they may have repaired it.
  const target = (row: Row) => ({ ...row, isReachable: isAddress(row.email) && (purpose === 'access' || !row.emailInvalid) })
  const guardians = rows.filter(({ isPerson }) => !isPerson).map(target)
  const signInName = isAddress(person.email) ? person.email : (person.username ?? undefined)
  return chooseMailboxes(target(person), guardians, purpose).map((mailbox) => ({ ...mailbox, userId, signInName }))
}

/** For mails to an address that the person had before; undefined for inactive people. */
export async function getFormerRecipient(db: Kysely<DB>, userId: number): Promise<Omit<Recipient, 'email'> | undefined> {
  const row = await db
    .selectFrom('user_profile')
    .select(['display_name as name', 'preferred_language as language'])
    .where('id', '=', userId)
    .where('is_active', '=', true)
    .where('is_service_account', '=', false)
    .executeTakeFirst()
  if (!row) return undefined
  const { name, language } = row
  return {
    userId,
    name,
    language: language as Language,
    about: undefined,
    isGuardian: false,
    ownerId: undefined,
    signInName: undefined,
  }
}
