import { listedUsers } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { offerAnswer } from '#features/staffing/waiting-list/queries/offered.ts'
import { swapTexts } from './swap-texts.ts'

/** Somebody would like to exchange shifts with the recipient. */
export const swapProposed = defineKind({
  name: 'swap_proposed',
  icon: 'repeat',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.swap_proposed': ({ changes }) => ({ recipients: listedUsers(changes.users), data: { swap_id: changes.swap } }),
  },
  answer: ({ swap }, keyring) => swap && offerAnswer(keyring, { kind: 'swap', ...swap }),
  isObsolete: ({ event, swap }, now) => !event?.isListed || !swap?.isOpen || swap.until <= now,
  describe: ({ words, details, event, now }) => {
    const texts = swapTexts(words, details.swap, now)
    const message = details.swap?.message
    return {
      subject: words.t('notification.swap_proposed.subject', { event }),
      line: message
        ? words.t('notification.swap_proposed.line_message', { ...texts, message })
        : words.t('notification.swap_proposed.line', texts),
    }
  },
})
