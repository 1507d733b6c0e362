import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasureSteps } from '#features/accounts/users/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { companionsApi } from './api.ts'
import { forgetCompanionNames } from './commands.ts'
import { companionsPage } from './pages.ts'
import { companionsWords } from './words.ts'

export const companions = defineFeature({
  name: 'companions',
  module: {
    name: 'companions',
    icon: 'users',
    presets: ['club', 'festival'],
    countUses: () => sql`select count(*)::int from participation where brought_by_id is not null`,
  },
  uses: [users, staffing, eligibility, participations],
  reads: ['event', 'participation', 'user_profile'],
  words: companionsWords,
  endpoints: companionsApi,
  pages: [companionsPage],
  adds: [
    erasureSteps.add({
      name: 'names of companions',
      run: (tx, { context, userId }) => forgetCompanionNames(tx, context, userId),
    }),
  ],
  sampleData: async () => (await import('./sample.ts')).loadCompanions,
})
