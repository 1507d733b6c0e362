import type { Change } from '#platform/journal/kinds.ts'
import type { PassedBy, WaitingListMode } from './rules/waiting-list.ts'

/** Ids of the people who are notified. */
type Notified = { users: readonly number[] }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'shift.line_changed': { subject: 'shift'; changes: { mode: Change<WaitingListMode> } }
    'shift.line_joined': { subject: 'shift'; changes: { entry: number } }
    'shift.line_left': { subject: 'shift'; changes: { entry: number; was_offered: boolean } }
    'shift.line_removed': { subject: 'shift'; changes: { entry: number } & Notified }
    'shift.line_returned': { subject: 'shift'; changes: { entry: number; undone: number } }
    'shift.offer_declined': { subject: 'shift'; changes: { entry: number } }
    'shift.offer_expired': { subject: 'shift'; changes: { entries: readonly number[] } & Notified }
    'shift.place_offered': {
      subject: 'shift'
      changes: { entry: number; until: string; reason?: string; passed_over?: readonly PassedBy[] } & Notified
    }
  }
}
