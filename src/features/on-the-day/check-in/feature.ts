import { events } from '#features/events/events/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { checkInPersonalData } from './personal-data.ts'
import { checkInWords } from './words.ts'

export const checkIn = defineFeature({
  name: 'check-in',
  uses: [events, eligibility, participations, disposition],
  tables: ['attendance', 'attendance_mark', 'attendance_run', 'attendance_result', 'event_check_in'],
  reads: ['event', 'participation', 'shift', 'user_profile', 'visitor'],
  readsAbove: { guest: 'guests are checked in like users' },
  words: checkInWords,
  personalData: checkInPersonalData,
})
