import { sql } from 'kysely'
import { defineKind, type RecipientQuery } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** The owner of the webhook that the entry is about; service accounts read no notifications. */
const webhookOwner: RecipientQuery = ({ subjectId }) => sql`
  select u.id as user_id, null::bigint as guest_id, null::bigint as visitor_id, null::bigint as participation_id
  from webhook w join user_profile u on u.id = w.owner_id where w.id = ${subjectId} and not u.is_service_account`

const REASONS = ['gone', 'failing'] as const

/** A receiver does not take messages: the webhook was switched off, or a change was passed over. */
export const webhookOff = defineKind({
  name: 'webhook_off',
  icon: 'webhook',
  role: 'participant',
  topic: 'account',
  mail: 'default',
  concerns: (userId) => sql<boolean>`exists (select from webhook w where w.owner_id = ${userId})`,
  hasNoEvent: true,
  triggers: {
    'webhook.switched_off': ({ changes }) => ({
      recipients: webhookOwner,
      data: { name: changes.name, reason: changes.reason },
    }),
    'webhook.refused': ({ changes }) => ({
      recipients: webhookOwner,
      data: { name: changes.name, status: changes.status },
    }),
  },
  isObsolete: () => false,
  describe: ({ words, details }) => {
    const name = String(details.data.name ?? '–')
    const { status } = details.data
    if (typeof status === 'number')
      return {
        subject: words.t('notification.webhook_off.subject_refused', { name }),
        line: words.t('notification.webhook_off.line_refused', { name, status: String(status) }),
      }
    const reason = REASONS.find((each) => each === details.data.reason) ?? 'failing'
    return {
      subject: words.t('notification.webhook_off.subject', { name }),
      line: words.t(`notification.webhook_off.line_${reason}`, { name }),
    }
  },
  link: () => ({ path: '/settings/webhooks/', label: (words) => words.t('notification.webhook_off.open') }),
})
