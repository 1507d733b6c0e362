import { type Kysely, sql } from 'kysely'
import { plannedBy } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { decidesAllQualifications, QUALIFICATION_REQUEST, seesProof } from './access.ts'
import type { EventQualification } from './rules.ts'

const DAY_MS = 24 * 3600_000

export type Proof = { id: string; name: string; content_type: string; bytes: number }

/** The proof of a request that the actor made or may decide. */
export async function getProof({ db, actor }: RequestContext, requestId: number): Promise<Proof | undefined> {
  return rowsOf(db).first(sql<Proof>`
    select f.id, f.name, f.content_type, f.bytes
    from qualification_proof p join stored_file f on f.id = p.file_id join decision_request r on r.id = p.request_id
    where p.request_id = ${requestId} and r.kind = ${QUALIFICATION_REQUEST} and ${seesProof(actor)}`)
}

/** Names that the request `r` refers to by id. */
export const requestNames = sql`json_build_object(
  'title', (select q.title from qualification q where q.id::text = r.data ->> 'qualification_id'),
  'event', (select e.title from event e where e.id::text = r.data ->> 'event_id'),
  'proof', (select f.name from qualification_proof p join stored_file f on f.id = p.file_id where p.request_id = r.id))`

/** Whether the actor decides about qualifications of anybody: everybody, or participants of an event. */
export async function decidesQualifications({ db, actor }: RequestContext): Promise<boolean> {
  if (decidesAllQualifications(actor)) return true
  return rowsOf(db).exists(sql`
    select from event_qualification g join event e on e.id = g.event_id where g.needs_decision and ${plannedBy(actor)} limit 1`)
}

export async function getEventQualification(db: Kysely<DB>, eventId: number): Promise<EventQualification | undefined> {
  return rowsOf(db).first(sql<EventQualification>`
    select g.qualification_id as "qualificationId", q.title, g.mode, g.recipients, g.expires_at as "expiresAt",
      g.valid_months as "validMonths", g.needs_decision as "needsDecision", g.applied_at as "appliedAt"
    from event_qualification g join qualification q on q.id = g.qualification_id where g.event_id = ${eventId}`)
}

/** Ended events whose participants have not received their qualification, the earliest first. */
export async function findEndedEvents(db: Kysely<DB>, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.id from event_qualification g join event e on e.id = g.event_id
    where g.applied_at is null and e.listed and e.end_time <= ${now}
      and not exists (select from participation p where p.event_id = e.id and p.state = 1 and p.end_time > ${now})
    order by e.end_time, e.id`.execute(db)
  return rows.map(({ id }) => id)
}

export const PERIODS = [14, 30, 60, 90, 180, 365] as const
/** When people are notified for the first time. */
export const DEFAULT_PERIOD = 60

type ExpiringFilter = {
  qualificationId: number | undefined
  groupId: number | undefined
  /** Days from now; 0: grants that expired in the last year. */
  days: number
}
export type ExpiringRow = {
  userId: number
  name: string
  email: string
  qualification: string
  expiresAt: Date
  /** A request to renew it waits for a decision. */
  isRequested: boolean
}

/** Grants of active people that expire in the period, the earliest first. */
export async function findExpiring(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  { qualificationId, groupId, days }: ExpiringFilter,
  page: { limit: number; offset: number } | undefined,
): Promise<{ count: number; rows: ExpiringRow[] }> {
  const [from, to] = days === 0 ? [new Date(now.getTime() - 365 * DAY_MS), now] : [now, new Date(now.getTime() + days * DAY_MS)]
  const filters = andAll([
    ...(qualificationId === undefined ? [] : [sql`g.qualification_id = ${qualificationId}`]),
    ...(groupId === undefined
      ? []
      : [sql`exists (select from user_group_member m where m.user_id = u.id and m.group_id = ${groupId})`]),
  ])
  const { rows } = await sql<Omit<ExpiringRow, 'expiresAt'> & { expiresAt: Date | null; count: number }>`
    select u.id as "userId", u.display_name as name, u.email, q.title as qualification, g.expires_at as "expiresAt",
      exists (select from decision_request r where r.user_id = u.id and r.kind = ${QUALIFICATION_REQUEST} and r.state = 'open'
        and r.data ->> 'qualification_id' = g.qualification_id::text) as "isRequested",
      (count(*) over ())::int as count
    from qualification_grant g join user_profile u on u.id = g.user_id join qualification q on q.id = g.qualification_id
    where g.expires_at >= ${from} and g.expires_at < ${to} and u.is_active and u.is_visible and u.deleted_at is null ${filters}
    order by g.expires_at, lower(u.display_name), g.id ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(
    db,
  )
  return { count: rows[0]?.count ?? 0, rows: rows as ExpiringRow[] }
}
