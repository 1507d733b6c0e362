import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages } from '#platform/features/layout.ts'
import { availabilityApi } from './api.ts'
import { deleteAvailabilityOf } from './commands/entries.ts'
import { availabilityTasks, calendarOptionsOf } from './jobs.ts'
import { availabilityPages } from './pages/availability.ts'
import { availabilityPersonalData } from './personal-data.ts'
import { availabilityWords } from './words.ts'

export const availability = defineFeature({
  name: 'availability',
  module: {
    name: 'availability',
    icon: 'calendar-check',
    presets: ['medical'],
    countUses: () =>
      sql`select count(*)::int from (select user_id from weekly_time union select user_id from day_period union select user_id from private_calendar) people`,
  },
  uses: [users, settings],
  tables: ['weekly_time', 'day_period', 'private_calendar', 'busy_time'],
  reads: ['user_profile'],
  words: availabilityWords,
  personalData: availabilityPersonalData,
  pages: (runtime) => availabilityPages(calendarOptionsOf(runtime)),
  endpoints: availabilityApi,
  tasks: (runtime) => availabilityTasks({ ...runtime, access: calendarOptionsOf(runtime).access }),
  adds: [
    erasing('availability', deleteAvailabilityOf),
    accountPages.add({ href: '/settings/availability/', label: 'settings.availability', icon: 'calendar-check' }, 70),
  ],
  sampleData: async () => (await import('./sample.ts')).loadAvailability,
})
