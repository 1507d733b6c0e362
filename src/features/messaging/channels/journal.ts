import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'channel.linked': { subject: 'user' }
    'channel.unlinked': { subject: 'user' }
  }
}
