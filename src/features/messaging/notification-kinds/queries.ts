import { type RawBuilder, sql } from 'kysely'
import type { KindName } from './rules/kinds.ts'

/** Whether a user got this notification before. */
export const wasNotified = (kind: KindName, userId: RawBuilder<unknown>, source: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from notification n where n.kind = ${kind} and n.user_id = ${userId} and n.source = ${source})`
