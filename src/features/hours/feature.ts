import { checkIn } from '#features/check-in/feature.ts'
import { events } from '#features/events/feature.ts'
import { families } from '#features/families/feature.ts'
import { finding } from '#features/finding/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { hoursPersonalData } from './personal-data.ts'
import { hoursWords } from './words.ts'

export const hours = defineFeature({
  name: 'hours',
  uses: [users, instance, events, checkIn, finding, requests, families],
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
