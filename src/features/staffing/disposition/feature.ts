import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { exchanges } from '#features/staffing/exchanges/feature.ts'
import { presentLastComment, presentManagedParticipation } from '#features/staffing/participations/api/reads.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { waitingList } from '#features/staffing/waiting-list/feature.ts'
import { workingTimeLimits } from '#features/staffing/working-time-limits/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { candidatesEndpoint } from './api/candidates.ts'
import { participationWrites } from './api/participations.ts'
import { eventBoardPage, eventBoardStatePage } from './pages/event-board.ts'
import { boardPage, boardStatePage } from './pages/shift-board.ts'
import { dispositionWords } from './words.ts'

export const disposition = defineFeature({
  name: 'disposition',
  uses: [
    qualifications,
    users,
    staffing,
    events,
    questionnaires,
    workingTimeLimits,
    availability,
    eligibility,
    participations,
    waitingList,
    exchanges,
  ],
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
  pages: [boardPage, boardStatePage, eventBoardPage, eventBoardStatePage],
  endpoints: [
    ...participationWrites({ participation: presentManagedParticipation, lastComment: presentLastComment }),
    candidatesEndpoint,
  ],
  adds: [
    eventPage.shiftAction.add({ path: 'disposition/', label: 'find.board', icon: 'list-checks', isFor: forPlanners }, 10),
    eventPage.action.add(
      { href: (id) => `/events/${id}/board/`, task: 'staff', label: 'find.board', icon: 'list-checks', isFor: forPlanners },
      10,
    ),
  ],
})
