import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { requireOwner, requireSession } from '../access.ts'
import { findPasskeys, findStoredPasskeys, getFactorKinds, getStoredPasskey } from '../queries.ts'
import { type RelyingParty, relyingPartyOf } from '../rules.ts'
import { type ChallengeUse, claimChallenge, openChallenge } from './challenges.ts'
import { addedFactor, type FactorAdded, type FactorRemoval, removedFactor } from './factors.ts'
import { lacksOwnProof } from './own-proof.ts'

/** Loaded with the first passkey: the library and its parsers are large. */
const loadLibrary = () => import('@simplewebauthn/server')

const MAX_PASSKEYS = 20
/** EdDSA, ES256, RS256: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]
const USER_HANDLE_BYTES = 32

/** Checks that tests replace to show what they prevent. */
export type PasskeyGuard = {
  relyingParty: (siteUrl: string) => RelyingParty | undefined
  claimChallenge: typeof claimChallenge
  /** The counter that the authenticator has to exceed. */
  counter: (stored: number) => number
  claimCounter: typeof claimCounter
  lacksOwnProof: typeof lacksOwnProof
}
export const PASSKEY_GUARD: PasskeyGuard = {
  relyingParty: relyingPartyOf,
  claimChallenge,
  counter: (stored) => stored,
  claimCounter,
  lacksOwnProof,
}

function requireRelyingParty(guard: PasskeyGuard, siteUrl: string): RelyingParty {
  return requireFound(guard.relyingParty(siteUrl))
}

/** What the script of the page hands to the browser, and the challenge to send back with the answer. */
export type PasskeyOptions = { publicKey: object; state: string }

export async function makeNewPasskeyOptions(context: CommandContext, siteName: string): Promise<PasskeyOptions> {
  const userId = requireOwner(context)
  const { actor, site } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  const party = requireRelyingParty(PASSKEY_GUARD, site.url)
  const known = await findStoredPasskeys(context.db, userId)
  const userHandle = known[0]?.userHandle ?? randomBytes(USER_HANDLE_BYTES)
  const use: ChallengeUse = { purpose: 'add', binding: requireSession(context) }
  const { challenge, sealed } = openChallenge(context, use, userHandle.toString('base64url'))
  const { generateRegistrationOptions } = await loadLibrary()
  const publicKey = await generateRegistrationOptions({
    rpName: siteName,
    rpID: party.id,
    userID: new Uint8Array(userHandle),
    userName: actor.email,
    userDisplayName: actor.displayName,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(describe),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { publicKey, state: sealed }
}

const describe = ({ credentialId, transports }: { credentialId: Buffer; transports: string[] }) => ({
  id: credentialId.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
})

/** `userId`: only passkeys of this person; absent: any passkey that the browser has for this instance. */
export async function makePasskeyOptions(context: CommandContext, use: ChallengeUse, userId?: number): Promise<PasskeyOptions> {
  const party = requireRelyingParty(PASSKEY_GUARD, context.site.url)
  const { challenge, sealed } = openChallenge(context, use)
  const known = userId === undefined ? [] : await findStoredPasskeys(context.db, userId)
  const { generateAuthenticationOptions } = await loadLibrary()
  const publicKey = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    allowCredentials: known.map(describe),
    userVerification: 'required',
  })
  return { publicKey, state: sealed }
}

export type PasskeyAnswer = { state: string; response: string }
type PasskeyAdded = FactorAdded | { ok: false; reason: 'refused' | 'known' | 'too_many' | 'proof' }

export async function addPasskey(
  context: CommandContext,
  { state, response, name }: PasskeyAnswer & { name: string },
  guard: PasskeyGuard = PASSKEY_GUARD,
): Promise<PasskeyAdded> {
  const userId = requireOwner(context)
  const claimed = await guard.claimChallenge(context.db, context, state, { purpose: 'add', binding: requireSession(context) })
  const party = guard.relyingParty(context.site.url)
  const answer = parse<RegistrationResponseJSON>(response)
  if (!claimed?.userHandle || !party || !answer) return { ok: false, reason: 'refused' }
  const { verifyRegistrationResponse } = await loadLibrary()
  const verified = await refuse(() =>
    verifyRegistrationResponse({
      response: answer,
      expectedChallenge: claimed.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified?.verified) return { ok: false, reason: 'refused' }
  const { credential, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  return transact(context.db, async (tx): Promise<PasskeyAdded> => {
    await lockPerson(tx, userId)
    if (await guard.lacksOwnProof(tx, context)) return { ok: false, reason: 'proof' }
    if ((await findPasskeys(tx, userId)).length >= MAX_PASSKEYS) return { ok: false, reason: 'too_many' }
    const row = await tx
      .insertInto('passkey')
      .values({
        user_id: userId,
        credential_id: Buffer.from(credential.id, 'base64url'),
        public_key: Buffer.from(credential.publicKey),
        user_handle: Buffer.from(claimed.userHandle!, 'base64url'),
        sign_count: credential.counter,
        transports: (credential.transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)),
        is_synced: credentialDeviceType === 'multiDevice',
        is_backed_up: credentialBackedUp,
        name,
        created_at: context.now,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { ok: false, reason: 'known' }
    const added = await addedFactor(tx, userId, context.now)
    await record(tx, context, {
      kind: 'user.factor_added',
      subject: { kind: 'user', id: userId },
      changes: { factor: 'passkey' },
      personal: { personId: userId, values: { name } },
    })
    return added
  })
}

function parse<Value>(text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Value) : undefined
  } catch {
    return undefined
  }
}

/** The library throws for every answer that it refuses. Its messages contain the challenge, so they are not kept. */
async function refuse<Value>(verify: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

/** Undefined: refused. `userId` of the answer is checked by the caller. Write nothing before: the challenge counts in any case. */
export async function verifyPasskey(
  context: CommandContext,
  { state, response }: PasskeyAnswer,
  use: ChallengeUse,
  guard: PasskeyGuard = PASSKEY_GUARD,
): Promise<VerifiedPasskey | undefined> {
  const claimed = await guard.claimChallenge(context.db, context, state, use)
  const party = guard.relyingParty(context.site.url)
  const answer = parse<AuthenticationResponseJSON>(response)
  if (!claimed || !party || !answer || typeof answer.id !== 'string') return undefined
  const stored = await getStoredPasskey(context.db, Buffer.from(answer.id, 'base64url'))
  if (!stored) return undefined
  const { verifyAuthenticationResponse } = await loadLibrary()
  const verified = await refuse(() =>
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: claimed.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: stored.credentialId.toString('base64url'),
        publicKey: new Uint8Array(stored.publicKey),
        counter: guard.counter(stored.signCount),
      },
    }),
  )
  if (!verified?.verified) return undefined
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { passkeyId: stored.id, userId: stored.userId, signCount: newCounter, isBackedUp: credentialBackedUp }
}

type VerifiedPasskey = { passkeyId: number; userId: number; signCount: number; isBackedUp: boolean }

/** False: the passkey was removed meanwhile, or a copy of it was used at the same time. */
async function claimCounter(tx: Tx, { passkeyId, signCount, isBackedUp }: VerifiedPasskey, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('passkey')
    .set({ sign_count: signCount, is_backed_up: isBackedUp, last_used_at: now })
    .where('id', '=', passkeyId)
    .where((eb) => eb.or([eb('sign_count', '<', signCount), eb('sign_count', '=', 0)]))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** False: the caller has no such passkey. */
export async function renamePasskey(context: CommandContext, passkeyId: number, name: string): Promise<boolean> {
  const userId = requireOwner(context)
  return transact(context.db, async (tx) => {
    const row = await tx
      .updateTable('passkey')
      .set({ name })
      .where('id', '=', passkeyId)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    if (!row) return false
    await record(tx, context, {
      kind: 'user.passkey_renamed',
      subject: { kind: 'user', id: userId },
      personal: { personId: userId, values: { name } },
    })
    return true
  })
}

export async function removePasskey(
  context: CommandContext,
  passkeyId: number,
  lacksProof = lacksOwnProof,
): Promise<FactorRemoval> {
  const userId = requireOwner(context)
  return transact(context.db, async (tx): Promise<FactorRemoval> => {
    await lockPerson(tx, userId)
    const passkeys = await findPasskeys(tx, userId)
    const passkey = passkeys.find(({ id }) => id === passkeyId)
    if (!passkey) return { ok: false, reason: 'gone' }
    if (await lacksProof(tx, context)) return { ok: false, reason: 'proof' }
    const { app } = await getFactorKinds(tx, userId)
    const refusal = await removedFactor(tx, userId, { isLast: !app && passkeys.length === 1 })
    if (refusal) return refusal
    await tx.deleteFrom('passkey').where('id', '=', passkeyId).execute()
    await record(tx, context, {
      kind: 'user.factor_removed',
      subject: { kind: 'user', id: userId },
      changes: { factor: 'passkey' },
      personal: { personId: userId, values: { name: passkey.name } },
    })
    return { ok: true }
  })
}
