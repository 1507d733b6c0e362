import type { Change, ListChange } from '#platform/journal/kinds.ts'

/** `request`: the request that was approved. `event_id`: the event that grants it to its participants. */
type Grant = { qualification_id: number; expires_at: Change<Date | null>; request?: number; event_id?: number }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'group.changed': {
      subject: 'group'
      changes: {
        name?: Change<string>
        permissions?: ListChange<string>
        publish_for?: ListChange<number>
        decide_hours_for?: ListChange<number>
      }
    }
    'group.deleted': { subject: 'group'; changes: { name: string; members: number; permissions: readonly string[] } }
    'user.many_disqualified': { subject: 'user'; changes: { qualification_id: number; users: readonly number[] } }
    'user.many_qualified': {
      subject: 'user'
      changes: { qualification_id: number; expires_at: Date | null; users: readonly number[] }
    }
    'user.qualification_changed': { subject: 'user'; changes: Grant }
    'user.qualification_granted': { subject: 'user'; changes: Grant }
    'user.qualification_withdrawn': { subject: 'user'; changes: Grant }
  }
}
