import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'participation.kept': { subject: 'participation' }
  }
}
