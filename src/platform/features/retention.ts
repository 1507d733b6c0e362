import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { findOldEntries } from '#platform/journal/entries.ts'
import { deleteOldEntries } from '#platform/journal/journal.ts'

export type Found = { count: number; oldest: Date | null }

/** Data that is deleted after a time. */
export type RetentionRule = {
  name: string
  /** The number of days; 0: the rule is off. Undefined: the rule has its own setting, which `getDays` reads. */
  setting?: `retention_${string}_days`
  getDays?: (db: RequestContext['db']) => Promise<number>
  /** What `remove` would delete. */
  find: (db: RequestContext['db'], before: Date) => Promise<Found>
  /** Deletes in steps that may be interrupted, and returns the number of records. */
  remove: (context: Omit<CommandContext, 'actor'>, before: Date) => Promise<number>
}

/** Of the journal, which belongs to no feature. */
const JOURNAL_RULE: RetentionRule = {
  name: 'journal',
  setting: 'retention_journal_days',
  find: findOldEntries,
  remove: ({ db }, before) => deleteOldEntries(db, before),
}

export const retentionRulesOf = (features: readonly { retention?: readonly RetentionRule[] }[]): RetentionRule[] => [
  ...features.flatMap(({ retention = [] }) => retention),
  JOURNAL_RULE,
]
