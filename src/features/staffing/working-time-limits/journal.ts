import type { Changes } from '#platform/journal/kinds.ts'
import type { LimitKind } from './rules.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'limits.changed': { subject: 'instance' | 'group'; changes: Changes<Record<LimitKind, string | null>> }
  }
}
