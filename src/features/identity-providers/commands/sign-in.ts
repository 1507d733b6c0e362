import { sql } from 'kysely'
import { type Device, type NewSession, startSession } from '#features/sign-in/commands/sessions.ts'
import type { AccountHooks } from '#features/users/commands/people.ts'
import {
  createProvidedGroups,
  createProvidedPerson,
  type ProvidedData,
  recordProvidedSignIn,
  updateProvidedPerson,
} from '#features/users/commands/provided-accounts.ts'
import { dayOf } from '#features/users/rules.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import { hashSecret, randomSecret, secretsMatch } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { record } from '#platform/journal/journal.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import {
  type AuthorizationSecrets,
  buildSignInUrl,
  findIssuer,
  ProviderError,
  redeemSignIn,
  type SignedInPerson,
  VERIFICATION,
} from '../provider.ts'
import {
  findGroupNames,
  findQualificationNames,
  getAccountByEmail,
  getLinkedAccount,
  getManagedProvider,
  getProvider,
} from '../queries.ts'
import {
  type AccountDecision,
  type ClaimProblem,
  type Claims,
  decideAccount,
  matchGroups,
  matchQualifications,
  mayLinkByEmail,
  type ProvidedEmail,
  readEmail,
  readList,
  readProfile,
} from '../rules.ts'
import type { IdentityProvider } from '../schema.ts'
import { recordProblem, storeIssuer } from './providers.ts'

/** Time to sign in at the provider. */
const MAX_SIGN_IN_MS = 30 * 60_000
/** Between two look-ups of an issuer that was not found. */
const RETRY_ISSUER_MS = 10 * 60_000
/** Time to sign in with a password and to confirm a link. */
const MAX_CONFIRMATION_MS = 15 * 60_000

export type Purpose = 'sign_in' | 'link' | 'test'
type PendingSignIn = AuthorizationSecrets & {
  kind: 'pending'
  purpose: Purpose
  providerId: number
  next: string
  /** Who started it; for other purposes than signing in. */
  userId: number | null
  until: number
}
type PendingLink = {
  kind: 'link'
  providerId: number
  issuer: string
  subject: string
  /** The account that the link is for. */
  userId: number
  next: string
  until: number
}
type StateCookie = { start: string; maxAgeSeconds: number }

const seal = ({ keyring }: Site, value: PendingSignIn | PendingLink, lifetimeMs: number): StateCookie => ({
  start: keyring.seal(JSON.stringify(value)),
  maxAgeSeconds: lifetimeMs / 1000,
})

function unseal<Kind extends 'pending' | 'link'>(
  { keyring }: Site,
  kind: Kind,
  cookie: string | undefined,
  now: Date,
): Extract<PendingSignIn | PendingLink, { kind: Kind }> | undefined {
  if (!cookie) return undefined
  try {
    const value = JSON.parse(keyring.unseal(cookie)) as PendingSignIn | PendingLink
    return value.kind === kind && value.until > now.getTime()
      ? (value as Extract<PendingSignIn | PendingLink, { kind: Kind }>)
      : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

type Start = { purpose: Purpose; next: string }
type StartOutcome = { ok: true; redirect: string; cookie: StateCookie } | { ok: false; label: string }

/**
 * Where to send the browser. State, nonce and PKCE verifier are in a sealed cookie: no other browser can finish the sign-in, and
 * nothing is stored for people who do not return. Undefined: no such provider, or it is disabled.
 */
export async function startProviderSignIn(
  context: CommandContext,
  outbound: Outbound,
  providerId: number,
  { purpose, next }: Start,
): Promise<StartOutcome | undefined> {
  const { site, now, actor } = context
  const provider = await getProvider(context.db, providerId)
  if (!provider || !(provider.enabled || purpose === 'test')) return undefined
  const complete = await completeProvider(context, outbound, provider)
  if (!complete) return { ok: false, label: provider.label }
  const secrets = { state: randomSecret(43), nonce: randomSecret(43), verifier: randomSecret(64) }
  const pending: PendingSignIn = {
    ...secrets,
    kind: 'pending',
    purpose,
    providerId,
    next,
    userId: actor.kind === 'user' ? actor.userId : null,
    until: now.getTime() + MAX_SIGN_IN_MS,
  }
  const redirect = await buildSignInUrl(complete, site, outbound, secrets)
  return { ok: true, redirect, cookie: seal(site, pending, MAX_SIGN_IN_MS) }
}

/** Finds the issuer of an imported provider before its first use. Undefined: it cannot be found out. */
async function completeProvider(
  context: CommandContext,
  outbound: Outbound,
  provider: IdentityProvider,
): Promise<IdentityProvider | undefined> {
  if (provider.issuer !== null && provider.jwksUri !== null) return provider
  const { problem, problemAt } = (await getManagedProvider(context.db, provider.id)) ?? {}
  const isRecent = problemAt != null && context.now.getTime() - problemAt.getTime() < RETRY_ISSUER_MS
  // Anybody can start a sign-in, and each look-up sends several requests.
  if (problem?.code === 'incomplete' && isRecent) return undefined
  const found = await findIssuer(outbound, provider)
  if (!found) {
    await recordProblem(context, provider.id, { code: 'incomplete' })
    return undefined
  }
  await storeIssuer(context, provider.id, found)
  return { ...provider, ...found }
}

export type Callback = { cookie: string | undefined; query: URLSearchParams; device: Device; language: Language }

type Refusal = Extract<AccountDecision, { kind: 'refuse' }>['reason'] | 'denied' | 'failed' | 'unreachable' | 'linked_elsewhere'
type TestResult = {
  provider: { id: number; label: string }
  subject: string
  email: ProvidedEmail
  claims: Claims
  decision: AccountDecision
  groups: { names: string[]; created: string[]; ignored: string[] } | undefined
  qualifications: { titles: string[]; unknown: string[] } | undefined
  problems: ClaimProblem[]
}
export type ProviderSignIn =
  | { kind: 'signed_in'; session: NewSession; next: string }
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
  verification: typeof VERIFICATION
}
export const SIGN_IN_GUARD: SignInGuard = { claimState, lockIdentity, mayLinkByEmail, verification: VERIFICATION }

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

export type SignInHooks = Pick<AccountHooks, 'onMembershipsChanged' | 'onQualificationsChanged'>
type Services = { outbound: Outbound; hooks: SignInHooks; guard?: SignInGuard }

/** Finishes what `startProviderSignIn` started. No connection to the database waits for the provider. */
export async function finishProviderSignIn(
  context: CommandContext,
  callback: Callback,
  { outbound, hooks, guard = SIGN_IN_GUARD }: Services,
): Promise<ProviderSignIn> {
  const pending = unseal(context.site, 'pending', callback.cookie, context.now)
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
  if (pending.purpose === 'link') {
    const linked = await getLinkedAccount(context.db, person)
    if (linked && linked.userId !== pending.userId) return refuse('linked_elsewhere')
    const cookie = sealLink(context, provider.id, person, { userId: pending.userId!, next: pending.next })
    return { kind: 'confirm', cookie, isSignedIn: true, label: provider.label }
  }
  return enter(context, { provider, person, next: pending.next, callback, hooks, guard, refuse })
}

/** Links and tests belong to the person who started them. */
const isSamePerson = ({ actor }: CommandContext, { purpose, userId }: PendingSignIn): boolean =>
  purpose === 'sign_in' || (actor.kind === 'user' && actor.userId === userId)

const sealLink = (
  { site, now }: CommandContext,
  providerId: number,
  { issuer, subject }: SignedInPerson,
  { userId, next }: { userId: number; next: string },
): StateCookie =>
  seal(
    site,
    { kind: 'link', providerId, issuer, subject, userId, next, until: now.getTime() + MAX_CONFIRMATION_MS },
    MAX_CONFIRMATION_MS,
  )

type Entry = {
  provider: IdentityProvider
  person: SignedInPerson
  next: string
  callback: Callback
  hooks: SignInHooks
  guard: SignInGuard
  refuse: (reason: Refusal) => ProviderSignIn
}

async function enter(context: CommandContext, entry: Entry): Promise<ProviderSignIn> {
  const { provider, person, next, callback, hooks, refuse } = entry
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
    if (!(await recordProvidedSignIn(tx, userId, context.now))) return refuse('inactive')
    if (decision.kind === 'sign_in') await markUsed(tx, person, context.now)
    else await link(tx, context, { provider, person, userId })
    await update(tx, context, { provider, userId, received }, hooks)
    const session = await startSession(tx, context, userId, callback.device)
    await tx
      .insertInto('external_session')
      .values({
        session_hash: hashSecret(session.sessionId),
        identity_provider_id: provider.id,
        id_token_sealed: context.site.keyring.seal(person.rawIdToken),
      })
      .execute()
    return { kind: 'signed_in', session, next }
  })
  if (outcome.kind === 'signed_in' && received.problems.length)
    await recordProblem(context, provider.id, { code: 'claims', claims: received.problems })
  return outcome
}

/** Of two first sign-ins of one person at the same time, the second finds the link of the first. */
async function lockIdentity(tx: Tx, { issuer, subject }: { issuer: string; subject: string }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`turnout.identity ${issuer} ${subject}`}, 0))`.execute(tx)
}

async function decide(
  tx: CommandContext['db'],
  provider: IdentityProvider,
  person: SignedInPerson,
  guard: Pick<SignInGuard, 'mayLinkByEmail'>,
): Promise<AccountDecision> {
  const email = readEmail(person, provider.trustsEmail)
  const linked = await getLinkedAccount(tx, person)
  const holder = email.ok ? await getAccountByEmail(tx, email.email) : undefined
  return decideAccount({ linked, email, holder, createsAccounts: provider.createsAccounts }, guard.mayLinkByEmail)
}

type Existing = Exclude<AccountDecision, { kind: 'create' }>

/** The decision about the account, after a missing one was created. */
async function decideOrCreate(tx: Tx, context: CommandContext, entry: Entry, { name }: ProvidedData): Promise<Existing> {
  const { provider, person, callback, guard } = entry
  const decision = await decide(tx, provider, person, guard)
  if (decision.kind !== 'create') return decision
  const { email } = decision
  const account = { email, name: name ?? email.split('@')[0]!, language: callback.language, providerId: provider.id }
  const userId = await createProvidedPerson(tx, context, account)
  if (userId !== undefined) return { kind: 'link', userId }
  // Another request has just created an account with this address.
  const again = await decide(tx, provider, person, guard)
  return again.kind === 'create' ? { kind: 'refuse', reason: 'no_account' } : again
}

async function markUsed(tx: Tx, { issuer, subject }: SignedInPerson, now: Date): Promise<void> {
  await tx
    .updateTable('external_identity')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

async function link(
  tx: Tx,
  context: CommandContext,
  { provider, person, userId }: { provider: { id: number }; person: { issuer: string; subject: string }; userId: number },
): Promise<void> {
  const { issuer, subject } = person
  await tx
    .insertInto('external_identity')
    .values({
      identity_provider_id: provider.id,
      issuer,
      subject,
      user_id: userId,
      linked_at: context.now,
      last_used_at: context.now,
    })
    .execute()
  await record(tx, context, {
    kind: 'user.identity_linked',
    subject: { kind: 'user', id: userId },
    changes: { identity_provider_id: provider.id },
  })
}

type ReceivedClaims = {
  data: ProvidedData
  groupNames: string[] | undefined
  qualificationNames: string[] | undefined
  problems: ClaimProblem[]
}

/** Claims of the wrong type are listed in `problems` and change nothing. */
function readClaims({ now, site }: CommandContext, provider: IdentityProvider, person: SignedInPerson): ReceivedClaims {
  const claims = { ...person.idToken, ...person.userinfo }
  const { profile, problems } = readProfile(claims, dayOf(now, site.timeZone))
  const read = (claim: string): string[] | undefined => {
    if (!claim) return undefined
    const list = readList(claims, claim)
    if ('values' in list) return list.values
    problems.push(list.problem)
    return undefined
  }
  const groupNames = read(provider.groupClaim)
  const qualificationNames = read(provider.qualificationClaim)
  return { data: profile, groupNames, qualificationNames, problems }
}

async function update(
  tx: Tx,
  context: CommandContext,
  { provider, userId, received }: { provider: IdentityProvider; userId: number; received: ReceivedClaims },
  hooks: SignInHooks,
): Promise<void> {
  const data: ProvidedData = { ...received.data }
  const defaults = (await getManagedProvider(tx, provider.id))?.defaultGroupIds ?? []
  if (!provider.groupClaim) data.groups = { mode: 'add', ids: defaults }
  else if (received.groupNames) {
    const { ids, missing } = matchGroups(received.groupNames, await findGroupNames(tx))
    const created = provider.createMissingGroups ? await createProvidedGroups(tx, context, missing) : []
    data.groups = { mode: 'set', ids: [...new Set([...ids, ...created, ...defaults])] }
  }
  if (received.qualificationNames)
    data.qualificationIds = matchQualifications(
      received.qualificationNames,
      provider.qualificationUuids,
      await findQualificationNames(tx),
    ).ids
  await updateProvidedPerson(tx, context, { userId, providerId: provider.id, data }, hooks)
}

/** What a sign-in would do, without doing it. */
async function describeSignIn(context: CommandContext, provider: IdentityProvider, person: SignedInPerson): Promise<TestResult> {
  const { db } = context
  const received = readClaims(context, provider, person)
  const groups = await findGroupNames(db)
  const qualifications = await findQualificationNames(db)
  const matched = received.groupNames && matchGroups(received.groupNames, groups)
  const known =
    received.qualificationNames && matchQualifications(received.qualificationNames, provider.qualificationUuids, qualifications)
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? ''
  const defaults = (await getManagedProvider(db, provider.id))?.defaultGroupIds ?? []
  return {
    provider: { id: provider.id, label: provider.label },
    subject: person.subject,
    email: readEmail(person, provider.trustsEmail),
    claims: { ...person.idToken, ...person.userinfo },
    decision: await decide(db, provider, person, SIGN_IN_GUARD),
    groups: {
      names: [...new Set([...(matched?.ids ?? []), ...defaults])].map(nameOf),
      created: provider.createMissingGroups ? (matched?.missing ?? []) : [],
      ignored: provider.createMissingGroups ? [] : (matched?.missing ?? []),
    },
    qualifications: known && {
      titles: known.ids.map((id) => qualifications.find((each) => each.id === id)?.title ?? ''),
      unknown: known.unknown,
    },
    problems: received.problems,
  }
}

/** The link that waits for a confirmation; undefined if there is none or it has expired. */
export const readPendingLink = ({ site, now }: Pick<CommandContext, 'site' | 'now'>, cookie: string | undefined) =>
  unseal(site, 'link', cookie, now)

/** `other_person`: somebody else is signed in. `linked_elsewhere`: the identity belongs to another account. */
export type LinkOutcome = { ok: true; next: string } | { ok: false; reason: 'expired' | 'other_person' | 'linked_elsewhere' }

/** Links an identity with the account of the signed-in person, who has confirmed it. */
export async function confirmLink(context: CommandContext, cookie: string | undefined): Promise<LinkOutcome> {
  const { actor } = context
  const pending = readPendingLink(context, cookie)
  if (!pending) return { ok: false, reason: 'expired' }
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || actor.userId !== pending.userId)
    return { ok: false, reason: 'other_person' }
  return transact(context.db, async (tx): Promise<LinkOutcome> => {
    const linked = await getLinkedAccount(tx, pending)
    if (linked && linked.userId !== actor.userId) return { ok: false, reason: 'linked_elsewhere' }
    const provider = await getProvider(tx, pending.providerId)
    if (!provider) return { ok: false, reason: 'expired' }
    if (!linked) await link(tx, context, { provider, person: pending, userId: actor.userId })
    return { ok: true, next: pending.next }
  })
}
