import { signIn } from '#features/access/sign-in/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { push } from '#features/messaging/push/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountLink, layout } from '#platform/features/layout.ts'
import { ownNotificationWrites } from './api/own.ts'
import { notificationsApi } from './api/reads.ts'
import { bellPart } from './layout.ts'
import { inboxPages } from './pages/inbox.ts'
import { mailSettingsPages } from './pages/mail-settings.ts'
import { inboxWords } from './words.ts'

export const inbox = defineFeature({
  name: 'inbox',
  uses: [users, settings, signIn, push, events, notifications],
  reads: ['event', 'notification', 'user_profile'],
  words: inboxWords,
  pages: [...inboxPages, ...mailSettingsPages],
  endpoints: [...notificationsApi, ...ownNotificationWrites],
  adds: [
    layout.ownPart.add(bellPart),
    layout.ownPart.add(accountLink('/settings/notifications/', 'settings.notifications', 'bell'), 60),
  ],
})
