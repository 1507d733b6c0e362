import { listedUsers } from '#features/accounts/users/queries/notified.ts'
import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

import { offerAnswer } from '../queries/offered.ts'

/** A place is offered to somebody on the waiting list, for some time. */
export const placeOffered = defineKind({
  name: 'place_offered',
  icon: 'hand-helping',
  role: 'participant',
  topic: 'asked',
  mail: 'default',
  triggers: {
    'shift.place_offered': ({ changes }) => ({
      recipients: listedUsers(changes.users),
      data: { waiting_entry_id: changes.entry, latest: changes.until },
    }),
  },
  answer: ({ offer }, keyring) => offer && offerAnswer(keyring, { kind: 'waiting_list', ...offer }),
  isObsolete: ({ event, offer }, now) => !event?.isListed || !offer?.isOpen || offer.until === null || offer.until <= now,
  describe: ({ words, details, event, shift }) => ({
    subject: words.t('notification.place_offered.subject', { event }),
    line: details.offer?.until
      ? words.t('notification.place_offered.line', { shift, until: words.dateTime(details.offer.until) })
      : words.t('notification.place_offered.line_over', { shift }),
  }),
})
