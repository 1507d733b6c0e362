import type { Tx } from '#platform/db/transaction.ts'
import { hookPoint } from '#platform/features/extension-points.ts'

/** What depends on qualifications changes in the same transaction. */
type QualificationHooks = {
  /** Marks the statistics of shifts that depend on inclusions or holders. */
  markShiftsStale: (tx: Tx, now: Date) => Promise<unknown>
  moveGrants: (tx: Tx, move: { from: number; to: number; now: Date }) => Promise<number>
}

export const qualificationHooks = hookPoint<QualificationHooks>('qualifications.changes', {
  markShiftsStale: async () => {},
  moveGrants: async () => 0,
})
