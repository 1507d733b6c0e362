import type { Change } from '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'user.email_change_requested': { subject: 'user'; personal: { email: Change<string> } }
    'user.email_change_stopped': { subject: 'user' }
    'user.email_change_withdrawn': { subject: 'user' }
    'user.picture_changed': { subject: 'user' }
    'user.picture_removed': { subject: 'user' }
  }
}
