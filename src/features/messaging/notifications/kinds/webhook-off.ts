import { defineKind } from './kind.ts'
import { webhookOwner } from './recipients.ts'

const REASONS = ['gone', 'failing'] as const

/** A receiver does not take messages: the webhook was switched off, or a change was passed over. */
export const webhookOff = defineKind({
  name: 'webhook_off',
  icon: 'webhook',
  role: 'participant',
  mail: 'default',
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
