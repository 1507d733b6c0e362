import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { hours } from '#features/on-the-day/hours/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { shortages } from '#features/staffing/shortages/feature.ts'
import { shortagesPage } from '#features/staffing/shortages/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { reportsApi } from './api.ts'
import { reportsPages } from './pages.ts'
import { reportsWords } from './words.ts'

export const reports = defineFeature({
  name: 'reports',
  module: {
    name: 'reports',
    icon: 'chart-column',
    presets: ['brigade', 'medical'],
    countUses: () => sql`select count(*)::int from event where end_time < now()`,
  },
  uses: [users, settings, events, checkIn, shortages, hours],
  reads: ['audience', 'event', 'event_type', 'journal', 'participation', 'partner_hours', 'shift', 'user_group', 'user_profile'],
  words: reportsWords,
  endpoints: reportsApi,
  pages: reportsPages,
  adds: [shortagesPage.action.add({ href: '/planning/reports/', label: 'shortages.reports', icon: 'chart-column' })],
})
