import { sql } from 'kysely'
import type { Tx } from '#platform/db/transaction.ts'
import type { ExternalParticipation, SharedEvent } from '../partner.ts'
import type { Updates } from './request-updates.ts'

const LONGEST_LINK = 2_000

/** Links of events must lead to the host itself. */
export const leadsTo = (link: string, url: string): boolean =>
  link.length <= LONGEST_LINK && URL.parse(link)?.origin === new URL(url).origin

/** The host shares these events and no others. */
export async function copyEvents(tx: Tx, hostId: number, events: readonly SharedEvent[], now: Date): Promise<void> {
  const ids = events.map(({ id }) => id)
  await sql`delete from partner_event where host_id = ${hostId} and remote_id <> all (${ids}::bigint[])`.execute(tx)
  await storeEvents(tx, hostId, events, now)
}

async function storeEvents(tx: Tx, hostId: number, events: readonly SharedEvent[], now: Date): Promise<void> {
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

/** The host states these participations and no others. */
export async function copyPeople(tx: Tx, hostId: number, people: readonly ExternalParticipation[], now: Date): Promise<void> {
  await deletePeople(tx, hostId)
  await storePeople(tx, hostId, people, now)
}

const deletePeople = (tx: Tx, hostId: number) =>
  sql`delete from participation_abroad where partner_event_id in (select id from partner_event where host_id = ${hostId})`.execute(
    tx,
  )

type Stated = ExternalParticipation & { id?: number }

/**
 * Stores only participations of people who have visited the host, in its events and at their time: a host must not be able to block
 * people who have never been there, nor for years. What the person has denied stays denied, and nothing is kept of people who object.
 */
async function storePeople(tx: Tx, hostId: number, people: readonly Stated[], now: Date): Promise<void> {
  const rows = people.map(({ event, shift, shift_label, user, state, start_time, end_time, id }) => ({
    event,
    shift,
    label: shift_label,
    user,
    state,
    start_time,
    end_time,
    remote: id ?? null,
  }))
  await sql`
    insert into participation_abroad
      (partner_event_id, user_id, remote_shift_id, shift_label, state, start_time, end_time, fetched_at, denied, remote_id)
    select e.id, c.user_id, reported.shift, reported.label, reported.state, reported.start_time, reported.end_time, ${now},
      ${isDenied(hostId)}, reported.remote
    from json_to_recordset(${JSON.stringify(rows)}::json) as reported (event bigint, shift bigint, label text, "user" bigint,
      state smallint, start_time timestamptz, end_time timestamptz, remote bigint)
    join partner_event e on e.host_id = ${hostId} and e.remote_id = reported.event
    ${reportable(hostId)}
    where reported.start_time <= reported.end_time and ${isDuring}
    on conflict do nothing`.execute(tx)
}

const isDuring = sql`reported.start_time >= e.start_time - interval '1 day' and reported.end_time <= e.end_time + interval '1 day'`
const isDenied = (hostId: number) => sql`exists (
  select from denied_statement d where d.host_id = ${hostId} and d.remote_shift_id = reported.shift and d.user_id = c.user_id)`
/** People who have visited the host, and do not object. */
const reportable = (hostId: number) => sql`join federated_host h on h.id = ${hostId}
    join oauth_consent c on c.application_id = h.application_id and c.user_id = reported."user"
      and not exists (select from partner_objection o where o.user_id = c.user_id)`

/** Brings our copy to where the host is. Hours of the past go only if the host says so, or states them otherwise. */
export async function copyUpdates(tx: Tx, host: { id: number; url: string }, updates: Updates, now: Date): Promise<void> {
  const { isFromStart, goneEvents, participations, goneParticipations } = updates
  const events = updates.events.filter(({ signup_url }) => leadsTo(signup_url, host.url))
  if (isFromStart) {
    await copyEvents(tx, host.id, events, now)
    await deletePeople(tx, host.id)
  } else {
    await sql`delete from partner_event where host_id = ${host.id} and remote_id = any (${goneEvents}::bigint[])`.execute(tx)
    await storeEvents(tx, host.id, events, now)
  }
  // All of them have been confirmed just now.
  await tx.updateTable('partner_event').set({ fetched_at: now }).where('host_id', '=', host.id).execute()
  const stated = [...goneParticipations, ...participations.map(({ id }) => id)]
  await sql`delete from participation_abroad a using partner_event e
    where e.id = a.partner_event_id and e.host_id = ${host.id} and a.remote_id = any (${stated}::bigint[])`.execute(tx)
  const latest = [...new Map(participations.map((each) => [each.id, each])).values()]
  await storePeople(tx, host.id, latest, now)
  await sql`delete from partner_hours where host_id = ${host.id} and remote_id = any (${stated}::bigint[])`.execute(tx)
  const confirmed = latest.filter(({ state, no_show }) => state === CONFIRMED && !no_show)
  await storeHours(tx, host, confirmed)
}

const CONFIRMED = 1

/**
 * Confirmed shifts; they count as hours when they are over. The event may have left our list, so they are kept apart from it; then a
 * shift of more than two weeks is not believed.
 */
async function storeHours(tx: Tx, { id: hostId }: { id: number }, confirmed: Updates['participations']): Promise<void> {
  await sql`
    insert into partner_hours
      (user_id, host_id, host_name, remote_id, remote_shift_id, title, shift_label, start_time, end_time, denied)
    select c.user_id, h.id, h.name, reported.id, reported.shift, reported.event_title, reported.shift_label, reported.start_time,
      reported.end_time, ${isDenied(hostId)}
    from json_to_recordset(${JSON.stringify(confirmed)}::json) as reported (id bigint, event bigint, event_title text, shift bigint,
      shift_label text, "user" bigint, start_time timestamptz, end_time timestamptz)
    ${reportable(hostId)}
    left join partner_event e on e.host_id = ${hostId} and e.remote_id = reported.event
    where reported.start_time < reported.end_time and reported.end_time - reported.start_time <= interval '14 days'
      and (e.id is null or (${isDuring}))
    on conflict do nothing`.execute(tx)
}
