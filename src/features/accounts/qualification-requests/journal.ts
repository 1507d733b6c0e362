import type { Change } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.qualification_changed': { subject: 'event'; changes: { qualification_id: Change<number | null> } }
    'event.qualification_granted': { subject: 'event'; changes: { qualification_id: number; users: readonly number[] } }
    'event.qualification_requested': { subject: 'event'; changes: { qualification_id: number; users: readonly number[] } }
    'request.proof_deleted': { subject: 'user'; changes: { request: number } }
  }
}
