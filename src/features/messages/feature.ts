import { events } from '#features/events/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
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
