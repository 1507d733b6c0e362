import { users } from '#features/accounts/users/feature.ts'
import { redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOldMessages, redactMessagesBy } from './commands.ts'
import { messagePages } from './pages.ts'
import { messagesPersonalData } from './personal-data.ts'
import { findOldMessages } from './queries.ts'
import { messagesWords } from './words.ts'

export const messages = defineFeature({
  name: 'messages',
  uses: [users, staffing, events, notifications],
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
  adds: [
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
