import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'group.join_link_created': {
      subject: 'group'
      changes: { join_link_id: number; needs_approval: boolean; max_uses: number; days: number }
    }
    'group.join_link_revoked': { subject: 'group'; changes: { join_link_id: number } }
  }
}
