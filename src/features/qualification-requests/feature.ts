import { checkIn } from '#features/check-in/feature.ts'
import { events } from '#features/events/feature.ts'
import { people } from '#features/people/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { users } from '#features/users/feature.ts'
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
