import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { boardPage } from '#features/staffing/disposition/points.ts'
import { peoplePath } from '#features/staffing/disposition/rules/paths.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { workingTimeLimits } from '#features/staffing/working-time-limits/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { assignPage, undoAssignmentPage } from './pages/assign.ts'
import { peopleTimesPage } from './pages/people.ts'
import { peopleTimesWords } from './words.ts'

export const peopleTimes = defineFeature({
  name: 'people-times',
  uses: [users, staffing, events, workingTimeLimits, availability, eligibility, participations, disposition],
  reads: [
    'event',
    'event_group_grant',
    'participation',
    'qualification_closure',
    'qualification_grant',
    'shift',
    'user_group',
    'user_group_member',
    'user_profile',
  ],
  words: peopleTimesWords,
  pages: [peopleTimesPage, assignPage, undoAssignmentPage],
  adds: [
    boardPage.link.add(
      {
        label: 'board.people',
        icon: 'users',
        path: (board) => {
          if ('shift' in board) return peoplePath({ view: 'day', day: board.day })
          return peoplePath(board.day === undefined ? {} : { day: board.day })
        },
      },
      50,
    ),
  ],
})
