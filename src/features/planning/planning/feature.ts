import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { planningWords } from './words.ts'

export const planning = defineFeature({
  name: 'planning',
  uses: [qualifications, buildingBlocks, staffing, events, questionnaires, eligibility, participations, shiftForms],
  writes: ['event', 'event_group_grant', 'event_user_grant', 'shift'],
  reads: [
    'event_type',
    'event_type_default_group',
    'event_type_default_user',
    'journal',
    'participation',
    'shift_question',
    'user_group',
    'user_group_member',
    'user_profile',
  ],
  words: planningWords,
})
