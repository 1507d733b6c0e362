import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'user.import_undone': { subject: 'user'; changes: { removed: number; restored: number; kept: number } }
    'user.imported': { subject: 'user'; changes: { created: number; changed: number; skipped: number } }
  }
}
