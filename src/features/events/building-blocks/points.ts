import type { Kysely } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { hookPoint } from '#platform/features/extension-points.ts'

type NamedShift = { shiftId: number; eventId: number; eventTitle: string; label: string; startTime: Date; endTime: Date }

/** Shifts that use blocks. */
type BlockHooks = {
  /** The shifts that the caller may see, and the number of all. */
  findShifts: (context: RequestContext, blockIds: readonly number[]) => Promise<{ count: number; named: NamedShift[] }>
  findShiftIds: (db: Kysely<DB>, blockIds: readonly number[], now: Date) => Promise<number[]>
  /** Marks their statistics as stale in the same transaction. */
  markShiftsStale: (tx: Tx, blockIds: readonly number[], now: Date) => Promise<unknown>
}

export const blockHooks = hookPoint<BlockHooks>('building-blocks.shifts', {
  findShifts: async () => ({ count: 0, named: [] }),
  findShiftIds: async () => [],
  markShiftsStale: async () => {},
})
