import { availability } from '#features/availability/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { limits } from '#features/limits/feature.ts'
import { offers } from '#features/offers/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { dispositionWords } from './words.ts'

export const disposition = defineFeature({
  name: 'disposition',
  uses: [qualifications, users, staffing, events, questionnaires, limits, availability, eligibility, participations, offers],
  reads: [
    'answer',
    'event',
    'journal',
    'participation',
    'participation_comment',
    'place_basis',
    'qualification_closure',
    'qualification_grant',
    'shift',
    'user_group_member',
    'user_profile',
    'visitor',
    'visitor_qualification',
  ],
  readsAbove: { guest: 'boards show guests like users', guest_qualification: 'boards show guests like users' },
  words: dispositionWords,
})
