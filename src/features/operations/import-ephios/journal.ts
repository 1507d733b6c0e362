import '#platform/journal/kinds.ts'

/** What the log of the former system said. */
type ImportedEntry = { subject: string; changes: Record<string, unknown>; personal?: Record<string, unknown> }

declare module '#platform/journal/kinds.ts' {
  interface FormerJournalKinds {
    'imported.changed': ImportedEntry
    'imported.created': ImportedEntry
    'imported.deleted': ImportedEntry
  }
}
