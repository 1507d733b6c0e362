import { sql } from 'kysely'
import { families } from '#features/accounts/families/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { requestKinds } from '#features/accounts/requests/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { exchanges } from '#features/staffing/exchanges/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { waitingList } from '#features/staffing/waiting-list/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { alwaysOn } from '#platform/features/extension-points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout, managementAreas, navigationLink } from '#platform/features/layout.ts'
import { ownHoursRequests } from './api/own-requests.ts'
import { hoursApi } from './api/reads.ts'
import { hoursWrites } from './api/writes.ts'
import { clearReasonsOf, hoursRequest } from './commands.ts'
import { manageHoursPages } from './pages/manage.ts'
import { myShiftsPages } from './pages/my-shifts.ts'
import { hoursPersonalData } from './personal-data.ts'
import { hoursWords } from './words.ts'

export const hours = defineFeature({
  name: 'hours',
  module: {
    name: 'hours',
    icon: 'clock',
    presets: ['brigade', 'medical', 'club', 'other'],
    countUses: () => sql`select count(*)::int from working_hours`,
  },
  uses: [
    users,
    settings,
    staffing,
    events,
    eligibility,
    participations,
    waitingList,
    exchanges,
    checkIn,
    browse,
    requests,
    families,
  ],
  tables: ['working_hours'],
  reads: [
    'decision_request',
    'event',
    'event_type',
    'group_grant',
    'participation',
    'partner_hours',
    'shift',
    'user_group_member',
    'user_profile',
  ],
  words: hoursWords,
  personalData: hoursPersonalData,
  pages: [...myShiftsPages, ...manageHoursPages],
  apiTags: {
    'working-hours': 'Hours that were entered by hand.',
  },
  endpoints: [...hoursApi, ...ownHoursRequests, ...hoursWrites],
  adds: [
    requestKinds.add(hoursRequest),
    erasing('reasons of working hours', clearReasonsOf),
    alwaysOn(layout.ownPart.add(navigationLink('/my-shifts/', 'hours.my_shifts', 'hours.my_shifts_short', 'clock'), 14)),
    managementAreas.add(
      {
        href: '/manage/hours/',
        group: 'people',
        icon: 'clock',
        label: 'hours.overview',
        text: 'hours.place_text',
        isFor: (actor) => hasPermission(actor, 'view_user'),
      },
      30,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadWorkingHours,
})
