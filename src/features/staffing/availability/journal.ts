import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'user.availability_changed': { subject: 'user' }
  }
}
