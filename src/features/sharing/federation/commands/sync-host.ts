import { type Kysely, sql } from 'kysely'
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
    await tx
      .updateTable('federated_host')
      .set({
        last_attempt_at: now,
        last_success_at: now,
        last_error: null,
        last_latency_ms: took,
        failures_in_row: 0,
        ended_by_partner_at: null,
        ...(listing.kind === 'listed' ? { etag: listing.etag ?? null } : {}),
        next_attempt_at: nextAttempt(now, { failures: 0, hasEnded: false }, chanceOf(contact)),
      })
      .where('id', '=', host.id)
      .execute()
    return listing.kind === 'listed' ? { outcome: 'copied', events: usable.length } : { outcome: 'unchanged' }
  })
}

const chanceOf = ({ chance = Math.random }: Contact): number => chance()

const LONGEST_LINK = 2_000
const MAX_ERROR_LENGTH = 1_000

/** Links of events must lead to the host itself. */
const leadsTo = (link: string, url: string): boolean =>
  link.length <= LONGEST_LINK && URL.parse(link)?.origin === new URL(url).origin

async function copyEvents(tx: Tx, hostId: number, events: readonly SharedEvent[], now: Date): Promise<void> {
  const ids = events.map(({ id }) => id)
  await sql`delete from partner_event where host_id = ${hostId} and remote_id <> all (${ids}::bigint[])`.execute(tx)
  if (!events.length) return
  const rows = [...new Map(events.map((event) => [event.id, event])).values()].map((event) => ({
    host_id: hostId,
    remote_id: event.id,
    title: event.title,
    location: event.location,
    signup_url: event.signup_url,
    description: event.description ?? null,
    type_title: event.type.title,
    start_time: event.start_time ?? null,
    end_time: event.end_time ?? null,
    fetched_at: now,
  }))
  for (let at = 0; at < rows.length; at += 500) {
    await tx
      .insertInto('partner_event')
      .values(rows.slice(at, at + 500))
      .onConflict((conflict) =>
        conflict.columns(['host_id', 'remote_id']).doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          description: eb.ref('excluded.description'),
          location: eb.ref('excluded.location'),
          type_title: eb.ref('excluded.type_title'),
          signup_url: eb.ref('excluded.signup_url'),
          start_time: eb.ref('excluded.start_time'),
          end_time: eb.ref('excluded.end_time'),
          fetched_at: eb.ref('excluded.fetched_at'),
        })),
      )
      .execute()
  }
}

/**
 * Stores only participations of people who have visited the host, in its events and at their time: a host must not be able to block
 * people who have never been there, nor for years. What the person has denied stays denied.
 */
async function copyPeople(tx: Tx, hostId: number, people: readonly ExternalParticipation[], now: Date): Promise<void> {
  await sql`delete from participation_abroad where partner_event_id in (select id from partner_event where host_id = ${hostId})`.execute(
    tx,
  )
  const rows = people.map(({ event, shift, shift_label, user, state, start_time, end_time }) => ({
    event,
    shift,
    label: shift_label,
    user,
    state,
    start_time,
    end_time,
  }))
  await sql`
    insert into participation_abroad
      (partner_event_id, user_id, remote_shift_id, shift_label, state, start_time, end_time, fetched_at, denied)
    select e.id, c.user_id, reported.shift, reported.label, reported.state, reported.start_time, reported.end_time, ${now}, exists (
      select from denied_statement d
      where d.host_id = ${hostId} and d.remote_shift_id = reported.shift and d.user_id = c.user_id
    )
    from json_to_recordset(${JSON.stringify(rows)}::json) as reported
      (event bigint, shift bigint, label text, "user" bigint, state smallint, start_time timestamptz, end_time timestamptz)
    join partner_event e on e.host_id = ${hostId} and e.remote_id = reported.event
    join federated_host h on h.id = e.host_id
    join oauth_consent c on c.application_id = h.application_id and c.user_id = reported."user"
    where reported.start_time <= reported.end_time
      and reported.start_time >= e.start_time - interval '1 day' and reported.end_time <= e.end_time + interval '1 day'
    on conflict do nothing`.execute(tx)
}

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
