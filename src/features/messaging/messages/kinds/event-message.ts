import { defineKind } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** A responsible wrote to people of an event; `sendMessage` chooses the recipients. */
export const eventMessage = defineKind({
  name: 'event_message',
  icon: 'mail',
  role: 'participant',
  topic: 'news',
  mail: 'always',
  explainMail: (words) => words.t('notification.event_message.explanation'),
  importedName: 'ephios_custom_event_notification',
  isObsolete: () => false,
  describe: ({ details, event }) => {
    const subject = details.message?.subject ?? event
    return { subject, line: subject }
  },
  showsHiddenEvents: true,
})
