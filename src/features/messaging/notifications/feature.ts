import { users } from '#features/accounts/users/feature.ts'
import { erasing, redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { push } from '#features/messaging/push/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { guests } from '#features/sharing/guests/feature.ts'
import { inquiries } from '#features/staffing/inquiries/feature.ts'
import { offers } from '#features/staffing/offers/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { shortages } from '#features/staffing/shortages/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOldNotifications } from './commands/delivery.ts'
import { deleteNotificationsOf, redactNotifications } from './commands/notifications.ts'
import { mailGauges, notificationReader, notificationTasks } from './jobs/tasks.ts'
import { notificationsPersonalData } from './personal-data.ts'
import { findOldNotifications } from './queries/outbox.ts'
import { notificationsWords } from './words.ts'

export const notifications = defineFeature({
  name: 'notifications',
  uses: [users, settings, push, staffing, events, participations, offers, guests, inquiries, shortages],
  tables: ['notification'],
  reads: [
    'decision_request',
    'event',
    'event_group_grant',
    'event_user_grant',
    'group_grant',
    'group_permission',
    'guardianship',
    'guest',
    'inquiry',
    'inquiry_person',
    'journal',
    'participation',
    'participation_comment',
    'place_basis',
    'push_device',
    'qualification',
    'qualification_grant',
    'shift',
    'stand_in',
    'stand_in_person',
    'swap',
    'user_group_member',
    'user_permission',
    'user_profile',
    'visitor',
    'waiting_entry',
  ],
  readsAbove: {
    event_message: 'the notification of a message shows its subject and text',
    webhook: 'the owner of a webhook is notified',
  },
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
