import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { resources } from '#features/events/resources/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { answersPage } from './pages/answers.ts'
import { rosterPages } from './pages/roster.ts'
import { rostersWords } from './words.ts'

export const rosters = defineFeature({
  name: 'rosters',
  uses: [qualifications, staffing, events, questionnaires, resources, participations, disposition],
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
  pages: [...rosterPages, answersPage],
  adds: [
    eventPage.shiftAction.add(
      {
        path: 'answers/',
        label: 'answers.title',
        icon: 'circle-question-mark',
        isFor: ({ mayChange, hasQuestions }) => mayChange && hasQuestions,
      },
      20,
    ),
    eventPage.action.add(
      { href: (id) => `/events/${id}/roster/`, task: 'day', label: 'find.roster', icon: 'printer', isFor: forPlanners },
      20,
    ),
  ],
})
