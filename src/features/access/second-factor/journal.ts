import type { Change } from '#platform/journal/kinds.ts'

type Policy = { administrators: boolean; groups: readonly number[]; grace_days: number; after_provider: boolean }
/** Passkeys have a name. */
type Factor = { subject: 'user'; changes: { factor: 'app' | 'passkey' }; personal?: { name: string } }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'second_factor.changed': { subject: 'instance'; changes: { policy: Change<Policy | undefined> } }
    'user.factor_added': Factor
    'user.factor_removed': Factor
    'user.factors_reset': { subject: 'user'; changes: { app: boolean; passkeys: number; by: string } }
    'user.passkey_renamed': { subject: 'user'; personal: { name: string } }
    'user.recovery_code_used': { subject: 'user'; changes: { left: number } }
    'user.recovery_codes_renewed': { subject: 'user' }
  }
}
