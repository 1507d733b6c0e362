import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { guestsPersonalData } from './personal-data.ts'
import { guestsWords } from './words.ts'

export const guests = defineFeature({
  name: 'guests',
  uses: [users, settings, staffing, events, eligibility, participations],
  tables: ['guest_share', 'guest', 'guest_qualification'],
  reads: ['event', 'event_type', 'participation', 'qualification', 'qualification_category', 'shift'],
  words: guestsWords,
  personalData: guestsPersonalData,
})
