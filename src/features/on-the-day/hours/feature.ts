import { families } from '#features/accounts/families/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { hoursPersonalData } from './personal-data.ts'
import { hoursWords } from './words.ts'

export const hours = defineFeature({
  name: 'hours',
  uses: [users, settings, events, checkIn, browse, requests, families],
  tables: ['working_hours'],
  reads: [
    'decision_request',
    'event',
    'event_type',
    'group_grant',
    'participation',
    'shift',
    'user_group_member',
    'user_profile',
  ],
  words: hoursWords,
  personalData: hoursPersonalData,
})
