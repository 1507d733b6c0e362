import type { ListChange } from '#platform/journal/kinds.ts'

type Instance = { name: string; url: string }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.shared': { subject: 'event'; changes: ListChange<number> }
    'federated_guest.created': { subject: 'federated_guest'; changes: Instance & { invite_code_id: number } }
    'federated_guest.deleted': { subject: 'federated_guest'; changes: Instance & { visitors: number; participations: number } }
    'federated_guest.visitors_expired': { subject: 'federated_guest'; changes: { count: number } }
    'federated_host.ended_by_partner': { subject: 'federated_host'; changes: Instance }
    'federated_host.joined': { subject: 'federated_host'; changes: Instance }
    'federated_host.left': { subject: 'federated_host'; changes: Instance & { host_was_told: boolean } }
    'federated_host.paused': { subject: 'federated_host'; changes: { name: string } }
    'federated_host.resumed': { subject: 'federated_host'; changes: { name: string } }
    'federated_host.statement_accepted': { subject: 'federated_host'; changes: { shift: number } }
    'federated_host.statement_denied': { subject: 'federated_host'; changes: { shift: number } }
    'invite_code.created': { subject: 'invite_code'; changes: { url: string } }
    'invite_code.withdrawn': { subject: 'invite_code'; changes: { url: string } }
    'user.allowed_partners': { subject: 'user' }
    'user.objected_to_partners': { subject: 'user' }
    'visitor.created': { subject: 'visitor'; changes: { federated_guest_id: number } }
  }
}
