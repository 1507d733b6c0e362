import type { EventSnapshot } from '#features/events/events/rules/event-fields.ts'
import type { ValueChanges } from '#features/planning/planning/rules/changes.ts'
import type { Change } from '#platform/journal/kinds.ts'
import type { Scope } from './rules/linking.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.duplicated': {
      subject: 'event'
      changes: ValueChanges<EventSnapshot> & { copied_from: Change<null, number>; date: Change<null, string> }
    }
    'event.series_cancelled': { subject: 'event'; changes: { dates: Change<null, number> } }
    'event.series_changed': { subject: 'event'; changes: { scope: Change<null, Scope>; fields: Change<null, readonly string[]> } }
    'event.series_created': { subject: 'event'; changes: { rule: Change<null, string | null>; dates: Change<null, number> } }
    'event.series_deleted': { subject: 'event'; changes: { dates: Change<null, number> } }
    'event.series_rule_changed': {
      subject: 'event'
      changes: {
        rule: Change<string | null>
        start_date: Change<string>
        exdates: Change<readonly string[]>
        rdates: Change<readonly string[]>
      }
    }
    'event.series_undone': { subject: 'event'; changes: { step: Change<null, number> } }
  }
}
