import { listedUsers } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

import { offerAnswer } from '#features/staffing/waiting-list/queries/offered.ts'

/** Somebody looks for a person who takes their place. */
export const standInWanted = defineKind({
  name: 'stand_in_wanted',
  icon: 'users',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.stand_in_asked': ({ changes }) => ({
      recipients: listedUsers(changes.users),
      data: { stand_in_id: changes.stand_in },
    }),
  },
  answer: ({ standIn }, keyring) => (standIn?.asked ? offerAnswer(keyring, { kind: 'stand_in', ...standIn.asked }) : undefined),
  isObsolete: ({ event, standIn, shift }, now) => !event?.isListed || !standIn?.asked?.isOpen || !shift || shift.start <= now,
  describe: ({ words, details, event, shift, actor }) => {
    const name = details.standIn?.seeker ?? actor
    const message = details.standIn?.message
    return {
      subject: words.t('notification.stand_in_wanted.subject', { event }),
      line: message
        ? words.t('notification.stand_in_wanted.line_message', { name, shift, message })
        : words.t('notification.stand_in_wanted.line', { name, shift }),
    }
  },
})
