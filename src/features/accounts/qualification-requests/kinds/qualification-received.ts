import { subjectUser } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'

const received =
  (what: 'granted' | 'extended') =>
  ({ changes }: { changes: StoredChanges<'user.qualification_changed'> }) =>
    changes.event_id === undefined
      ? undefined
      : { recipients: subjectUser, data: { what, qualification_id: changes.qualification_id } }

/** The person received a qualification for taking part in an event. */
export const qualificationReceived = defineKind({
  name: 'qualification_received',
  icon: 'award',
  role: 'participant',
  topic: 'account',
  mail: 'default',
  showsHiddenEvents: true,
  triggers: { 'user.qualification_granted': received('granted'), 'user.qualification_changed': received('extended') },
  isObsolete: ({ qualification }) => qualification === undefined,
  describe: ({ words, details, event }) => {
    const title = details.qualification?.title ?? '–'
    const what = details.data.what === 'extended' ? 'extended' : 'granted'
    return {
      subject: words.t(`notification.qualification_received.subject_${what}`, { title }),
      line: words.t(`notification.qualification_received.line_${what}`, { title, event }),
    }
  },
  link: () => ({ path: '/settings/qualifications/', label: (words) => words.t('notification.qualification_received.open') }),
})
