import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { calendarPage, eventPage, forPlanners } from '#features/events/events/points.ts'
import { hours } from '#features/on-the-day/hours/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { boardPage } from '#features/staffing/disposition/points.ts'
import { fillPath } from '#features/staffing/disposition/rules/paths.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { shortages } from '#features/staffing/shortages/feature.ts'
import { shortagesPage } from '#features/staffing/shortages/points.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { workingTimeLimits } from '#features/staffing/working-time-limits/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { proposalApi } from './api.ts'
import { autoFillPages } from './pages.ts'
import { autoFillPersonalData } from './personal-data.ts'
import { FILL } from './views/proposal.ts'
import { autoFillWords } from './words.ts'

export const autoFill = defineFeature({
  name: 'auto-fill',
  module: {
    name: 'auto_fill',
    icon: 'wand-sparkles',
    presets: ['festival'],
    countUses: () => sql`select count(*)::int from fill_run`,
  },
  uses: [removedShifts, users, staffing, events, workingTimeLimits, eligibility, participations, disposition, hours, shortages],
  tables: ['fill_weight', 'fill_run', 'fill_place'],
  impersonalTables: {
    fill_place: 'which place a filling changed',
    fill_weight: 'settings',
  },
  reads: ['event', 'event_group_grant', 'event_user_grant', 'participation', 'shift', 'user_group_member', 'user_profile'],
  words: autoFillWords,
  personalData: autoFillPersonalData,
  endpoints: proposalApi,
  pages: autoFillPages,
  adds: [
    shiftRows.add({ table: 'fill_place', column: 'participation_id', of: 'participation' }),
    boardPage.link.add(
      {
        label: 'board.fill',
        icon: 'wand-sparkles',
        path: (board) => {
          if ('event' in board) return fillPath({ event: board.event })
          return board.isPast ? undefined : fillPath({ shift: board.shift })
        },
      },
      30,
    ),
    shortagesPage.action.add({ href: FILL, label: 'board.fill', icon: 'wand-sparkles', isFor: ({ isPlanner }) => isPlanner }, 10),
    calendarPage.monthAction.add(
      {
        href: (month) => `${FILL}?month=${month}`,
        label: 'board.fill',
        icon: 'wand-sparkles',
        isFor: ({ isPlanner }) => isPlanner,
      },
      10,
    ),
    eventPage.action.add(
      {
        href: (event) => fillPath({ event }),
        task: 'staff',
        label: 'board.fill',
        icon: 'wand-sparkles',
        isFor: (event) => forPlanners(event) && event.shiftCount > 0,
      },
      20,
    ),
    managementAreas.add(
      {
        href: '/manage/fill/',
        group: 'people',
        icon: 'scale',
        label: 'fill.weights',
        text: 'fill.weights_place_text',
        isFor: isStaff,
      },
      110,
    ),
  ],
})
