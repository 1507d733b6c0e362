import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'mail.discarded': { subject: 'instance' }
    'mail.retried': { subject: 'instance' }
  }
}
