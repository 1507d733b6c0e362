import { type Kysely, sql } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { DB } from '#platform/db/tables.ts'
import { decidedBy, type RequestData, type RequestKind } from './access.ts'
import type { RequestState } from './rules.ts'

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
}
type RequestPage = { count: number; rows: RequestRow[] }

const columns = sql`r.id, r.kind, r.user_id as "userId", u.display_name as "userName", r.data, r.state, r.comment,
  r.created_at as "createdAt", r.decided_at as "decidedAt", d.display_name as "decidedBy"`
const from = sql`decision_request r join user_profile u on u.id = r.user_id left join user_profile d on d.id = r.decided_by_id`
const waiting = sql`r.state in ('open', 'failed')`

type Found = RequestRow & { count: number }
const pageOf = (rows: Found[]): RequestPage => ({ count: rows[0]?.count ?? 0, rows })

/** Oldest first. With four eyes, the actor's own requests wait for another person. */
export async function findRequestsToDecide(
  db: Kysely<DB>,
  { kinds, actor, needsFourEyes }: { kinds: readonly RequestKind[]; actor: UserActor; needsFourEyes: boolean },
  limit: number,
): Promise<RequestPage> {
  const others = needsFourEyes ? sql`and r.user_id <> ${actor.userId}` : sql``
  const { rows } = await sql<Found>`
    select ${columns}, (count(*) over ())::int as count from ${from}
    where ${waiting} and ${decidedBy(kinds, actor)} ${others}
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
    select ${columns}, (count(*) over ())::int as count from ${from}
    where r.state in ('granted', 'refused') and ${decidedBy(kinds, actor)}
    order by r.decided_at desc nulls last, r.id desc limit ${limit} offset ${offset}`.execute(db)
  return pageOf(rows)
}

export async function findRequestsOf(db: Kysely<DB>, userId: number, kind: string, limit: number): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${columns} from ${from} where r.user_id = ${userId} and r.kind = ${kind}
    order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
  return rows
}
