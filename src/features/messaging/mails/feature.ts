import { users } from '#features/accounts/users/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { guests } from '#features/sharing/guests/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { mailsWords } from './words.ts'

export const mails = defineFeature({
  name: 'mails',
  uses: [users, settings, guests, notifications],
  tables: ['mail_state'],
  reads: ['email_failure', 'guest', 'notification', 'user_profile'],
  words: mailsWords,
})
