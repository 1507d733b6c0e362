import { defineFeature } from '#platform/features/feature.ts'

/** What a notification is, for the features that declare kinds. `notifications` creates and delivers them. */
export const notificationKinds = defineFeature({
  name: 'notification-kinds',
  uses: [],
  readsAbove: { notification: 'kinds that are due by time leave out who was notified already' },
})
