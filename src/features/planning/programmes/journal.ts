import type { Change } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.programme_applied': {
      subject: 'event'
      changes: { [Name in 'created' | 'changed' | 'removed']: Change<null, number> }
    }
    'event.programme_differs': {
      subject: 'event'
      changes: { [Name in 'created' | 'changed' | 'removed']: Change<null, number> }
    }
    'event.programme_followed': { subject: 'event'; changes: { changed: Change<null, number> } }
    'event.programme_options_changed': { subject: 'event'; changes: { options: Change<null, readonly string[]> } }
    'event.programme_read': {
      subject: 'event'
      changes: { source: Change<null, string>; sessions: Change<number | null, number> }
    }
    'event.programme_removed': { subject: 'event' }
    'event.programme_undone': { subject: 'event'; changes: { step: Change<null, number> } }
  }
}
