import { listedUsers, subjectUser } from '#features/accounts/users/queries/notified.ts'
import { defineKind, type Trigger } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'

/** Fields that the text names; others are summed up. */
const FIELDS = [
  'display_name',
  'email',
  'date_of_birth',
  'phone',
  'preferred_language',
  'groups',
  'is_staff',
  'is_visible',
] as const

/** An approved request and an event that grants a qualification have kinds of their own. */
const qualification =
  (what: 'granted' | 'changed' | 'withdrawn') =>
  ({ changes }: { changes: StoredChanges<'user.qualification_changed'> }): Trigger | undefined =>
    changes.request === undefined && changes.event_id === undefined ? { recipients: subjectUser, data: { what } } : undefined

const ofMany =
  (what: 'granted' | 'withdrawn') =>
  ({ changes }: { changes: { users: readonly number[] } }): Trigger => ({
    recipients: listedUsers(changes.users),
    data: { what },
  })

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Somebody else changed the profile or the qualifications of a user. */
export const profileChanged = defineKind({
  name: 'profile_changed',
  icon: 'user',
  role: 'participant',
  topic: 'account',
  mail: 'default',
  hasNoEvent: true,
  importedName: 'ephios_profile_update',
  triggers: {
    'user.changed': ({ changes, personal }) => ({
      recipients: subjectUser,
      // Names of fields only: the values may be personal and stay in the journal, where they can be erased.
      data: { what: 'profile', fields: [...changedFields(changes), ...changedFields(personal)] },
    }),
    'user.qualification_granted': qualification('granted'),
    'user.qualification_changed': qualification('changed'),
    'user.qualification_withdrawn': qualification('withdrawn'),
    'user.many_qualified': ofMany('granted'),
    'user.many_disqualified': ofMany('withdrawn'),
  },
  isObsolete: () => false,
  describe: ({ words, details }) => {
    const { what, fields } = details.data
    if (what === 'granted' || what === 'changed' || what === 'withdrawn')
      return {
        subject: words.t('notification.profile_changed.subject_qualification'),
        line: words.t(`notification.profile_changed.line_${what}`),
      }
    const named = FIELDS.filter((field) => listOf(fields).includes(field)).map((field) =>
      words.t(`notification.profile_changed.field_${field}`),
    )
    const subject = words.t('notification.profile_changed.subject')
    if (!named.length) return { subject, line: words.t('notification.profile_changed.line_other') }
    return {
      subject,
      line: words.t('notification.profile_changed.line', { fields: words.list(named) }),
    }
  },
  link: () => ({ path: '/settings/profile/', label: (words) => words.t('notification.profile_changed.open') }),
  namesActor: true,
})

const changedFields = (changes: object): string[] =>
  Object.entries(changes).flatMap(([field, change]) => (field === 'groups' || Array.isArray(change) ? [field] : []))
