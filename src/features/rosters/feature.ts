import { disposition } from '#features/disposition/feature.ts'
import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { rostersWords } from './words.ts'

export const rosters = defineFeature({
  name: 'rosters',
  uses: [qualifications, staffing, events, questionnaires, participations, disposition],
  reads: [
    'answer',
    'event',
    'event_type',
    'guest',
    'guest_qualification',
    'participation',
    'participation_comment',
    'qualification_grant',
    'question',
    'shift',
    'shift_question',
    'user_profile',
    'visitor',
    'visitor_qualification',
  ],
  words: rostersWords,
})
