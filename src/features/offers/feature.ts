import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { offersPersonalData } from './personal-data.ts'
import { offersWords } from './words.ts'

export const offers = defineFeature({
  name: 'offers',
  uses: [users, instance, staffing, events, eligibility, participations],
  tables: ['stand_in', 'stand_in_person', 'swap', 'waiting_line', 'waiting_entry'],
  reads: ['event', 'event_type', 'participation', 'shift', 'user_profile'],
  words: offersWords,
  personalData: offersPersonalData,
})
