import type { EndReason } from './rules/waves.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'shift.answered': { subject: 'shift'; changes: { answer: 'can' | 'cannot' | 'too_late' }; personal?: { reason: string } }
    'shift.asked': { subject: 'shift'; changes: { inquiry: number; wave: number; users: readonly number[] } }
    'shift.asking_ended': { subject: 'shift'; changes: { inquiry: number; reason: EndReason } }
    'shift.asking_stopped': { subject: 'shift'; changes: { inquiry: number; reason: EndReason } }
  }
}
