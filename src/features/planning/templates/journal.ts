import type { EventSnapshot } from '#features/events/events/rules/event-fields.ts'
import type { ValueChanges } from '#features/planning/planning/rules/changes.ts'
import type { Change, Changes } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.made_from_template': {
      subject: 'event'
      changes: ValueChanges<EventSnapshot> & { event_template: Change<null, number>; date: Change<null, string> }
    }
    'event_template.changed': { subject: 'event_template'; changes: Changes<{ name: string | null; description: string | null }> }
    /** `copied_from`: unless it began as a template of the program. */
    'event_template.created': {
      subject: 'event_template'
      changes: { name: Change<null, string>; copied_from?: Change<null, number> }
    }
    'event_template.deleted': { subject: 'event_template'; changes: { name: Change<string> } }
    'event_template.replaced': {
      subject: 'event_template'
      changes: { name: Change<null, string>; copied_from: Change<null, number> }
    }
    'event_template.restored': { subject: 'event_template'; changes: { name: Change<string> } }
  }
}
