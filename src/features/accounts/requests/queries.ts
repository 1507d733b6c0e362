import { type Kysely, type RawBuilder, sql } from 'kysely'
import { settingValue } from '#features/operations/settings/queries.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Condition } from '#platform/db/conditions.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { decidedBy, detailsOf, type RequestData, type RequestDetails, type RequestKind } from './access.ts'
import type { RequestState } from './rules.ts'
import { requestSettings } from './schema.ts'

export type RequestRow = {
  id: number
  kind: string
  userId: number
  userName: string
  data: RequestData
  state: RequestState
  comment: string
  createdAt: Date
  decidedAt: Date | null
  decidedBy: string | null
  details: RequestDetails
}
type RequestPage = { count: number; rows: RequestRow[] }

const columnsFor = (
  kinds: readonly RequestKind[],
): RawBuilder<unknown> => sql`r.id, r.kind, r.user_id as "userId", u.display_name as "userName", r.data, r.state, r.comment,
  r.created_at as "createdAt", r.decided_at as "decidedAt", d.display_name as "decidedBy",
  ${detailsOf(kinds)} as details`
const from = sql`decision_request r join user_profile u on u.id = r.user_id left join user_profile d on d.id = r.decided_by_id`
const waiting = sql`r.state in ('open', 'failed')`

type Found = RequestRow & { count: number }
const pageOf = (rows: Found[]): RequestPage => ({ count: rows[0]?.count ?? 0, rows })

/** Oldest first. With four eyes, the actor's own requests wait for another person. */
export async function findRequestsToDecide(
  db: Kysely<DB>,
  { kinds, actor }: { kinds: readonly RequestKind[]; actor: UserActor },
  limit: number,
): Promise<RequestPage> {
  const { rows } = await sql<Found>`
    select ${columnsFor(kinds)}, (count(*) over ())::int as count from ${from}
    where ${waiting} and ${decidedBy(kinds, actor)} and not (${settingValue(requestSettings, 'four_eyes_requests')} and r.user_id = ${actor.userId})
    order by r.created_at, r.id limit ${limit}`.execute(db)
  return pageOf(rows)
}

/** Latest first. */
export async function findDecidedRequests(
  db: Kysely<DB>,
  { kinds, actor }: { kinds: readonly RequestKind[]; actor: UserActor },
  { limit, offset }: { limit: number; offset: number },
): Promise<RequestPage> {
  const { rows } = await sql<Found>`
    select ${columnsFor(kinds)}, (count(*) over ())::int as count from ${from}
    where r.state in ('granted', 'refused') and ${decidedBy(kinds, actor)}
    order by r.decided_at desc nulls last, r.id desc limit ${limit} offset ${offset}`.execute(db)
  return pageOf(rows)
}

export type DecidableRequest = {
  id: number
  kind: string
  user_id: number
  data: RequestData
  state: Exclude<RequestState, 'withdrawn'>
  comment: string
  created_at: string
  decided_at: string | null
  details: RequestDetails
}

const decidableColumns = (kinds: readonly RequestKind[]) => ({
  id: sql`r.id`,
  kind: sql`r.kind`,
  user_id: sql`r.user_id`,
  data: sql`r.data`,
  state: sql`r.state`,
  comment: sql`r.comment`,
  created_at: sql`r.created_at::text`,
  decided_at: sql`r.decided_at::text`,
  details: detailsOf(kinds),
})

const decidable = (kinds: readonly RequestKind[], actor: Actor): Condition =>
  actor.kind === 'user' ? sql`r.state <> 'withdrawn' and ${decidedBy(kinds, actor)}` : sql`false`

/** For the API: requests that the actor decides about, in all states but withdrawn, by id. */
export function findDecidableRequests(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  { kinds, state }: { kinds: readonly RequestKind[]; state?: string | undefined },
  page: PageRequest,
): Promise<PagedRows<DecidableRequest>> {
  const inState = state === undefined ? sql`` : sql` and r.state = ${state}`
  const where = sql`${decidable(kinds, actor)}${inState}`
  const listing = { columns: decidableColumns(kinds), from: sql`from decision_request r`, where, order: byId(sql`r.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<DecidableRequest>>`${chosen}`)
}

export async function getDecidableRequest(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  kinds: readonly RequestKind[],
  id: number,
): Promise<DecidableRequest | undefined> {
  return rowsOf(db).first(sql<DecidableRequest>`
    select ${selected(decidableColumns(kinds))} from decision_request r where r.id = ${id} and ${decidable(kinds, actor)}`)
}

/** Requests of a person, latest first. */
export async function findRequestsOf(db: Kysely<DB>, userId: number, kind: RequestKind, limit: number): Promise<RequestRow[]> {
  return rowsOf(db).all(sql<RequestRow>`
    select ${columnsFor([kind])} from ${from} where r.user_id = ${userId} and r.kind = ${kind.name}
    order by r.created_at desc, r.id desc limit ${limit}`)
}
