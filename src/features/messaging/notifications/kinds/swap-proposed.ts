import { swapTexts } from './description.ts'
import { defineKind } from './kind.ts'
import { listedUsers } from './recipients.ts'

/** Somebody would like to exchange shifts with the recipient. */
export const swapProposed = defineKind({
  name: 'swap_proposed',
  icon: 'repeat',
  role: 'participant',
  mail: 'default',
  triggers: {
    'shift.swap_proposed': ({ changes }) => ({ recipients: listedUsers(changes.users), data: { swap_id: changes.swap } }),
  },
  isObsolete: ({ event, offer }, now) => !event?.isListed || !offer?.isOpen || (offer.until !== null && offer.until <= now),
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
