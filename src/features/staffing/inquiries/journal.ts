import type { EndReason } from './rules/waves.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'shift.answered': { subject: 'shift'; changes: { answer: 'can' | 'cannot' | 'too_late' }; personal?: { reason: string } }
    /** `until`: when sign-up closes; older entries have none. */
    'shift.asked': { subject: 'shift'; changes: { inquiry: number; wave: number; users: readonly number[]; until?: string } }
    'shift.asking_ended': { subject: 'shift'; changes: { inquiry: number; reason: EndReason } }
    'shift.asking_stopped': { subject: 'shift'; changes: { inquiry: number; reason: EndReason } }
  }
}
