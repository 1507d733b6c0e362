import type { EventSnapshot } from '#features/events/events/rules/event-fields.ts'
import type { Change, Changes } from '#platform/journal/kinds.ts'
import type { ShiftSnapshot, ValueChanges } from './rules/changes.ts'

type Cancellation = { cancelled_at: string | null; cancellation_reason: string | null }
type Gone = Change<readonly number[], readonly []>
/** Who was on a removed shift. */
type Listed = { confirmed_user_ids: Gone; requested_user_ids: Gone; guest_ids?: Gone; visitor_ids?: Gone }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.cancelled': { subject: 'event'; changes: Changes<Cancellation> }
    'event.changed': { subject: 'event'; changes: ValueChanges<EventSnapshot> }
    'event.created': { subject: 'event'; changes: ValueChanges<EventSnapshot> }
    'event.deleted': { subject: 'event'; changes: { deleted_at: Change<string | null>; title: Change<string> } }
    'event.published': { subject: 'event'; changes: { active: Change<boolean> } }
    'event.removed': { subject: 'event' }
    'event.reopened': { subject: 'event'; changes: Changes<Cancellation> }
    'event.restored': { subject: 'event'; changes: { deleted_at: Change<string | null> } }
    'shift.changed': { subject: 'shift'; changes: ValueChanges<ShiftSnapshot> }
    'shift.cancelled': {
      subject: 'shift'
      changes: Changes<Pick<ShiftSnapshot, 'label' | 'start_time' | 'end_time'>> & {
        cancellation_reason: Change<null, string>
      } & Listed
    }
    'shift.created': { subject: 'shift'; changes: ValueChanges<ShiftSnapshot> }
    'shift.deleted': { subject: 'shift'; changes: ValueChanges<ShiftSnapshot> & Listed }
    'shift.reopened': { subject: 'shift'; changes: { cancellation_reason: Change<string, null> } }
    'shift.restored': { subject: 'shift' }
  }
}
