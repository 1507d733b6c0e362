import { disposition } from '#features/disposition/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { inquiriesPersonalData } from './personal-data.ts'
import { inquiriesWords } from './words.ts'

export const inquiries = defineFeature({
  name: 'inquiries',
  uses: [users, instance, staffing, events, eligibility, participations, disposition],
  tables: ['inquiry', 'inquiry_person'],
  reads: ['event', 'participation', 'push_device', 'shift', 'user_profile'],
  words: inquiriesWords,
  personalData: inquiriesPersonalData,
})
