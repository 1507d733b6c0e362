import '#platform/journal/kinds.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.guest_link_activated': { subject: 'event' }
    'event.guest_link_deactivated': { subject: 'event' }
    'event.guest_link_renewed': { subject: 'event' }
    'event.guests_expired': { subject: 'event'; changes: { count: number } }
    'guest.address_proved': { subject: 'guest' }
    'guest.changed': { subject: 'guest' }
    'guest.left': { subject: 'guest' }
    'guest.link_sent': { subject: 'guest' }
    'guest.mail_failed': { subject: 'guest' }
    'guest.qualification_confirmed': { subject: 'guest'; changes: { qualification_id: number } }
    'guest.qualification_rejected': { subject: 'guest'; changes: { qualification_id: number } }
    'guest.qualification_reopened': { subject: 'guest'; changes: { qualification_id: number } }
    'guest.registered': { subject: 'guest' }
    'guest.registered_again': { subject: 'guest' }
    'guest.removed': { subject: 'guest' }
  }
}
