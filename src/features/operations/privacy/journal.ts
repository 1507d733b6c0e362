import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'user.data_downloaded': { subject: 'user' }
    'user.erasure_agreed': { subject: 'user' }
    'user.erasure_refused': { subject: 'user' }
    'user.erasure_requested': { subject: 'user'; changes: { due_at: string } }
    'user.erasure_withdrawn': { subject: 'user' }
    'user.merged': { subject: 'user'; changes: { merged_id: number }; personal: { former_name: string; former_email: string } }
  }
}
