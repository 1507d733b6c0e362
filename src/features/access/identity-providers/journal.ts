import type { Change, Changes } from '#platform/journal/kinds.ts'
import type { ProviderForm } from './schema.ts'

type Fields = Record<Exclude<keyof ProviderForm, 'version' | 'client_secret'> | 'groups' | 'qualification_uuids', unknown>
type Mapping = { claim_value?: string; group_id: number }
type Powers = { permissions: readonly string[]; publish_for: readonly number[]; decide_hours_for: readonly number[] }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    /** Never the secret. */
    'identity_provider.changed': { subject: 'identity_provider'; changes: Changes<Fields> & { client_secret?: 'changed' } }
    'identity_provider.completed': { subject: 'identity_provider'; changes: { issuer: Change<null, string> } }
    'identity_provider.created': {
      subject: 'identity_provider'
      changes: { label: string; issuer: string; groups: readonly number[] }
    }
    'identity_provider.deleted': {
      subject: 'identity_provider'
      changes: { label: Change<string, null>; issuer: Change<string | null, null>; count: number }
    }
    'identity_provider.disabled': { subject: 'identity_provider' }
    'identity_provider.enabled': { subject: 'identity_provider' }
    'identity_provider.group_confirmed': { subject: 'identity_provider'; changes: Mapping & Powers }
    'identity_provider.group_mapped': { subject: 'identity_provider'; changes: Mapping & Powers }
    'identity_provider.group_unmapped': { subject: 'identity_provider'; changes: Mapping }
    'identity_provider.group_withheld': { subject: 'identity_provider'; changes: Mapping }
    'identity_provider.names_ended': { subject: 'identity_provider' }
    'identity_provider.problem': { subject: 'identity_provider'; changes: { reason: string } }
    'user.identity_linked': { subject: 'user'; changes: { identity_provider_id: number; label: string; is_new?: true } }
    'user.identity_unlinked': { subject: 'user'; changes: { identity_provider_id: number; label: string } }
  }
}
