import type { ApplicationForm } from './schema.ts'

type ApplicationChanges = Omit<ApplicationForm, 'client_type'> & { is_public: boolean }
/** Of an application that is part of the instance. */
type ProgramChanges = Pick<ApplicationForm, 'name' | 'allowed_scopes'>

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'application.allowed': { subject: 'oauth_application'; changes: { scopes: readonly string[] } }
    'application.changed': { subject: 'oauth_application'; changes: ApplicationChanges | ProgramChanges }
    'application.created': { subject: 'oauth_application'; changes: ApplicationChanges | ProgramChanges }
    'application.deleted': { subject: 'oauth_application'; changes: { name: string } }
    'application.disabled': { subject: 'oauth_application'; changes: { grants: number } }
    'application.enabled': { subject: 'oauth_application' }
    'application.revoked': { subject: 'oauth_application'; changes: { grants: number } }
    'application.secret_changed': { subject: 'oauth_application' }
  }
}
