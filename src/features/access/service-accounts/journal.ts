import type { Changes, ListChange } from '#platform/journal/kinds.ts'

type Lists = {
  groups: readonly number[]
  scopes: readonly string[]
  allowed_networks: readonly string[]
  allowed_origins: readonly string[]
}

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'service_account.changed': {
      subject: 'service_account'
      changes: { [Name in keyof Lists]?: ListChange<Lists[Name][number]> } & Changes<{ name: string; expires_at: Date | null }>
    }
    'service_account.created': { subject: 'service_account'; changes: Lists & { expires_at: Date | null; key: string } }
    'service_account.deleted': { subject: 'service_account'; changes: { name: string } }
    'service_account.disabled': { subject: 'service_account' }
    'service_account.enabled': { subject: 'service_account' }
    'service_account.key_revoked': { subject: 'service_account'; changes: { key: string } }
    'service_account.key_rotated': { subject: 'service_account'; changes: { key: string; former_valid_until: Date } }
  }
}
