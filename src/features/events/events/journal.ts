import type { EventTypeInput } from './schema/event-types.ts'

type Titled = { subject: 'event_type'; changes: { title: string } }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event_type.created': Titled
    'event_type.changed': {
      subject: 'event_type'
      changes: Omit<EventTypeInput, 'version' | 'add_responsible'> & { before?: string | undefined }
    }
    'event_type.archived': Titled
    'event_type.restored': Titled
    'event_type.events_moved': { subject: 'event_type'; changes: { from: string; to: string; to_id: number; count: number } }
    'event_type.deleted': Titled
  }
}
