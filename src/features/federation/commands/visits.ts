import { createHash } from 'node:crypto'
import { storeVisitor } from '#features/participations/commands/visitors.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import { hashSecret, randomSecret, secretsMatch } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { type Guest, type HomeProfile, PartnerError, readProfile, redeemCode } from '../partner.ts'
import { type GuestInstance, getGuest } from '../queries/guests.ts'
import { isSharedWith } from '../queries/shares.ts'

/** Time to sign in and consent at the home instance. */
const LONGEST_DETOUR_MS = 30 * 60_000
const LONGEST_SESSION_SECONDS = 12 * 3600
const CALLBACK = '/api/federation/oauth-callback/'

type Detour = { state: string; verifier: string; guestId: number; eventId: number; until: number }

export type StartedVisit = { redirect: string; cookie: { value: string; maxAgeSeconds: number } }

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
  const detour: Detour = {
    state: randomSecret(30),
    verifier: randomSecret(64),
    guestId: guest.id,
    eventId,
    until: now.getTime() + LONGEST_DETOUR_MS,
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: guest.clientId,
    redirect_uri: `${site.url}${CALLBACK}`,
    scope: 'ME_READ',
    state: detour.state,
    code_challenge: createHash('sha256').update(detour.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return {
    redirect: `${guest.url}/api/oauth/authorize/?${query}`,
    cookie: { value: site.keyring.seal(JSON.stringify(detour)), maxAgeSeconds: LONGEST_DETOUR_MS / 1000 },
  }
}

export type VisitOutcome =
  | { ok: true; visitorId: number; guestId: number; eventId: number; session: { value: string; maxAgeSeconds: number } }
  /** `no_detour`: this browser did not start the request. */
  | { ok: false; reason: 'no_detour' }
  | { ok: false; reason: 'oauth_error' | 'event_error'; guestUrl: string }
  | { ok: false; reason: 'home_silent'; guest: GuestInstance; eventId: number; why: string }

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
  const detour = readDetour(context.site, cookie, context.now)
  if (!detour || state === undefined || !isSame(state, detour.state)) return { ok: false, reason: 'no_detour' }
  const guest = await getGuest(context.db, context.site, detour.guestId)
  if (!guest) return { ok: false, reason: 'no_detour' }
  const { url: guestUrl } = guest
  if (error !== undefined || code === undefined) return { ok: false, reason: 'oauth_error', guestUrl }
  let profile: HomeProfile
  let seconds: number
  try {
    const { token, expiresInSeconds } = await redeemCode(outbound, guest, { code, verifier: detour.verifier })
    profile = await readProfile(outbound, guest, token)
    seconds = Math.max(60, Math.min(Math.floor(expiresInSeconds), LONGEST_SESSION_SECONDS))
  } catch (failure) {
    if (!(failure instanceof PartnerError)) throw failure
    return failure.status === undefined
      ? { ok: false, reason: 'home_silent', guest, eventId: detour.eventId, why: failure.message }
      : { ok: false, reason: 'oauth_error', guestUrl }
  }
  if (!(await isSharedWith(context.db, detour.eventId, detour.guestId))) return { ok: false, reason: 'event_error', guestUrl }
  const value = randomSecret(43)
  const visitorId = await transact(context.db, async (tx) => {
    const welcomed = await storeVisitor(tx, context, detour.guestId, profile)
    if (welcomed === undefined) return undefined
    const expires = new Date(context.now.getTime() + seconds * 1000)
    await tx
      .insertInto('visitor_session')
      .values({ id_hash: hashSecret(value), visitor_id: welcomed.visitorId, created_at: context.now, expires_at: expires })
      .execute()
    await tx.updateTable('federated_guest').set({ last_contact_at: context.now }).where('id', '=', detour.guestId).execute()
    if (welcomed.isNew)
      await record(tx, context, {
        kind: 'visitor.created',
        subject: { kind: 'visitor', id: welcomed.visitorId },
        changes: { federated_guest_id: detour.guestId },
      })
    return welcomed.visitorId
  })
  if (visitorId === undefined) return { ok: false, reason: 'no_detour' }
  return { ok: true, visitorId, guestId: detour.guestId, eventId: detour.eventId, session: { value, maxAgeSeconds: seconds } }
}

function readDetour({ keyring }: Site, cookie: string | undefined, now: Date): Detour | undefined {
  if (!cookie) return undefined
  try {
    const detour = JSON.parse(keyring.unseal(cookie)) as Detour
    return detour.until > now.getTime() ? detour : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}

export async function endVisit({ db }: CommandContext, sessionHash: Buffer): Promise<void> {
  await db.deleteFrom('visitor_session').where('id_hash', '=', sessionHash).execute()
}
