import { defineKind } from './kind.ts'
import { webhookOwner } from './recipients.ts'

const REASONS = ['gone', 'failing'] as const

/** A webhook was switched off because its receiver does not take messages. */
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
  },
  isObsolete: () => false,
  describe: ({ words, details }) => {
    const name = String(details.data.name ?? '–')
    const reason = REASONS.find((each) => each === details.data.reason) ?? 'failing'
    return {
      subject: words.t('notification.webhook_off.subject', { name }),
      line: words.t(`notification.webhook_off.line_${reason}`, { name }),
    }
  },
  link: () => ({ path: '/settings/webhooks/', label: (words) => words.t('notification.webhook_off.open') }),
})
