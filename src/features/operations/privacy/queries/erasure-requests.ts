import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

export type ErasureRequest = { userId: number; requestedAt: Date; dueAt: Date; decidedAt: Date | null }

export async function getErasureRequest(db: Kysely<DB>, userId: number): Promise<ErasureRequest | undefined> {
  return db
    .selectFrom('erasure_request')
    .select(['user_id as userId', 'requested_at as requestedAt', 'due_at as dueAt', 'decided_at as decidedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Open requests, those that are due first. */
export async function findErasureRequests(db: Kysely<DB>): Promise<(ErasureRequest & { name: string })[]> {
  return db
    .selectFrom('erasure_request as r')
    .innerJoin('user_profile as u', 'u.id', 'r.user_id')
    .select([
      'r.user_id as userId',
      'u.display_name as name',
      'r.requested_at as requestedAt',
      'r.due_at as dueAt',
      'r.decided_at as decidedAt',
    ])
    .orderBy('r.due_at')
    .orderBy('r.user_id')
    .limit(200)
    .execute()
}

/** Requests whose waiting time has ended, and that need no decision or have one. */
export async function findDueRequests(db: Kysely<DB>, now: Date, needsApproval: boolean): Promise<number[]> {
  // never null: id (primary key)
  const { rows } = await sql<{ id: number }>`
    select user_id as id from erasure_request where due_at <= ${now} and (${!needsApproval} or decided_at is not null)
    order by due_at, user_id`.execute(db)
  return rows.map(({ id }) => id)
}
