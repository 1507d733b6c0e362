import { people } from '#features/accounts/people/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { qualificationRequestsPersonalData } from './personal-data.ts'
import { qualificationRequestsWords } from './words.ts'

export const qualificationRequests = defineFeature({
  name: 'qualification-requests',
  uses: [users, people, events, checkIn, requests],
  tables: ['qualification_proof', 'event_qualification'],
  reads: [
    'decision_request',
    'event',
    'participation',
    'qualification',
    'qualification_grant',
    'shift',
    'stored_file',
    'user_group_member',
    'user_profile',
  ],
  words: qualificationRequestsWords,
  personalData: qualificationRequestsPersonalData,
})
