import { subjectUser } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { StoredChanges } from '#platform/journal/kinds.ts'
import { whatOf } from './request-created.ts'

const decided =
  (outcome: 'granted' | 'refused') =>
  ({ changes }: { changes: StoredChanges<'request.granted'> }) => ({
    recipients: subjectUser,
    data: { outcome, request_id: changes.request, what: changes.what },
  })

/** The person's request was approved or refused by another person. */
export const requestDecided = defineKind({
  name: 'request_decided',
  icon: 'clock',
  role: 'participant',
  topic: 'account',
  mail: 'default',
  importedName: 'ephios_consequence_approved',
  hasNoEvent: true,
  triggers: { 'request.granted': decided('granted'), 'request.refused': decided('refused') },
  isObsolete: ({ data, request }) => request?.state !== data.outcome,
  describe: ({ words, details, actor: name }) => {
    const outcome = details.data.outcome === 'granted' ? 'granted' : 'refused'
    const what = whatOf(details.data.what)
    return {
      subject: words.t(`notification.request_decided.subject_${outcome}`),
      line: words.t(`notification.request_decided.line_${what}_${outcome}`, { name }),
    }
  },
  link: ({ data }) =>
    data.what === 'profile'
      ? { path: '/settings/profile/', label: (words) => words.t('notification.request_decided.open_profile') }
      : data.what === 'joining'
        ? { path: '/', label: (words) => words.t('notification.request_decided.open_home') }
        : data.what === 'qualification'
          ? { path: '/settings/qualifications/', label: (words) => words.t('notification.request_decided.open_qualifications') }
          : { path: '/my-shifts/', label: (words) => words.t('notification.request_decided.open') },
})
