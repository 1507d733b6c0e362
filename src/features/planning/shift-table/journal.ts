import type { Change } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.shifts_edited': {
      subject: 'event'
      changes: { [Name in 'created' | 'changed' | 'removed']: Change<null, number> }
    }
    'event.shifts_edit_undone': { subject: 'event'; changes: { step: Change<null, number> } }
  }
}
