import { events } from '#features/events/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { push } from '#features/push/feature.ts'
import { signIn } from '#features/sign-in/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { inboxWords } from './words.ts'

export const inbox = defineFeature({
  name: 'inbox',
  uses: [users, instance, signIn, push, events, notifications],
  reads: ['event', 'notification', 'user_profile'],
  words: inboxWords,
})
