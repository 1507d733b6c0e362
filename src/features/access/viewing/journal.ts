import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'user.viewed_as': { subject: 'user' }
  }
}
