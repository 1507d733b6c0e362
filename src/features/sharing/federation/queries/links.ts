import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type ParsedInvitation, parseShareString } from '../rules/invitations.ts'

/** A guest instance: it sees events of ours. */
export type GuestLink = {
  id: number
  name: string
  url: string
  createdAt: Date
  lastContactAt: Date | null
  /** Upcoming shared events, including drafts. */
  events: number
  visitors: number
  participations: number
}

const guestColumns = (now: Date) => sql`
  g.id, g.name, g.url, g.created_at as "createdAt",
  greatest(g.last_contact_at, (select max(t.last_used_at) from access_token t where t.federated_guest_id = g.id)) as "lastContactAt",
  (select count(*)::int from event_share s join event e on e.id = s.event_id
    where s.federated_guest_id = g.id and e.deleted_at is null and e.end_time >= ${now}) as events,
  (select count(*)::int from visitor v where v.federated_guest_id = g.id) as visitors,
  (select count(*)::int from visitor v join participation p on p.visitor_id = v.id where v.federated_guest_id = g.id) as participations`

export async function findGuestLinks(db: Kysely<DB>, now: Date): Promise<GuestLink[]> {
  return rowsOf(db).all(sql<GuestLink>`
    select ${guestColumns(now)} from federated_guest g order by lower(g.name), g.id`)
}

export async function getGuestLink(db: Kysely<DB>, now: Date, id: number): Promise<GuestLink | undefined> {
  return rowsOf(db).first(sql<GuestLink>`select ${guestColumns(now)} from federated_guest g where g.id = ${id}`)
}

/** A host: we see its events. */
export type HostLink = {
  id: number
  name: string
  url: string
  createdAt: Date
  paused: boolean
  speaksTurnout: boolean
  lastAttemptAt: Date | null
  lastSuccessAt: Date | null
  nextAttemptAt: Date
  lastError: string | null
  latencyMs: number | null
  failuresInRow: number
  endedByPartnerAt: Date | null
  /** Number of stored copies of its events. */
  events: number
  externalSignups: number
}

const hostColumns: RawBuilder<unknown> = sql`
  h.id, h.name, h.url, h.created_at as "createdAt", h.paused, h.speaks_turnout as "speaksTurnout", h.last_attempt_at as "lastAttemptAt",
  h.last_success_at as "lastSuccessAt", h.next_attempt_at as "nextAttemptAt", h.last_error as "lastError",
  h.last_latency_ms as "latencyMs", h.failures_in_row as "failuresInRow", h.ended_by_partner_at as "endedByPartnerAt",
  (select count(*)::int from partner_event e where e.host_id = h.id) as events,
  (select count(*)::int from partner_event e join participation_abroad a on a.partner_event_id = e.id
    where e.host_id = h.id and a.state in (0, 1)) as "externalSignups"`

export async function findHostLinks(db: Kysely<DB>): Promise<HostLink[]> {
  return rowsOf(db).all(sql<HostLink>`select ${hostColumns} from federated_host h order by lower(h.name), h.id`)
}

export async function getHostLink(db: Kysely<DB>, id: number): Promise<HostLink | undefined> {
  return rowsOf(db).first(sql<HostLink>`select ${hostColumns} from federated_host h where h.id = ${id}`)
}

type InvitationCheck =
  | { ok: true; hostUrl: string /** There was a link that its host has ended. */; wasLinked: boolean }
  | { ok: false; reason: Extract<ParsedInvitation, { ok: false }>['reason'] | 'already_joined' }

/** Checks an invitation without a request to the host. */
export async function checkInvitation(db: Kysely<DB>, site: Site, shareString: string): Promise<InvitationCheck> {
  const read = parseShareString(shareString, site.url)
  if (!read.ok) return read
  const { hostUrl } = read.invitation
  const known = await rowsOf(db).first(sql<{ hasEnded: boolean }>`
    select ended_by_partner_at is not null as "hasEnded" from federated_host where url = ${hostUrl}`)
  if (known && !known.hasEnded) return { ok: false, reason: 'already_joined' }
  return { ok: true, hostUrl, wasLinked: known !== undefined }
}
