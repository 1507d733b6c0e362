/** Ids of the people who are notified. */
type Notified = { users: readonly number[] }
type StandInStep = { subject: 'shift'; changes: { stand_in: number } & Notified }
type SwapStep = { subject: 'shift'; changes: { swap: number } & Notified }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'shift.stand_in_answered': { subject: 'shift'; changes: { stand_in: number; answer: 'no' } }
    'shift.stand_in_asked': StandInStep
    'shift.stand_in_cancelled': { subject: 'shift'; changes: { stand_in: number } }
    'shift.stand_in_done': StandInStep
    'shift.stand_in_ended': { subject: 'shift'; changes: { stand_in: number; state: 'cancelled' | 'expired' } & Notified }
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
