import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'session.ended': { subject: 'user'; changes: { count: number } }
    'user.invitation_created': { subject: 'user' }
    'user.invitation_revoked': { subject: 'user' }
    'user.password_changed': { subject: 'user'; changes: { by: string } }
    'user.many_welcomed': { subject: 'user'; changes: { users: readonly number[] } }
    'user.welcomed': { subject: 'user' }
  }
}
