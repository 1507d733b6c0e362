import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'participation.companion_named': { subject: 'participation' }
  }
}
