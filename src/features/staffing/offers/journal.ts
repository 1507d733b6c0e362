import type { Change } from '#platform/journal/kinds.ts'
import type { LineMode, PassedBy } from './rules/line.ts'

/** Ids of the people who are told. */
type Told = { users: readonly number[] }
type StandInStep = { subject: 'shift'; changes: { stand_in: number } & Told }
type SwapStep = { subject: 'shift'; changes: { swap: number } & Told }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'shift.line_changed': { subject: 'shift'; changes: { mode: Change<LineMode> } }
    'shift.line_joined': { subject: 'shift'; changes: { entry: number } }
    'shift.line_left': { subject: 'shift'; changes: { entry: number; was_offered: boolean } }
    'shift.line_removed': { subject: 'shift'; changes: { entry: number } & Told }
    'shift.line_returned': { subject: 'shift'; changes: { entry: number; undone: number } }
    'shift.offer_declined': { subject: 'shift'; changes: { entry: number } }
    'shift.offer_expired': { subject: 'shift'; changes: { entries: readonly number[] } & Told }
    'shift.place_offered': {
      subject: 'shift'
      changes: { entry: number; until: string; reason?: string; passed_over?: readonly PassedBy[] } & Told
    }
    'shift.stand_in_answered': { subject: 'shift'; changes: { stand_in: number; answer: 'no' } }
    'shift.stand_in_asked': StandInStep
    'shift.stand_in_cancelled': { subject: 'shift'; changes: { stand_in: number } }
    'shift.stand_in_done': StandInStep
    'shift.stand_in_ended': { subject: 'shift'; changes: { stand_in: number; state: 'cancelled' | 'expired' } & Told }
    'shift.stand_in_found': StandInStep
    'shift.stand_in_refused': StandInStep
    'shift.stand_in_undone': StandInStep
    'shift.swap_accepted': SwapStep
    'shift.swap_agreed': { subject: 'shift'; changes: { swap: number } }
    'shift.swap_declined': SwapStep
    'shift.swap_done': SwapStep
    'shift.swap_ended': SwapStep
    'shift.swap_proposed': SwapStep
    'shift.swap_refused': SwapStep
    'shift.swap_undone': SwapStep
    'shift.swap_withdrawn': SwapStep
  }
}
