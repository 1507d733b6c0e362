import type { Change, Changes, ListChange } from '#platform/journal/kinds.ts'

type Person = {
  display_name: string
  email: string
  username: string | null
  contact_email: string | null
  date_of_birth: string | null
  phone: string | null
}
type Settings = { preferred_language: string | null; is_staff: boolean; is_visible: boolean }
type Lists = { groups?: ListChange<number>; qualifications?: ListChange<number> }
type OwnDetails = { display_name: string; phone: string | null; emergency_name: string | null; emergency_phone: string | null }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'administrator.created': {
      subject: 'user'
      changes: { by: 'command_line' | 'first_administrator_link'; group_id: number }
      personal: { display_name: string; email: string }
    }
    'group.created': {
      subject: 'group'
      changes: {
        name: string
        bundles?: readonly string[]
        publish_for?: readonly number[]
        decide_hours_for?: readonly number[]
      }
    }
    'group.members_changed': { subject: 'group'; changes: { members: ListChange<number> } }
    'guardianship.calendar_changed': { subject: 'user'; changes: { in_calendar: boolean } }
    'guardianship.created': { subject: 'user'; changes: { guardian_id: number } }
    /** The subject is the child. `is_last`: it has no guardian any more. */
    'guardianship.ended': {
      subject: 'user'
      changes: { guardian_id: number } & (
        | { cause: 'guardian' | 'management' }
        | { cause: 'age'; child_id: number; is_last: boolean }
      )
    }
    'user.birth_dates_expired': { subject: 'user'; changes: { count: number } }
    'user.calendar_address_made': { subject: 'user' }
    'user.calendar_address_reset': { subject: 'user' }
    'user.changed': {
      subject: 'user'
      changes: Changes<Settings> & Lists
      personal: Changes<Record<keyof Person, string | null>>
    }
    'user.created': {
      subject: 'user'
      changes: Partial<Settings> & {
        by?: 'guardian'
        groups?: readonly number[]
        qualifications?: ListChange<number>
        identity_provider_id?: number
      }
      personal: Partial<Person> & { display_name: string }
    }
    'user.deactivated': { subject: 'user' }
    'user.deleted': { subject: 'user' }
    'user.email_confirmed': { subject: 'user'; personal: { email: Change<string> } }
    'user.email_failed': { subject: 'user'; personal: { email_failure: Change<null, string> } }
    'user.email_reverted': { subject: 'user'; personal: { email: Change<string> } }
    'user.email_works': { subject: 'user' }
    'user.many_deactivated': { subject: 'user'; changes: { users: readonly number[] } }
    'user.many_reactivated': { subject: 'user'; changes: { users: readonly number[] } }
    'user.language_changed': { subject: 'user'; changes: { preferred_language: Change<string> } }
    'user.notifications_chosen': {
      subject: 'user'
      changes: { disabled: Change; enabled: Change; reminder_hours?: Change<number | null>; quiet_hours?: Change<string | null> }
    }
    'user.own_details_changed': { subject: 'user'; changes: Changes<{ shows_phone: boolean }>; personal: Changes<OwnDetails> }
    'user.proposal_applied': { subject: 'user'; personal: Changes<Pick<Person, 'display_name' | 'date_of_birth'>> }
    'user.reactivated': { subject: 'user' }
    'user.registered': {
      subject: 'user'
      changes: { is_pending: boolean; join_link_id?: number }
      personal: { display_name: string; email: string; date_of_birth: string }
    }
    'user.registration_deleted': { subject: 'user' }
    'user.reset_sent': { subject: 'user' }
    'user.revoked': { subject: 'user' }
    'user.updated_by_provider': {
      subject: 'user'
      changes: { identity_provider_id: number } & Lists
      personal: Changes<Pick<Person, 'display_name' | 'phone' | 'date_of_birth'>>
    }
  }
}
