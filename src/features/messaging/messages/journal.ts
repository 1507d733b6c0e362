import type { RecipientGroup } from './rules.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.message_sent': {
      subject: 'event'
      changes: { message_id: number; recipients: number; to: readonly RecipientGroup[]; shift_id: number | null }
    }
  }
}
