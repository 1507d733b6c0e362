import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { messagesPersonalData } from './personal-data.ts'
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
})
