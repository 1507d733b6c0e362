import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { offersPersonalData } from './personal-data.ts'
import { offersWords } from './words.ts'

export const offers = defineFeature({
  name: 'offers',
  uses: [users, settings, staffing, events, eligibility, participations],
  tables: ['stand_in', 'stand_in_person', 'swap', 'waiting_line', 'waiting_entry'],
  reads: ['event', 'event_type', 'participation', 'shift', 'user_profile'],
  words: offersWords,
  personalData: offersPersonalData,
})
