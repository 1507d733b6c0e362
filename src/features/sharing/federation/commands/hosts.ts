import {
  addPartnerApplication,
  removePartnerApplication,
  renamePartnerApplication,
} from '#features/access/oauth/commands/partner-applications.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { leaveHost, PartnerError, requestSetup } from '../partner.ts'
import { parseShareString } from '../rules/invitations.ts'

export type JoinOutcome =
  | { ok: true; hostId: number; name: string }
  | { ok: false; reason: 'unreadable' | 'for_another' | 'own' | 'bad_host' | 'already_joined' }
  /** `why`: the message of the host. */
  | { ok: false; reason: 'host_refused' | 'host_silent'; why: string }

/** Redirect URI of the host for visitors. */
const callbackOf = (hostUrl: string): string => `${hostUrl}/api/federation/oauth-callback/`

/** Redeems an invitation of another instance. No transaction is open during the request to the partner. */
export async function joinHost(context: CommandContext, outbound: Outbound, shareString: string): Promise<JoinOutcome> {
  const { site } = context
  const read = parseShareString(shareString, site.url)
  if (!read.ok) return read
  const { hostUrl, code } = read.invitation
  const known = await context.db
    .selectFrom('federated_host')
    .select(['id', 'ended_by_partner_at'])
    .where('url', '=', hostUrl)
    .executeTakeFirst()
  if (known && !known.ended_by_partner_at) return { ok: false, reason: 'already_joined' }
  const name = (await getOrganizationName(context.db)) ?? new URL(site.url).host
  const application = await addPartnerApplication(context, { name: new URL(hostUrl).host, redirectUri: callbackOf(hostUrl) })
  try {
    const { accessToken, hostName, speaksTurnout } = await requestSetup(outbound, hostUrl, {
      name,
      url: site.url,
      code,
      clientId: application.clientId,
      clientSecret: application.secret,
    })
    const hostId = await store(context, {
      name: hostName || new URL(hostUrl).host,
      url: hostUrl,
      speaks_turnout: speaksTurnout,
      access_token_sealed: site.keyring.seal(accessToken),
      application_id: application.id,
    })
    return { ok: true, hostId, name: hostName }
  } catch (error) {
    await removePartnerApplication(context, application.id)
    if (!(error instanceof PartnerError)) throw error
    return { ok: false, reason: error.status === undefined ? 'host_silent' : 'host_refused', why: error.message }
  }
}

type NewHost = { name: string; url: string; access_token_sealed: string; application_id: number; speaks_turnout: boolean }

/** Reuses the row of an ended link, so that the copies of its events stay. */
async function store(context: CommandContext, values: NewHost): Promise<number> {
  return transact(context.db, async (tx) => {
    const former = await tx
      .selectFrom('federated_host')
      .select('application_id')
      .where('url', '=', values.url)
      .forUpdate()
      .executeTakeFirst()
    const fresh = {
      ...values,
      ended_by_partner_at: null,
      failures_in_row: 0,
      last_error: null,
      etag: null,
      next_attempt_at: context.now,
    }
    const { id } = await tx
      .insertInto('federated_host')
      .values({ ...fresh, created_at: context.now })
      .onConflict((conflict) => conflict.column('url').doUpdateSet(fresh))
      .returning('id')
      .executeTakeFirstOrThrow()
    if (former?.application_id) await removePartnerApplication({ ...context, db: tx }, former.application_id)
    await renamePartnerApplication({ db: tx }, values.application_id, values.name)
    const changes = { name: values.name, url: values.url }
    await record(tx, context, { kind: 'federated_host.joined', subject: { kind: 'federated_host', id }, changes })
    return id
  })
}

type EndOutcome = { ok: true } | { ok: false; reason: 'unknown_host' } | { ok: false; reason: 'host_silent'; why: string }

/** Ends the link on both sides; `evenIfUnreachable`: on our side even if the host does not respond. */
export async function endHost(
  context: CommandContext,
  outbound: Outbound,
  hostId: number,
  { evenIfUnreachable = false } = {},
): Promise<EndOutcome> {
  const host = await context.db
    .selectFrom('federated_host')
    .select(['url', 'access_token_sealed'])
    .where('id', '=', hostId)
    .executeTakeFirst()
  if (!host) return { ok: false, reason: 'unknown_host' }
  const failure = await tryToLeave(outbound, { url: host.url, token: context.site.keyring.unseal(host.access_token_sealed) })
  if (failure !== undefined && !evenIfUnreachable) return { ok: false, reason: 'host_silent', why: failure }
  return transact(context.db, async (tx) => {
    const gone = await tx
      .deleteFrom('federated_host')
      .where('id', '=', hostId)
      .returning(['name', 'url', 'application_id'])
      .executeTakeFirst()
    if (!gone) return { ok: false, reason: 'unknown_host' }
    if (gone.application_id) await removePartnerApplication({ ...context, db: tx }, gone.application_id)
    const changes = { name: gone.name, url: gone.url, host_was_told: failure === undefined }
    await record(tx, context, { kind: 'federated_host.left', subject: { kind: 'federated_host', id: hostId }, changes })
    return { ok: true }
  })
}

/** Undefined: the host has confirmed. */
async function tryToLeave(outbound: Outbound, link: { url: string; token: string }): Promise<string | undefined> {
  try {
    return (await leaveHost(outbound, link)) ? undefined : 'it did not end the link'
  } catch (error) {
    if (error instanceof PartnerError) return error.message
    throw error
  }
}

export async function pauseHost(context: CommandContext, hostId: number, paused: boolean): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const host = await tx
      .updateTable('federated_host')
      .set({ paused, next_attempt_at: context.now })
      .where('id', '=', hostId)
      .where('paused', '=', !paused)
      .returning('name')
      .executeTakeFirst()
    if (!host) return false
    const kind = paused ? 'federated_host.paused' : 'federated_host.resumed'
    await record(tx, context, { kind, subject: { kind: 'federated_host', id: hostId }, changes: { name: host.name } })
    return true
  })
}
