import type { Changes } from '#platform/journal/kinds.ts'
import type { WebhookValues } from './rules/webhooks.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'webhook.changed': { subject: 'webhook'; changes: Changes<Omit<WebhookValues, 'url'> & { host: string; active: boolean }> }
    'webhook.created': {
      subject: 'webhook'
      changes: Pick<WebhookValues, 'name' | 'kinds' | 'scopes' | 'include_record'> & { host: string }
    }
    'webhook.deleted': { subject: 'webhook'; changes: { name: string; host: string } }
    'webhook.paused': { subject: 'webhook' }
    'webhook.refused': { subject: 'webhook'; changes: { name: string; status: number | null; kind: string; record: number } }
    'webhook.resent': { subject: 'webhook'; changes: { delivery: number } }
    'webhook.resumed': { subject: 'webhook' }
    'webhook.secret_changed': { subject: 'webhook'; changes: { overlap_hours: number } }
    'webhook.switched_off': { subject: 'webhook'; changes: { name: string; reason: 'failing' | 'gone' } }
    'webhook.tested': { subject: 'webhook' }
  }
}
