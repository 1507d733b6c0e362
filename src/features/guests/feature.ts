import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { guestsPersonalData } from './personal-data.ts'
import { guestsWords } from './words.ts'

export const guests = defineFeature({
  name: 'guests',
  uses: [users, instance, staffing, events, eligibility, participations],
  tables: ['guest_share', 'guest', 'guest_qualification'],
  reads: ['event', 'event_type', 'participation', 'qualification', 'qualification_category', 'shift'],
  words: guestsWords,
  personalData: guestsPersonalData,
})
