import { type Kysely, sql } from 'kysely'
import { type Device, type NewSession, startSession } from '#features/access/sign-in/commands/sessions.ts'
import { createRequest, deleteRequestsOf } from '#features/accounts/requests/commands.ts'
import { addJoinedMember, createJoinedPerson, deleteUnopenedAccount } from '#features/accounts/users/commands/joined-accounts.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { checkPassword, hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, type MailRefusal } from '#platform/http/mail-limits.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { JOINING_REQUEST } from '../access.ts'
import { findRefusedAccounts, getRegistrationByToken, isAddressTaken, type JoinLink, type Registration } from '../queries.ts'
import { MAX_UNCONFIRMED, refusedUntil, registrationEnd } from '../rules.ts'
import type { RegistrationForm } from '../schema.ts'
import { type ClaimUse, claimUse } from './links.ts'
import { queueJoinMail } from './mails.ts'

type Entered = Pick<RegistrationForm, 'name' | 'email' | 'date_of_birth' | 'password'> & { language: Language }
/** How people join: by a link, or by themselves. */
export type Way = { link: JoinLink | undefined; needsApproval: boolean }

/** Orders registrations, so that concurrent ones see each other. A parameter, so that a test can show the race without it. */
export const lockRegistrations = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('turnout.registration'))`.execute(tx)
}

type RegisterOptions = {
  /** Whether mails reach people; without, addresses are not confirmed. */
  hasMail: boolean
  claim?: ClaimUse
  lock?: typeof lockRegistrations
}
type RegisterOutcome =
  | { ok: true }
  | { ok: false; reason: 'too_many' | 'link_closed' }
  | { ok: false; reason: 'mails'; refusal: MailRefusal }

/**
 * Does equal work with an equal outcome for addresses with and without an account, so that accounts cannot be probed. The mail says whether
 * there is one already.
 */
export async function register(
  context: CommandContext,
  { entered, way }: { entered: Entered; way: Way },
  { hasMail, claim = claimUse, lock = lockRegistrations }: RegisterOptions,
): Promise<RegisterOutcome> {
  const passwordHash = await hashPassword(entered.password)
  const { email, name, date_of_birth: dateOfBirth, language } = entered
  return transact(context.db, async (tx): Promise<RegisterOutcome> => {
    await lock(tx)
    if ((await countRegistrations(tx, context.now)) >= MAX_UNCONFIRMED) return { ok: false, reason: 'too_many' }
    const person = { email, name, dateOfBirth, language, passwordHash }
    if (!hasMail) {
      if (await isAddressTaken(tx, email)) return { ok: true }
      const made = await createAccount(tx, context, { person, way }, { claim })
      return made.ok || made.reason === 'exists' ? { ok: true } : { ok: false, reason: 'link_closed' }
    }
    const mail = await claimMail(tx, context, email)
    if (!mail.ok) return { ok: false, reason: 'mails', refusal: mail }
    const { id } = await tx
      .insertInto('registration')
      .values({
        join_link_id: way.link?.id ?? null,
        email,
        display_name: name,
        date_of_birth: dateOfBirth,
        language,
        password_hash: passwordHash,
        created_at: context.now,
        expires_at: registrationEnd(context.now),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await queueJoinMail(tx, { kind: 'confirm', registrationId: id })
    return { ok: true }
  })
}

async function countRegistrations(tx: Tx, now: Date): Promise<number> {
  const { count } = await rowsOf(tx).one(sql<{ count: number }>`
    select count(*)::int as count from registration r where r.expires_at > ${now}`)
  return count
}

type NewPerson = Pick<Registration, 'email' | 'name' | 'dateOfBirth' | 'language' | 'passwordHash'>
type AccountOutcome = { ok: true; userId: number; isPending: boolean } | { ok: false; reason: 'link_closed' | 'exists' }

async function createAccount(
  tx: Tx,
  context: CommandContext,
  { person, way: { link, needsApproval } }: { person: NewPerson; way: Way },
  { claim }: { claim: ClaimUse },
): Promise<AccountOutcome> {
  if (link && !(await claim(tx, link.id, context.now))) return { ok: false, reason: 'link_closed' }
  const joinLinkId = link?.id ?? null
  const userId = await createJoinedPerson(tx, context, { ...person, isPending: needsApproval, joinLinkId })
  if (userId === undefined) return { ok: false, reason: 'exists' }
  if (needsApproval) {
    const data = { group_id: link?.groupId ?? null, join_link_id: joinLinkId, is_new: true }
    await createRequest(tx, context, { kind: JOINING_REQUEST, userId, data })
  } else if (link) await addJoinedMember(tx, context, { groupId: link.groupId, userId })
  return { ok: true, userId, isPending: needsApproval }
}

/** The token is returned once and never stored. Undefined: the registration has ended. */
export async function createConfirmationToken(db: Kysely<DB>, registrationId: number): Promise<string | undefined> {
  const token = randomSecret(43)
  const row = await db
    .updateTable('registration')
    .set({ token_hash: hashSecret(token) })
    .where('id', '=', registrationId)
    .returning('id')
    .executeTakeFirst()
  return row && token
}

type Confirmation = Device & {
  token: string
  password: string
  /** Undefined: nobody can join in this way any more. */
  wayOf: (registration: Registration) => Promise<Way | undefined>
}
type ConfirmOutcome =
  | ({ ok: true; isPending: false; userId: number } & NewSession)
  | { ok: true; isPending: true }
  | { ok: false; reason: 'invalid' | 'wrong' | 'link_closed' | 'exists' }

/** Of concurrent requests only the first deletes the row. A parameter, so that a test can show the race without it. */
export async function takeRegistration(tx: Tx, id: number): Promise<boolean> {
  return (await tx.deleteFrom('registration').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined
}

/**
 * Confirms the address. The link alone is not enough: who opens the mail must know the password of the form. Otherwise somebody else
 * could fill in the form with a foreign address, and its owner would open an account with a password that others know.
 */
export async function confirmRegistration(
  context: CommandContext,
  { token, password, wayOf, ...device }: Confirmation,
  { claim = claimUse, take = takeRegistration }: { claim?: ClaimUse; take?: typeof takeRegistration } = {},
): Promise<ConfirmOutcome> {
  const registration = await getRegistrationByToken(context.db, token, context.now)
  if (!registration) return { ok: false, reason: 'invalid' }
  if (!(await checkPassword(password, registration.passwordHash)).ok) return { ok: false, reason: 'wrong' }
  return transact(context.db, async (tx): Promise<ConfirmOutcome> => {
    if (!(await take(tx, registration.id))) return { ok: false, reason: 'invalid' }
    const way = await wayOf(registration)
    if (!way) return { ok: false, reason: 'link_closed' }
    if (await isAddressTaken(tx, registration.email)) return { ok: false, reason: 'exists' }
    const made = await createAccount(tx, context, { person: registration, way }, { claim })
    if (!made.ok) return made
    await deleteRegistrationsOf(tx, registration.email)
    if (made.isPending) return { ok: true, isPending: true }
    return { ok: true, isPending: false, userId: made.userId, ...(await startSession(tx, context, made.userId, device)) }
  })
}

async function deleteRegistrationsOf(tx: Tx, email: string): Promise<void> {
  await tx.deleteFrom('registration').where(sql`lower(email)`, '=', email.toLowerCase()).execute()
}

/** For the deletion of a person. */
export async function deleteRegistrationsOfPerson(tx: Tx, userId: number): Promise<void> {
  await sql`delete from registration r using user_profile u where u.id = ${userId} and lower(r.email) = lower(u.email)`.execute(
    tx,
  )
}

/** Registrations that nobody confirmed, and accounts that were refused long ago. */
export async function deleteOldRegistrations(context: CommandContext): Promise<void> {
  const { db, now } = context
  await db.deleteFrom('registration').where('expires_at', '<=', now).execute()
  for (const userId of await findRefusedAccounts(db, refusedUntil(now)))
    await transact(db, async (tx) => {
      await deleteRequestsOf(tx, userId)
      await deleteUnopenedAccount(tx, context, userId)
    })
}
