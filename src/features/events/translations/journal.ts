declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.translated': { subject: 'event'; changes: { languages: readonly string[] } }
    'page.translated': { subject: 'page'; changes: { languages: readonly string[] } }
    'question.translated': { subject: 'question'; changes: { languages: readonly string[] } }
  }
}
