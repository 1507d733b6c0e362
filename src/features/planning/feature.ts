import { buildingBlocks } from '#features/building-blocks/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
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
