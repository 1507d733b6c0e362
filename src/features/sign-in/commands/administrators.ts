import { sql } from 'kysely'
import { addAdministrator } from '#features/users/commands/credentials.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { hasActiveStaff, isFirstAdministratorLink } from '../queries.ts'
import { type AdministratorRefusal, judgeAdministrator, type NewAdministrator } from '../rules/administrator.ts'
import { linkEnd } from '../rules/sessions.ts'
import { queueWelcomeMail } from './links.ts'
import { type Device, type NewSession, startSession } from './sessions.ts'

export type AdministratorInput = NewAdministrator & { language?: Language }
/** Each begins with the name of the field that it is about. */
export type Refusal = AdministratorRefusal | 'email_taken'
export type Created = { ok: true; userId: number } | { ok: false; reasons: Refusal[] }
export type FirstCreated = ({ ok: true; userId: number } & NewSession) | { ok: false; isLinkDead: boolean; reasons: Refusal[] }

const TOKEN_LENGTH = 43

/** For the command line: whoever can call it can write to the database anyway. */
export async function createAdministrator(context: CommandContext, input: AdministratorInput): Promise<Created> {
  const wish = tidy(input)
  const reasons = judgeAdministrator(wish)
  if (reasons.length) return { ok: false, reasons }
  const passwordHash = await hashPassword(wish.password)
  return transact(context.db, async (tx) => {
    const userId = await addAdministrator(tx, context, { ...wish, passwordHash, by: 'command_line' })
    return userId === undefined ? { ok: false, reasons: ['email_taken'] } : { ok: true, userId }
  })
}

/** The same without a password: they get a mail with the link to their first one. */
export async function inviteAdministrator(
  context: CommandContext,
  input: Omit<AdministratorInput, 'password'>,
): Promise<Created> {
  const wish = tidy({ ...input, password: randomSecret(TOKEN_LENGTH) })
  const reasons = judgeAdministrator(wish)
  if (reasons.length) return { ok: false, reasons }
  return transact(context.db, async (tx): Promise<Created> => {
    const userId = await addAdministrator(tx, context, { ...wish, passwordHash: null, by: 'command_line' })
    if (userId === undefined) return { ok: false, reasons: ['email_taken'] }
    await queueWelcomeMail(tx, context, userId)
    return { ok: true, userId }
  })
}

/** A link to print where only the operator looks. The token is returned once and never stored; undefined: there is staff. */
export async function makeFirstAdministratorLink(
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

/** Each start prints a link, so several may be open; the lock lets one use of any of them through at a time. */
export const lockFirstAdministrator = async (tx: Tx): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('turnout.first_administrator'))`.execute(tx)
}

const DEAD_LINK: FirstCreated = { ok: false, isLinkDead: true, reasons: [] }

/** Creates them and signs them in. The lock is a parameter, so that a test can see what happens without it. */
export async function createFirstAdministrator(
  context: CommandContext,
  { token, ...input }: AdministratorInput & Device & { token: string },
  lock = lockFirstAdministrator,
): Promise<FirstCreated> {
  const wish = tidy(input)
  // First: nobody without a link makes us compute a hash.
  if (!(await isFirstAdministratorLink(context.db, token, context.now))) return DEAD_LINK
  const reasons = judgeAdministrator(wish)
  if (reasons.length) return { ok: false, isLinkDead: false, reasons }
  const passwordHash = await hashPassword(wish.password)
  return transact(context.db, async (tx) => {
    await lock(tx)
    if (!(await isFirstAdministratorLink(tx, token, context.now))) return DEAD_LINK
    const userId = await addAdministrator(tx, context, { ...wish, passwordHash, by: 'first_administrator_link' })
    if (userId === undefined) return { ok: false, isLinkDead: false, reasons: ['email_taken'] }
    await tx.updateTable('one_time_link').set({ used_at: context.now }).where('token_hash', '=', hashSecret(token)).execute()
    return { ok: true, userId, ...(await startSession(tx, context, userId, input)) }
  })
}

const tidy = (input: AdministratorInput): AdministratorInput => ({
  ...input,
  name: input.name.trim(),
  email: input.email.trim(),
})
