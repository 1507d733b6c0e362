import { sql } from 'kysely'
import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { limitPages } from './pages.ts'
import { limitsWords } from './words.ts'

export const workingTimeLimits = defineFeature({
  name: 'working-time-limits',
  module: {
    name: 'working_time_limits',
    icon: 'moon',
    presets: ['medical', 'festival'],
    countUses: () => sql`select count(*)::int from work_limit`,
  },
  uses: [users, people, settings],
  tables: ['work_limit'],
  impersonalTables: {
    work_limit: 'settings',
  },
  reads: ['user_group'],
  words: limitsWords,
  pages: limitPages,
  adds: [
    managementAreas.add(
      {
        href: '/manage/limits/',
        group: 'people',
        icon: 'moon',
        label: 'limits.title',
        text: 'limits.place_text',
        isFor: isStaff,
      },
      120,
    ),
  ],
})
