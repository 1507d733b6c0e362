import { sql } from 'kysely'
import { addAdministrator } from '#features/accounts/users/commands/credentials.ts'
import { beginWithFewModules } from '#features/operations/settings/commands.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { hasActiveStaff, hasPeople, isFirstAdministratorLink } from '../queries.ts'
import { type AdministratorRefusal, checkAdministrator, type NewAdministrator } from '../rules/administrator.ts'
import { linkEnd } from '../rules/sessions.ts'
import { queueWelcomeMail } from './links.ts'
import { type Device, type NewSession, startSession } from './sessions.ts'

type AdministratorInput = NewAdministrator & { language?: Language }
/** Each reason begins with the name of its form field. */
type AdministratorInputRefusal = AdministratorRefusal | 'email_taken'
type AdministratorOutcome = { ok: true; userId: number } | { ok: false; reasons: AdministratorInputRefusal[] }
type FirstAdministratorOutcome =
  | ({ ok: true; userId: number } & NewSession)
  | { ok: false; isLinkInvalid: boolean; reasons: AdministratorInputRefusal[] }

const TOKEN_LENGTH = 43

/** The first person of an instance makes it a new one, which begins with few modules. */
async function addAdministratorTo(
  tx: Tx,
  context: CommandContext,
  person: Parameters<typeof addAdministrator>[2],
): Promise<number | undefined> {
  const isNew = !(await hasPeople(tx))
  const userId = await addAdministrator(tx, context, person)
  if (isNew && userId !== undefined) await beginWithFewModules(tx, context)
  return userId
}

/** For the command line. No access check: its users can write to the database anyway. */
export async function createAdministrator(context: CommandContext, raw: AdministratorInput): Promise<AdministratorOutcome> {
  const input = trimInput(raw)
  const reasons = checkAdministrator(input)
  if (reasons.length) return { ok: false, reasons }
  const passwordHash = await hashPassword(input.password)
  return transact(context.db, async (tx) => {
    const userId = await addAdministratorTo(tx, context, { ...input, passwordHash, by: 'command_line' })
    return userId === undefined ? { ok: false, reasons: ['email_taken'] } : { ok: true, userId }
  })
}

/** Without a password: the person gets a mail with a link to choose one. */
export async function inviteAdministrator(
  context: CommandContext,
  raw: Omit<AdministratorInput, 'password'>,
): Promise<AdministratorOutcome> {
  const input = trimInput({ ...raw, password: randomSecret(TOKEN_LENGTH) })
  const reasons = checkAdministrator(input)
  if (reasons.length) return { ok: false, reasons }
  return transact(context.db, async (tx): Promise<AdministratorOutcome> => {
    const userId = await addAdministratorTo(tx, context, { ...input, passwordHash: null, by: 'command_line' })
    if (userId === undefined) return { ok: false, reasons: ['email_taken'] }
    await queueWelcomeMail(tx, context, userId)
    return { ok: true, userId }
  })
}

/** A link for the log of the server. The token is returned once and never stored; undefined: an administrator exists. */
export async function createFirstAdministratorLink(
  context: CommandContext,
): Promise<{ token: string; expiresAt: Date } | undefined> {
  const token = randomSecret(TOKEN_LENGTH)
  const expiresAt = linkEnd(context.now)
  return transact(context.db, async (tx) => {
    if (await hasActiveStaff(tx)) return undefined
    await tx
      .insertInto('one_time_link')
      .values({ token_hash: hashSecret(token), purpose: 'first_administrator', created_at: context.now, expires_at: expiresAt })
      .execute()
    return { token, expiresAt }
  })
}

/** Each start of the server prints a link, so several may be valid. The lock serialises their use. */
export const lockFirstAdministrator = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('turnout.first_administrator'))`.execute(tx)
}

const INVALID_LINK: FirstAdministratorOutcome = { ok: false, isLinkInvalid: true, reasons: [] }

/** Also signs the person in. The lock is a parameter, so that a test can show the race without it. */
export async function createFirstAdministrator(
  context: CommandContext,
  { token, ...raw }: AdministratorInput & Device & { token: string },
  lock = lockFirstAdministrator,
): Promise<FirstAdministratorOutcome> {
  const input = trimInput(raw)
  // Check the link first, so that requests without one cannot cause expensive hashing.
  if (!(await isFirstAdministratorLink(context.db, token, context.now))) return INVALID_LINK
  const reasons = checkAdministrator(input)
  if (reasons.length) return { ok: false, isLinkInvalid: false, reasons }
  const passwordHash = await hashPassword(input.password)
  return transact(context.db, async (tx) => {
    await lock(tx)
    if (!(await isFirstAdministratorLink(tx, token, context.now))) return INVALID_LINK
    const userId = await addAdministratorTo(tx, context, { ...input, passwordHash, by: 'first_administrator_link' })
    if (userId === undefined) return { ok: false, isLinkInvalid: false, reasons: ['email_taken'] }
    await tx.updateTable('one_time_link').set({ used_at: context.now }).where('token_hash', '=', hashSecret(token)).execute()
    return { ok: true, userId, ...(await startSession(tx, context, userId, raw)) }
  })
}

const trimInput = (input: AdministratorInput): AdministratorInput => ({
  ...input,
  name: input.name.trim(),
  email: input.email.trim(),
})
