import { users } from '#features/accounts/users/feature.ts'
import { erasing, redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { channels } from '#features/messaging/channels/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { push } from '#features/messaging/push/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { guests } from '#features/sharing/guests/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOldNotifications } from './commands/delivery.ts'
import { deleteNotificationsOf, redactNotifications } from './commands/notifications.ts'
import { mailGauges, notificationReader, notificationTasks } from './jobs/tasks.ts'
import { notificationsPersonalData } from './personal-data.ts'
import { findOldNotifications } from './queries/outbox.ts'
import { notificationsWords } from './words.ts'

export const notifications = defineFeature({
  name: 'notifications',
  uses: [notificationKinds, users, settings, push, channels, events, participations, guests],
  tables: ['notification', 'notification_delivery'],
  impersonalTables: { notification_delivery: 'what became of a notification by a channel, deleted with it' },
  reads: [
    'channel_link',
    'event',
    'event_group_grant',
    'event_user_grant',
    'guardianship',
    'guest',
    'journal',
    'participation',
    'participation_comment',
    'place_basis',
    'push_device',
    'shift',
    'user_group_member',
    'user_profile',
    'visitor',
  ],
  words: notificationsWords,
  personalData: notificationsPersonalData,
  tasks: (runtime) =>
    notificationTasks({ ...runtime, outbound: runtime.outbound(), defaultLanguage: runtime.config.defaultLanguage }),
  readers: (runtime) => [notificationReader(runtime)],
  gauges: mailGauges,
  adds: [
    erasing('notifications', deleteNotificationsOf),
    redacting('notifications of others', (tx, { pattern, replacement }) => redactNotifications(tx, pattern, replacement)),
  ],
  retention: [
    {
      name: 'notifications',
      setting: 'retention_notifications_days',
      find: findOldNotifications,
      remove: ({ db }, before) => deleteOldNotifications(db, before),
    },
  ],
})
