import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { readFailure } from '#platform/db/failure.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import {
  cutText,
  type ExternalParticipation,
  type Link,
  type Listing,
  listExternalParticipations,
  listSharedEvents,
  PartnerError,
  type SharedEvent,
} from '../partner.ts'
import { nextAttempt } from '../rules/contact.ts'
import { copyEvents, copyPeople, copyUpdates, leadsTo } from './copy-from-host.ts'
import { readUpdates } from './host-updates.ts'
import type { Updates } from './request-updates.ts'

export type SyncOutcome = { outcome: 'copied' | 'unchanged' | 'ended' | 'failed' | 'unknown_host'; events?: number; why?: string }

type Host = {
  id: number
  url: string
  name: string
  access_token_sealed: string
  etag: string | null
  speaks_turnout: boolean
  failures_in_row: number
  ended_by_partner_at: Date | null
}

type Contact = { outbound: Outbound; clock: { now: () => Date }; chance?: () => number }

/**
 * Updates our copy of a host's events. Holds no locks during the request. No response of the host deletes a link: a 403
 * marks it, and an administrator decides.
 */
export async function syncHost(context: CommandContext, contact: Contact, hostId: number): Promise<SyncOutcome> {
  const host = await getHost(context.db, hostId)
  if (!host) return { outcome: 'unknown_host' }
  const { clock } = contact
  const begun = contact.clock.now()
  const latency = () => contact.clock.now().getTime() - begun.getTime()
  try {
    const link = { url: host.url, token: context.site.keyring.unseal(host.access_token_sealed), etag: host.etag, clock }
    const told = host.speaks_turnout ? await readUpdates(context, contact.outbound, { id: host.id, ...link }) : undefined
    if (told?.kind === 'refused') return await noteEnd(context, contact, host)
    if (told) return await storeUpdates(context, contact, host, { ...told, took: latency() })
    const listing = await listSharedEvents(contact.outbound, link, context.now)
    const took = latency()
    if (listing.kind === 'refused') return await noteEnd(context, contact, host)
    const people = host.speaks_turnout ? await fetchParticipations(contact.outbound, link) : undefined
    return await store(context, contact, host, { listing, people, took })
  } catch (error) {
    // Whatever a partner causes is noted and retried later; only a lost database ends the task.
    if (!(error instanceof PartnerError) && readFailure(error) === 'busy') throw error
    const why = error instanceof PartnerError ? error.message : `its data cannot be stored (${(error as Error).message})`
    await noteFailure(context, contact, host, why)
    return { outcome: 'failed', why }
  }
}

async function getHost(db: Kysely<DB>, id: number): Promise<Host | undefined> {
  return db
    .selectFrom('federated_host')
    .select(['id', 'url', 'name', 'access_token_sealed', 'etag', 'speaks_turnout', 'failures_in_row', 'ended_by_partner_at'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** If this request fails, the events are still updated and the stored participations stay. */
async function fetchParticipations(
  outbound: Outbound,
  { url, token, clock }: Link,
): Promise<ExternalParticipation[] | undefined> {
  try {
    const listing = await listExternalParticipations(outbound, { url, token, clock })
    return listing.kind === 'listed' ? listing.items : undefined
  } catch (error) {
    if (error instanceof PartnerError) return undefined
    throw error
  }
}

type Found = {
  listing: Exclude<Listing<SharedEvent>, { kind: 'refused' }>
  people: ExternalParticipation[] | undefined
  took: number
}

async function store(
  context: CommandContext,
  contact: Contact,
  host: Host,
  { listing, people, took }: Found,
): Promise<SyncOutcome> {
  const { now } = context
  return transact(context.db, async (tx) => {
    // Serialises concurrent syncs of one host.
    const row = await tx.selectFrom('federated_host').select('id').where('id', '=', host.id).forUpdate().executeTakeFirst()
    if (!row) return { outcome: 'unknown_host' }
    const usable = listing.kind === 'listed' ? listing.items.filter(({ signup_url }) => leadsTo(signup_url, host.url)) : []
    if (listing.kind === 'listed') await copyEvents(tx, host.id, usable, now)
    else await tx.updateTable('partner_event').set({ fetched_at: now }).where('host_id', '=', host.id).execute()
    if (people) await copyPeople(tx, host.id, people, now)
    // What is told next begins from the start, because it is told in other rows.
    await tx.updateTable('host_updates').set({ cursor: null }).where('host_id', '=', host.id).execute()
    await noteSuccess(tx, context, contact, host.id, {
      took,
      etag: listing.kind === 'listed' ? (listing.etag ?? null) : undefined,
    })
    return listing.kind === 'listed' ? { outcome: 'copied', events: usable.length } : { outcome: 'unchanged' }
  })
}

type Told = { updates: Updates; before: string | null; took: number }

/** Two requests at a time can be answered differently: what was asked from another place than we have reached meanwhile counts for nothing. */
export const isStale = (reached: string | null, before: string | null): boolean => reached !== before

export async function storeUpdates(
  context: CommandContext,
  contact: Contact,
  host: Pick<Host, 'id' | 'url'>,
  { updates, before, took }: Told,
  isLate = isStale,
): Promise<SyncOutcome> {
  return transact(context.db, async (tx) => {
    const row = await tx.selectFrom('federated_host').select('id').where('id', '=', host.id).forUpdate().executeTakeFirst()
    if (!row) return { outcome: 'unknown_host' }
    const agreement = await tx.selectFrom('host_updates').select('cursor').where('host_id', '=', host.id).executeTakeFirst()
    if (!agreement || isLate(agreement.cursor, before)) return { outcome: 'unchanged' }
    await copyUpdates(tx, host, updates, context.now)
    await tx.updateTable('host_updates').set({ cursor: updates.cursor }).where('host_id', '=', host.id).execute()
    await noteSuccess(tx, context, contact, host.id, { took, etag: null })
    const { count } = await tx
      .selectFrom('partner_event')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('host_id', '=', host.id)
      .executeTakeFirstOrThrow()
    return updates.cursor === before ? { outcome: 'unchanged' } : { outcome: 'copied', events: count }
  })
}

async function noteSuccess(
  tx: Tx,
  { now }: CommandContext,
  contact: Contact,
  hostId: number,
  { took, etag }: { took: number; etag: string | null | undefined },
): Promise<void> {
  await tx
    .updateTable('federated_host')
    .set({
      last_attempt_at: now,
      last_success_at: now,
      last_error: null,
      last_latency_ms: took,
      failures_in_row: 0,
      ended_by_partner_at: null,
      ...(etag === undefined ? {} : { etag }),
      next_attempt_at: nextAttempt(now, { failures: 0, hasEnded: false }, chanceOf(contact)),
    })
    .where('id', '=', hostId)
    .execute()
}

const chanceOf = ({ chance = Math.random }: Contact): number => chance()

const MAX_ERROR_LENGTH = 1_000

async function noteEnd(context: CommandContext, contact: Contact, host: Host): Promise<SyncOutcome> {
  const { now } = context
  await transact(context.db, async (tx) => {
    const marked = await tx
      .updateTable('federated_host')
      .set({
        last_attempt_at: now,
        ended_by_partner_at: host.ended_by_partner_at ?? now,
        next_attempt_at: nextAttempt(now, { failures: 0, hasEnded: true }, chanceOf(contact)),
      })
      .where('id', '=', host.id)
      .returning('id')
      .executeTakeFirst()
    // Recorded once, not at every attempt.
    if (!marked || host.ended_by_partner_at) return
    const changes = { name: host.name, url: host.url }
    await record(tx, context, {
      kind: 'federated_host.ended_by_partner',
      subject: { kind: 'federated_host', id: host.id },
      changes,
    })
  })
  return { outcome: 'ended' }
}

async function noteFailure({ db, now }: CommandContext, contact: Contact, host: Host, why: string): Promise<void> {
  const failures = host.failures_in_row + 1
  await db
    .updateTable('federated_host')
    .set({
      last_attempt_at: now,
      last_error: cutText(why.replaceAll('\0', '').toWellFormed(), MAX_ERROR_LENGTH),
      failures_in_row: failures,
      next_attempt_at: nextAttempt(now, { failures, hasEnded: host.ended_by_partner_at !== null }, chanceOf(contact)),
    })
    .where('id', '=', host.id)
    .execute()
}
