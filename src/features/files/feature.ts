import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { filesPersonalData } from './personal-data.ts'
import { filesWords } from './words.ts'

export const files = defineFeature({
  name: 'files',
  uses: [users, events, eligibility, participations],
  tables: ['attachment', 'event_attachment'],
  reads: ['event', 'user_profile'],
  words: filesWords,
  personalData: filesPersonalData,
})
