import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'token.created': { subject: 'access_token'; changes: { scopes: readonly string[]; expires_at: Date } }
    'token.revoked': { subject: 'access_token' }
  }
}
