import { signIn } from '#features/access/sign-in/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { channels } from '#features/messaging/channels/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { push } from '#features/messaging/push/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { shortages } from '#features/staffing/shortages/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, layout } from '#platform/features/layout.ts'
import { ownNotificationWrites } from './api/own.ts'
import { notificationsApi } from './api/reads.ts'
import { bellPart } from './layout.ts'
import { inboxPages } from './pages/inbox.ts'
import { mailSettingsPages } from './pages/mail-settings.ts'
import { inboxWords } from './words.ts'

export const inbox = defineFeature({
  name: 'inbox',
  uses: [notificationKinds, users, settings, signIn, push, channels, events, participations, notifications, shortages],
  reads: ['event', 'notification', 'notification_delivery', 'user_profile'],
  words: inboxWords,
  pages: [...inboxPages, ...mailSettingsPages],
  endpoints: (_all, added) => [...notificationsApi, ...ownNotificationWrites(added)],
  adds: [
    layout.ownPart.add(bellPart),
    accountPages.add({ href: '/settings/notifications/', label: 'settings.notifications', icon: 'bell' }, 60),
  ],
})
