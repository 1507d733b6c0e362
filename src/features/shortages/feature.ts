import { disposition } from '#features/disposition/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { inquiries } from '#features/inquiries/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { shortagesWords } from './words.ts'

export const shortages = defineFeature({
  name: 'shortages',
  uses: [users, staffing, events, eligibility, disposition, inquiries],
  reads: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'user_group'],
  words: shortagesWords,
})
