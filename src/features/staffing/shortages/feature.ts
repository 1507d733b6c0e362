import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { inquiries } from '#features/staffing/inquiries/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { shortagesWords } from './words.ts'

export const shortages = defineFeature({
  name: 'shortages',
  uses: [users, staffing, events, eligibility, disposition, inquiries],
  reads: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'user_group'],
  words: shortagesWords,
})
