import { sql } from 'kysely'
import { getPolicy, isRequired } from '#features/access/second-factor/queries.ts'
import { recordProof } from '#features/access/sign-in/commands/confirm.ts'
import { enter, type PendingStep } from '#features/access/sign-in/commands/second-step.ts'
import type { Device, NewSession } from '#features/access/sign-in/commands/sessions.ts'
import { lockActiveAccount } from '#features/accounts/users/commands/credentials.ts'
import { createProvidedPerson, type ProvidedData } from '#features/accounts/users/commands/provided-accounts.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, secretsMatch } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { ProviderError, redeemSignIn, type SignedInPerson, VERIFICATION } from '../provider.ts'
import { getLinkedAccount, getProvider } from '../queries.ts'
import { type AccountDecision, mayLinkByEmail } from '../rules/accounts.ts'
import { decideGroups } from '../rules/groups.ts'
import { judgeFactor, judgeProof, readAuthTime } from '../rules/proofs.ts'
import type { IdentityProvider } from '../schema.ts'
import { decideByClaims, readClaims, updateAccount } from './claims.ts'
import { linkIdentity, markLinkUsed, rememberExternalSession } from './links.ts'
import { recordProblem } from './providers.ts'
import { type PendingSignIn, readPendingSignIn, type StateCookie, sealLink, startOf } from './state-cookie.ts'
import { describeSignIn, type TestResult } from './test-sign-in.ts'

type Callback = { cookie: string | undefined; query: URLSearchParams; device: Device; language: Language }

type Refusal =
  | Extract<AccountDecision, { kind: 'refuse' }>['reason']
  | 'denied'
  | 'failed'
  | 'unreachable'
  | 'linked_elsewhere'
  | 'not_again'
  | 'without_time'
export type ProviderSignIn =
  | { kind: 'signed_in'; session: NewSession; next: string }
  /** The person in the open session has shown again who they are. */
  | { kind: 'confirmed'; next: string }
  /** The instance asks for its own second factor, too. */
  | { kind: 'second_step'; step: PendingStep }
  /** The signed-in owner of the account has to confirm the link. */
  | { kind: 'confirm'; cookie: StateCookie; isSignedIn: boolean; label: string }
  | { kind: 'tested'; result: TestResult }
  | { kind: 'refused'; reason: Refusal; label: string; providerId: number; next: string }
  /** This browser did not start the sign-in, it has expired, or the response was used before. */
  | { kind: 'not_started' }

/** Checks that tests replace to show what they prevent. */
export type SignInGuard = {
  claimState: (tx: Tx, state: string, expiresAt: Date) => Promise<boolean>
  lockIdentity: (tx: Tx, person: { issuer: string; subject: string }) => Promise<void>
  mayLinkByEmail: typeof mayLinkByEmail
  decideGroups: typeof decideGroups
  judgeProof: typeof judgeProof
  isRequired: typeof isRequired
  verification: typeof VERIFICATION
}
export const SIGN_IN_GUARD: SignInGuard = {
  claimState,
  lockIdentity,
  mayLinkByEmail,
  decideGroups,
  judgeProof,
  isRequired,
  verification: VERIFICATION,
}

/** Of several responses with the same state only the first inserts the row. */
async function claimState(tx: Tx, state: string, expiresAt: Date): Promise<boolean> {
  const row = await tx
    .insertInto('used_sign_in_state')
    .values({ state_hash: hashSecret(state), expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('state_hash').doNothing())
    .returning('state_hash')
    .executeTakeFirst()
  return row !== undefined
}

type Services = { outbound: Outbound; guard?: SignInGuard }

/** Finishes what `startProviderSignIn` started. No connection to the database waits for the provider. */
export async function finishProviderSignIn(
  context: CommandContext,
  callback: Callback,
  { outbound, guard = SIGN_IN_GUARD }: Services,
): Promise<ProviderSignIn> {
  const pending = readPendingSignIn(context, callback.cookie)
  const state = callback.query.get('state')
  if (!pending || state === null || !secretsMatch(state, pending.state) || !isSamePerson(context, pending))
    return { kind: 'not_started' }
  const isFirst = await transact(context.db, (tx) => guard.claimState(tx, pending.state, new Date(pending.until)))
  const provider = await getProvider(context.db, pending.providerId)
  if (!isFirst || !provider || !(provider.enabled || pending.purpose === 'test')) return { kind: 'not_started' }
  const refuse = (reason: Refusal): ProviderSignIn => ({
    kind: 'refused',
    reason,
    label: provider.label,
    providerId: provider.id,
    next: pending.next,
  })
  let person: SignedInPerson
  try {
    const query = callback.query.toString()
    person = await redeemSignIn(provider, context.site, outbound, { query, secrets: pending, verification: guard.verification })
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.code === 'denied') return refuse('denied')
    await recordProblem(context, provider.id, { code: error.code, why: error.why })
    return refuse(error.code === 'unreachable' ? 'unreachable' : 'failed')
  }
  if (pending.purpose === 'test') return { kind: 'tested', result: await describeSignIn(context, provider, person) }
  if (pending.purpose === 'confirm') {
    const linked = await getLinkedAccount(context.db, person)
    if (!linked || linked.userId !== pending.userId) return refuse('linked_elsewhere')
    // Without it, the person has only been signed in there all the time.
    const proof = guard.judgeProof(person.idToken, startOf(pending), provider.trustsProof)
    if (proof === 'without_time') await recordProblem(context, provider.id, { code: 'no_auth_time' })
    if (proof !== 'proved') return refuse(proof === 'without_time' ? 'without_time' : 'not_again')
    const isOpen = await transact(context.db, (tx) => recordProof(tx, context, 'provider'))
    return isOpen ? { kind: 'confirmed', next: pending.next } : { kind: 'not_started' }
  }
  if (pending.purpose === 'link') {
    const linked = await getLinkedAccount(context.db, person)
    if (linked && linked.userId !== pending.userId) return refuse('linked_elsewhere')
    const cookie = sealLink(context, provider.id, person, { userId: pending.userId!, next: pending.next })
    return { kind: 'confirm', cookie, isSignedIn: true, label: provider.label }
  }
  return signInAccount(context, { provider, person, next: pending.next, callback, guard, refuse })
}

/** Links and tests belong to the person who started them. */
const isSamePerson = ({ actor }: CommandContext, { purpose, userId }: PendingSignIn): boolean =>
  purpose === 'sign_in' || (actor.kind === 'user' && actor.userId === userId)

type Entry = {
  provider: IdentityProvider
  person: SignedInPerson
  next: string
  callback: Callback
  guard: SignInGuard
  refuse: (reason: Refusal) => ProviderSignIn
}

async function signInAccount(context: CommandContext, entry: Entry): Promise<ProviderSignIn> {
  const { provider, person, next, callback, refuse } = entry
  const received = readClaims(context, provider, person)
  const outcome = await transact(context.db, async (tx): Promise<ProviderSignIn> => {
    await entry.guard.lockIdentity(tx, person)
    const decision = await decideOrCreate(tx, context, entry, received.data)
    if (decision.kind === 'refuse') return refuse(decision.reason)
    if (decision.kind === 'confirm') {
      const cookie = sealLink(context, provider.id, person, { userId: decision.userId, next })
      return { kind: 'confirm', cookie, isSignedIn: false, label: provider.label }
    }
    const { userId } = decision
    if (!(await lockActiveAccount(tx, userId))) return refuse('inactive')
    if (decision.kind === 'sign_in') await markLinkUsed(tx, person, context.now)
    else await linkIdentity(tx, context, { provider, person, userId, isNewAccount: decision.kind === 'created' })
    await updateAccount(tx, context, { provider, userId, received }, entry)
    const external = { identityProviderId: provider.id, idTokenSealed: context.site.keyring.seal(person.rawIdToken) }
    const hasFactor = judgeFactor(person.idToken, provider) === 'counts'
    // After the groups have changed: a new one may require a second factor.
    const asksForOwn = (await getPolicy(tx))?.afterProvider || (await entry.guard.isRequired(tx, userId))
    const provedAt = readAuthTime(person.idToken, context.now, provider.trustsProof)
    const proof = { provedAt, hasFactor, external, isEnough: hasFactor || !asksForOwn }
    const entered = await enter(tx, context, { userId, device: callback.device, next, provider: proof })
    if (entered.kind === 'second_step') return entered
    await rememberExternalSession(tx, hashSecret(entered.session.sessionId), external)
    return { kind: 'signed_in', session: entered.session, next }
  })
  if (outcome.kind === 'signed_in' && received.problems.length)
    await recordProblem(context, provider.id, { code: 'claims', claims: received.problems })
  return outcome
}

/** Of two first sign-ins of one person at the same time, the second finds the link of the first. */
async function lockIdentity(tx: Tx, { issuer, subject }: { issuer: string; subject: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turnout.identity ${issuer} ${subject}`}, 0))`.execute(tx)
}

type Existing = Exclude<AccountDecision, { kind: 'create' }> | { kind: 'created'; userId: number }

/** The decision about the account, after a missing one was created. */
async function decideOrCreate(tx: Tx, context: CommandContext, entry: Entry, { name }: ProvidedData): Promise<Existing> {
  const { provider, person, callback, guard } = entry
  const decision = await decideByClaims(tx, provider, person, guard)
  if (decision.kind !== 'create') return decision
  const { email } = decision
  const account = { email, name: name ?? email.split('@')[0]!, language: callback.language, providerId: provider.id }
  const userId = await createProvidedPerson(tx, context, account)
  if (userId !== undefined) return { kind: 'created', userId }
  // Another request has just created an account with this address.
  const again = await decideByClaims(tx, provider, person, guard)
  return again.kind === 'create' ? { kind: 'refuse', reason: 'no_account' } : again
}
