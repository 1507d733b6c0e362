import { users } from '#features/accounts/users/feature.ts'
import { redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOldMessages, redactMessagesBy } from './commands.ts'
import { messageTasks } from './jobs.ts'
import { eventMessage } from './kinds/event-message.ts'
import { messagePart } from './kinds/part.ts'
import { messagePages } from './pages.ts'
import { messagesPersonalData } from './personal-data.ts'
import { findOldMessages } from './queries.ts'
import { messagesWords } from './words.ts'

export const messages = defineFeature({
  name: 'messages',
  uses: [notificationKinds, users, staffing, events, notifications],
  tables: ['event_message'],
  reads: [
    'event',
    'event_group_grant',
    'event_user_grant',
    'guardianship',
    'guest',
    'notification',
    'participation',
    'shift',
    'user_group_member',
    'user_profile',
    'visitor',
  ],
  words: messagesWords,
  personalData: messagesPersonalData,
  pages: messagePages,
  tasks: messageTasks,
  adds: [
    eventPage.action.add(
      { href: (id) => `/events/${id}/message/`, task: 'day', label: 'find.message', icon: 'send', isFor: forPlanners },
      30,
    ),
    notificationKind.add(eventMessage, 130),
    messagePart,
    redacting('messages to others', (tx, { userId, pattern, replacement }) => redactMessagesBy(tx, userId, pattern, replacement)),
  ],
  retention: [
    {
      name: 'messages',
      setting: 'retention_messages_days',
      find: findOldMessages,
      remove: ({ db }, before) => deleteOldMessages(db, before),
    },
  ],
})
