import { createHash } from 'node:crypto'
import { storeVisitor } from '#features/staffing/participations/commands/visitors.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import { hashSecret, randomSecret, secretsMatch } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { type Guest, type HomeProfile, PartnerError, readProfile, redeemCode } from '../partner.ts'
import { type GuestInstance, getGuest } from '../queries/guests.ts'
import { isSharedWith } from '../queries/shares.ts'

/** Time to sign in and consent at the home instance. */
const MAX_SIGN_IN_MS = 30 * 60_000
const MAX_SESSION_SECONDS = 12 * 3600
const CALLBACK = '/api/federation/oauth-callback/'

type PendingVisit = { state: string; verifier: string; guestId: number; eventId: number; until: number }

type StartedVisit = { redirect: string; cookie: { value: string; maxAgeSeconds: number } }

/**
 * Redirects a visitor to their home instance to authenticate. The state is in a sealed cookie of the browser: no other
 * browser can finish the request, and nothing is stored for visitors who do not return.
 */
export function startVisit(
  site: Site,
  guest: Pick<Guest, 'url' | 'clientId'> & { id: number },
  eventId: number,
  now: Date,
): StartedVisit {
  const pending: PendingVisit = {
    state: randomSecret(30),
    verifier: randomSecret(64),
    guestId: guest.id,
    eventId,
    until: now.getTime() + MAX_SIGN_IN_MS,
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: guest.clientId,
    redirect_uri: `${site.url}${CALLBACK}`,
    scope: 'ME_READ',
    state: pending.state,
    code_challenge: createHash('sha256').update(pending.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return {
    redirect: `${guest.url}/api/oauth/authorize/?${query}`,
    cookie: { value: site.keyring.seal(JSON.stringify(pending)), maxAgeSeconds: MAX_SIGN_IN_MS / 1000 },
  }
}

type VisitOutcome =
  | { ok: true; visitorId: number; guestId: number; eventId: number; session: { value: string; maxAgeSeconds: number } }
  /** `not_started`: this browser did not start the sign-in, or it has expired. */
  | { ok: false; reason: 'not_started' }
  | { ok: false; reason: 'oauth_error' | 'event_error'; guestUrl: string }
  | { ok: false; reason: 'home_unreachable'; guest: GuestInstance; eventId: number; why: string }

export type Callback = {
  cookie: string | undefined
  code: string | undefined
  state: string | undefined
  error: string | undefined
}

/** Redeems the code, reads the profile, and starts a session for the events shared with that instance. */
export async function finishVisit(
  context: CommandContext,
  outbound: Outbound,
  { cookie, code, state, error }: Callback,
  isSame = secretsMatch,
): Promise<VisitOutcome> {
  const pending = readPendingVisit(context.site, cookie, context.now)
  if (!pending || state === undefined || !isSame(state, pending.state)) return { ok: false, reason: 'not_started' }
  const guest = await getGuest(context.db, context.site, pending.guestId)
  if (!guest) return { ok: false, reason: 'not_started' }
  const { url: guestUrl } = guest
  if (error !== undefined || code === undefined) return { ok: false, reason: 'oauth_error', guestUrl }
  let profile: HomeProfile
  let seconds: number
  try {
    const { token, expiresInSeconds, language } = await redeemCode(outbound, guest, { code, verifier: pending.verifier })
    const received = await readProfile(outbound, guest, token)
    profile = { ...received, language: language ?? received.language }
    seconds = Math.max(60, Math.min(Math.floor(expiresInSeconds), MAX_SESSION_SECONDS))
  } catch (failure) {
    if (!(failure instanceof PartnerError)) throw failure
    return failure.status === undefined
      ? { ok: false, reason: 'home_unreachable', guest, eventId: pending.eventId, why: failure.message }
      : { ok: false, reason: 'oauth_error', guestUrl }
  }
  if (!(await isSharedWith(context.db, pending.eventId, pending.guestId))) return { ok: false, reason: 'event_error', guestUrl }
  const value = randomSecret(43)
  const visitorId = await transact(context.db, async (tx) => {
    const stored = await storeVisitor(tx, context, pending.guestId, profile)
    if (stored === undefined) return undefined
    const expires = new Date(context.now.getTime() + seconds * 1000)
    await tx
      .insertInto('visitor_session')
      .values({ id_hash: hashSecret(value), visitor_id: stored.visitorId, created_at: context.now, expires_at: expires })
      .execute()
    await tx.updateTable('federated_guest').set({ last_contact_at: context.now }).where('id', '=', pending.guestId).execute()
    if (stored.isNew)
      await record(tx, context, {
        kind: 'visitor.created',
        subject: { kind: 'visitor', id: stored.visitorId },
        changes: { federated_guest_id: pending.guestId },
      })
    return stored.visitorId
  })
  if (visitorId === undefined) return { ok: false, reason: 'not_started' }
  return { ok: true, visitorId, guestId: pending.guestId, eventId: pending.eventId, session: { value, maxAgeSeconds: seconds } }
}

function readPendingVisit({ keyring }: Site, cookie: string | undefined, now: Date): PendingVisit | undefined {
  if (!cookie) return undefined
  try {
    const pending = JSON.parse(keyring.unseal(cookie)) as PendingVisit
    return pending.until > now.getTime() ? pending : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

export async function endVisit({ db }: CommandContext, sessionHash: Buffer): Promise<void> {
  await db.deleteFrom('visitor_session').where('id_hash', '=', sessionHash).execute()
}
