import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { inquiriesPersonalData } from './personal-data.ts'
import { inquiriesWords } from './words.ts'

export const inquiries = defineFeature({
  name: 'inquiries',
  uses: [users, settings, staffing, events, eligibility, participations, disposition],
  tables: ['inquiry', 'inquiry_person'],
  reads: ['event', 'participation', 'push_device', 'shift', 'user_profile'],
  words: inquiriesWords,
  personalData: inquiriesPersonalData,
})
