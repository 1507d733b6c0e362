import type { CommandContext, RequestContext } from '#platform/auth/context.ts'

export type Found = { count: number; oldest: Date | null }

/** Data that is deleted after a time. `src/feature-hooks.ts` lists the rules. */
export type RetentionRule = {
  name: string
  /** The number of days; 0: the rule is off. Undefined: the rule has its own setting, which `getDays` reads. */
  setting?: `retention_${'visitors' | 'journal' | 'notifications' | 'messages' | 'attendance' | 'birth_dates'}_days`
  getDays?: (db: RequestContext['db']) => Promise<number>
  /** What `remove` would delete. */
  find: (db: RequestContext['db'], before: Date) => Promise<Found>
  /** Deletes in steps that may be interrupted, and returns the number of records. */
  remove: (context: Omit<CommandContext, 'actor'>, before: Date) => Promise<number>
}
