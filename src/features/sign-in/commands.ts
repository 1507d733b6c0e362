import { type Kysely, sql } from 'kysely'
import { addAdministrator, noteEntry } from '#features/users/commands.ts'
import type { Doing } from '#platform/auth/ask.ts'
import { type Check, checkNothing, checkPassword, hashPassword, LONGEST_PASSWORD } from '#platform/auth/passwords.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { type Account, findGuesses, getAccount, hasActiveStaff, isFirstAdministratorLink } from './queries.ts'
import { type AdministratorRefusal, judgeAdministrator, type NewAdministrator } from './rules/administrator.ts'
import { guessesCountSince, nextGuessAt } from './rules/guesses.ts'
import { deviceForgottenSince, idleSince, linkEnd, SESSION_SECONDS, sessionEnd } from './rules/sessions.ts'

export type SignInInput = Device & { email: string; password: string }
export type SignedIn =
  | ({ ok: true; userId: number } & NewSession)
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too_many_guesses'; retryAt: Date }

/** What keeps guesses few. A parameter, so that tests can count hashes and see what happens without the lock. */
export type Guard = {
  lockAccount: (tx: Tx, accountHash: Buffer) => Promise<void>
  checkPassword: (password: string, stored: string) => Promise<Check>
  checkNothing: (password: string) => Promise<Check>
}

export const GUARD: Guard = {
  lockAccount: async (tx, accountHash) => {
    await sql`select pg_advisory_xact_lock(${accountHash.readBigInt64BE()})`.execute(tx)
  },
  checkPassword,
  checkNothing,
}

const WRONG: SignedIn = { ok: false, reason: 'wrong' }

/**
 * Unknown, inactive and known accounts get the same work and the same answer. The guess is counted in a transaction of
 * its own, committed before the hash is computed: whatever happens then cannot take it back, and no connection waits
 * for a hash.
 */
export async function signIn(doing: Doing, input: SignInInput, guard: Guard = GUARD): Promise<SignedIn> {
  if (input.password.length > LONGEST_PASSWORD) return WRONG
  const guess = await countGuess(doing, input, guard)
  if ('retryAt' in guess) return { ok: false, reason: 'too_many_guesses', retryAt: guess.retryAt }
  const { userId, passwordHash } = guess.account
  const check = await (passwordHash ? guard.checkPassword(input.password, passwordHash) : guard.checkNothing(input.password))
  if (!check.ok || userId === null || !passwordHash) return WRONG
  const newHash = check.outdated ? await hashPassword(input.password) : passwordHash
  return transact(doing.db, async (tx) => {
    // Only if the account is still as it was checked: it may have been deactivated, or the password changed, meanwhile.
    const entered = await noteEntry(tx, { userId, at: doing.now, checkedHash: passwordHash, newHash })
    if (!entered) return WRONG
    await tx
      .deleteFrom('sign_in_attempt')
      .where('account_hash', '=', guess.accountHash)
      .where('device_hash', '=', hashSecret(input.device))
      .execute()
    return { ok: true, userId, ...(await startSession(tx, doing, userId, input)) }
  })
}

type Guess = { account: Account; accountHash: Buffer } | { retryAt: Date }

async function countGuess({ db, now, site }: Doing, { email, device }: SignInInput, guard: Guard): Promise<Guess> {
  const deviceHash = hashSecret(device)
  return transact(db, async (tx) => {
    const account = await getAccount(tx, email.trim())
    const accountHash = site.keyring.fingerprint(account.lowerEmail)
    // Guesses of one moment would each see a count without the others: one after another.
    await guard.lockAccount(tx, accountHash)
    const retryAt = nextGuessAt(await findGuesses(tx, { accountHash, deviceHash, userId: account.userId, now }))
    if (retryAt) return { retryAt }
    await tx.insertInto('sign_in_attempt').values({ account_hash: accountHash, device_hash: deviceHash, at: now }).execute()
    return { account, accountHash }
  })
}

/** The browser that somebody signs in with. */
export type Device = { device: string; userAgent: string }
export type NewSession = { sessionId: string; maxAgeSeconds: number }

const SESSION_ID_LENGTH = 43
const LONGEST_USER_AGENT = 400

/**
 * Always under a new id, never under one that the browser brought: somebody else could have planted it. The session that
 * the browser had ends. The device is known from now on.
 */
export async function startSession(tx: Tx, { actor, now }: Doing, userId: number, by: Device): Promise<NewSession> {
  const sessionId = randomSecret(SESSION_ID_LENGTH)
  const deviceHash = hashSecret(by.device)
  if (actor.kind === 'user' && actor.via.kind === 'session') await endSession(tx, actor.via.sessionHash)
  await tx
    .insertInto('session')
    .values({
      id_hash: hashSecret(sessionId),
      user_id: userId,
      device_hash: deviceHash,
      user_agent: by.userAgent.slice(0, LONGEST_USER_AGENT),
      created_at: now,
      last_seen_at: now,
      expires_at: sessionEnd(now),
    })
    .execute()
  await tx
    .insertInto('known_device')
    .values({ device_hash: deviceHash, user_id: userId, created_at: now, last_used_at: now })
    .onConflict((conflict) => conflict.columns(['device_hash', 'user_id']).doUpdateSet({ last_used_at: now }))
    .execute()
  return { sessionId, maxAgeSeconds: SESSION_SECONDS }
}

async function endSession(tx: Tx, sessionHash: Buffer): Promise<void> {
  await tx.deleteFrom('session').where('id_hash', '=', sessionHash).execute()
}

export async function signOut({ db, actor }: Doing): Promise<void> {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return
  const { sessionHash } = actor.via
  await transact(db, (tx) => endSession(tx, sessionHash))
}

/** For what ends sessions besides signing out: a new password, a deactivation. `except` is the hash of one that stays. */
export async function endSessionsOf(tx: Tx, userId: number, { except }: { except?: Buffer | undefined } = {}): Promise<void> {
  let sessions = tx.deleteFrom('session').where('user_id', '=', userId)
  if (except) sessions = sessions.where('id_hash', '!=', except)
  await sessions.execute()
}

/** Removes what counts for nothing any more. Nothing leans on it: every look-up checks the times itself. */
export async function forgetExpired(db: Kysely<DB>, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    await tx
      .deleteFrom('session')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_seen_at', '<=', idleSince(now))]))
      .execute()
    await tx.deleteFrom('sign_in_attempt').where('at', '<=', guessesCountSince(now)).execute()
    await tx
      .deleteFrom('one_time_link')
      .where((eb) => eb.or([eb('expires_at', '<=', now), eb('used_at', 'is not', null)]))
      .execute()
    await tx.deleteFrom('known_device').where('last_used_at', '<=', deviceForgottenSince(now)).execute()
  })
}

export type AdministratorInput = NewAdministrator & { language?: Language }
/** Each begins with the name of the field that it is about. */
export type Refusal = AdministratorRefusal | 'email_taken'
export type Created = { ok: true; userId: number } | { ok: false; reasons: Refusal[] }
export type FirstCreated = ({ ok: true; userId: number } & NewSession) | { ok: false; isLinkDead: boolean; reasons: Refusal[] }

const TOKEN_LENGTH = 43

/** For the command line: whoever can call it can write to the database anyway. */
export async function createAdministrator(doing: Doing, input: AdministratorInput): Promise<Created> {
  const wish = tidy(input)
  const reasons = judgeAdministrator(wish)
  if (reasons.length) return { ok: false, reasons }
  const passwordHash = await hashPassword(wish.password)
  return transact(doing.db, async (tx) => {
    const userId = await addAdministrator(tx, doing, { ...wish, passwordHash, by: 'command_line' })
    return userId === undefined ? { ok: false, reasons: ['email_taken'] } : { ok: true, userId }
  })
}

/** A link to print where only the operator looks. The token is returned once and never stored; undefined: there is staff. */
export async function makeFirstAdministratorLink(doing: Doing): Promise<{ token: string; expiresAt: Date } | undefined> {
  const token = randomSecret(TOKEN_LENGTH)
  const expiresAt = linkEnd(doing.now)
  return transact(doing.db, async (tx) => {
    if (await hasActiveStaff(tx)) return undefined
    await tx
      .insertInto('one_time_link')
      .values({ token_hash: hashSecret(token), purpose: 'first_administrator', created_at: doing.now, expires_at: expiresAt })
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
  doing: Doing,
  { token, ...input }: AdministratorInput & Device & { token: string },
  lock = lockFirstAdministrator,
): Promise<FirstCreated> {
  const wish = tidy(input)
  // First: nobody without a link makes us compute a hash.
  if (!(await isFirstAdministratorLink(doing.db, token, doing.now))) return DEAD_LINK
  const reasons = judgeAdministrator(wish)
  if (reasons.length) return { ok: false, isLinkDead: false, reasons }
  const passwordHash = await hashPassword(wish.password)
  return transact(doing.db, async (tx) => {
    await lock(tx)
    if (!(await isFirstAdministratorLink(tx, token, doing.now))) return DEAD_LINK
    const userId = await addAdministrator(tx, doing, { ...wish, passwordHash, by: 'first_administrator_link' })
    if (userId === undefined) return { ok: false, isLinkDead: false, reasons: ['email_taken'] }
    await tx.updateTable('one_time_link').set({ used_at: doing.now }).where('token_hash', '=', hashSecret(token)).execute()
    return { ok: true, userId, ...(await startSession(tx, doing, userId, input)) }
  })
}

const tidy = (input: AdministratorInput): AdministratorInput => ({
  ...input,
  name: input.name.trim(),
  email: input.email.trim(),
})
