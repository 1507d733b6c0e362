import { guests } from '#features/guests/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { mailsWords } from './words.ts'

export const mails = defineFeature({
  name: 'mails',
  uses: [users, instance, guests, notifications],
  tables: ['mail_state'],
  reads: ['email_failure', 'guest', 'notification', 'user_profile'],
  words: mailsWords,
})
