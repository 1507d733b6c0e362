import { disposition } from '#features/disposition/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { limits } from '#features/limits/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { autoFillPersonalData } from './personal-data.ts'
import { autoFillWords } from './words.ts'

export const autoFill = defineFeature({
  name: 'auto-fill',
  uses: [users, staffing, events, limits, eligibility, participations, disposition],
  tables: ['fill_weight', 'fill_run', 'fill_place'],
  reads: ['event', 'event_group_grant', 'event_user_grant', 'participation', 'shift', 'user_group_member', 'user_profile'],
  words: autoFillWords,
  personalData: autoFillPersonalData,
})
