import type { ApplicationForm } from './schema.ts'

type ApplicationChanges = Omit<ApplicationForm, 'client_type'> & { is_public: boolean }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'application.allowed': { subject: 'oauth_application'; changes: { scopes: readonly string[] } }
    'application.changed': { subject: 'oauth_application'; changes: ApplicationChanges }
    'application.created': { subject: 'oauth_application'; changes: ApplicationChanges }
    'application.deleted': { subject: 'oauth_application'; changes: { name: string } }
    'application.disabled': { subject: 'oauth_application'; changes: { grants: number } }
    'application.enabled': { subject: 'oauth_application' }
    'application.revoked': { subject: 'oauth_application'; changes: { grants: number } }
    'application.secret_changed': { subject: 'oauth_application' }
  }
}
