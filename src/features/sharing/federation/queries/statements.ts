import { type Kysely, sql } from 'kysely'
import type { PlaceAtPartner } from '#features/accounts/users/rules.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** What a host says about the caller. */
export type Statement = {
  id: number
  host: string
  title: string
  label: string
  state: State
  start: Date
  end: Date
  href: string
  /** The caller has said that it is wrong, so it does not count. */
  isDenied: boolean
}

/** Shifts of the caller at hosts that have not ended, as the hosts state them. */
export async function findStatements(context: RequestContext): Promise<Statement[]> {
  return rowsOf(context.db).all(sql<Statement>`
    select a.id, h.name as host, x.title, a.shift_label as label, a.state, a.start_time as start, a.end_time as "end",
      x.signup_url as href, a.denied as "isDenied"
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = ${userIdOf(context.actor)} and a.end_time >= ${context.now}
    order by a.start_time, a.id limit 200`)
}

/** Requested and confirmed places of a person at hosts that have not ended. */
export async function findPlacesAtPartners({ db, now }: RequestContext, userId: number): Promise<PlaceAtPartner[]> {
  return rowsOf(db).all(sql<PlaceAtPartner>`
    select h.name as host, x.title, a.shift_label as shift, a.start_time as start, a.end_time as "end", a.state = 1 as "isConfirmed"
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
    where a.user_id = ${userId} and a.end_time >= ${now} and a.state in (0, 1) and not a.denied
    order by a.start_time, a.id limit 200`)
}

/** A place of the person at a host that can be asked to free it. */
export async function getPlaceAtPartner(
  db: Kysely<DB>,
  userId: number,
  id: number,
): Promise<(PlaceAtPartner & { url: string; tokenSealed: string; shiftId: number; href: string }) | undefined> {
  return rowsOf(db).first(sql`
    select h.name as host, x.title, a.shift_label as shift, a.start_time as start, a.end_time as "end", a.state = 1 as "isConfirmed",
      h.url, h.access_token_sealed as "tokenSealed", a.remote_shift_id as "shiftId", x.signup_url as href
    from participation_abroad a join partner_event x on x.id = a.partner_event_id join federated_host h on h.id = x.host_id
      join host_updates u on u.host_id = h.id and u.agreed_at is not null
    where a.id = ${id} and a.user_id = ${userId} and a.state in (0, 1) and not a.denied`)
}

export type PartnerShift = {
  id: number
  host: string
  title: string
  label: string
  start: Date
  end: Date
  isDenied: boolean
}

/** Shifts of the caller at hosts that are over and count as hours, latest first. */
export async function findPastAtPartners({ db, actor, now }: RequestContext): Promise<PartnerShift[]> {
  return rowsOf(db).all(sql<PartnerShift>`
    select p.id, p.host_name as host, p.title, p.shift_label as label, p.start_time as start, p.end_time as "end", p.denied as "isDenied"
    from partner_hours p where p.user_id = ${userIdOf(actor)} and p.end_time <= ${now} order by p.start_time desc, p.id limit 200`)
}

export async function isObjecting({ db, actor }: RequestContext): Promise<boolean> {
  return rowsOf(db).exists(sql`select from partner_objection o where o.user_id = ${userIdOf(actor)}`)
}

type OpenedEvent = { id: number; title: string; start: Date; end: Date; openedAt: Date }
type SilentHost = { id: number; name: string; url: string; lastVisitAt: Date | null; opened: OpenedEvent[] }

/** Hosts that do not tell where our people stand, with the last visit of the caller and the coming events that they opened from here. */
export async function findSilentHosts(context: RequestContext): Promise<SilentHost[]> {
  const { rows: hosts } = await sql<Omit<SilentHost, 'opened'>>`
    select h.id, h.name, h.url, c.last_used_at as "lastVisitAt"
    from federated_host h left join oauth_consent c on c.application_id = h.application_id and c.user_id = ${userIdOf(context.actor)}
    where not h.speaks_turnout order by lower(h.name), h.id`.execute(context.db)
  // never null: start, end (an event that has not ended has times)
  const { rows: opened } = await sql<OpenedEvent & { hostId: number }>`
    select x.id, x.host_id as "hostId", x.title, x.start_time as start, x.end_time as "end", o.opened_at as "openedAt"
    from partner_event_opening o join partner_event x on x.id = o.partner_event_id
    where o.user_id = ${userIdOf(context.actor)} and x.end_time >= ${context.now} and x.start_time is not null
    order by x.start_time, x.id limit 200`.execute(context.db)
  const byHost = Map.groupBy(opened, ({ hostId }) => hostId)
  return hosts.map((host) => ({ ...host, opened: byHost.get(host.id) ?? [] }))
}
