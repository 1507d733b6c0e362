import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'

export type PushDevice = { id: number; endpoint: string; p256dh: string; auth: string }

export const findPushTargets = (db: Kysely<DB>, userId: number): Promise<PushDevice[]> =>
  db.selectFrom('push_device').select(['id', 'endpoint', 'p256dh', 'auth']).where('user_id', '=', userId).orderBy('id').execute()

type PushDeviceLine = { id: number; userAgent: string; createdAt: Date; deviceHash: Buffer }

/** Newest first. */
export const findPushDevices = (db: Kysely<DB>, userId: number): Promise<PushDeviceLine[]> =>
  db
    .selectFrom('push_device')
    .select(['id', 'user_agent as userAgent', 'created_at as createdAt', 'device_hash as deviceHash'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
