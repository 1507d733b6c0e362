import type { Changes } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    /** Settings by name. */
    'instance.changed': { subject: 'instance'; changes: Changes }
    /** Whether each was on, by `module.NAME`. */
    'instance.modules_changed': { subject: 'instance'; changes: Changes }
  }
}
