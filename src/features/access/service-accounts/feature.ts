import { sql } from 'kysely'
import { oauth } from '#features/access/oauth/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { serviceAccountTasks } from './jobs.ts'
import { serviceAccountPages } from './pages/accounts.ts'
import { serviceKeyPages } from './pages/keys.ts'
import { serviceAccountsPersonalData } from './personal-data.ts'
import { serviceAccountCors } from './queries.ts'
import { serviceAccountsWords } from './words.ts'

export const serviceAccounts = defineFeature({
  name: 'service-accounts',
  module: {
    name: 'integrations',
    icon: 'webhook',
    presets: [],
    countUses: () => sql`select count(*)::int from service_account`,
  },
  uses: [users, settings, tokens, oauth],
  tables: ['service_account'],
  reads: ['access_token', 'user_group', 'user_group_member', 'user_profile'],
  words: serviceAccountsWords,
  personalData: serviceAccountsPersonalData,
  pages: [...serviceAccountPages, ...serviceKeyPages],
  tasks: serviceAccountTasks,
  cors: ({ db, clock }) => [serviceAccountCors(db, clock.now)],
  adds: [
    managementAreas.add(
      {
        href: '/manage/service-accounts/',
        group: 'technology',
        icon: 'key-round',
        label: 'service.title',
        text: 'service.place_text',
        isFor: isStaff,
      },
      240,
    ),
  ],
  commands: [
    {
      name: 'key',
      summary: 'Create, list, rotate and revoke keys of service accounts, which belong to no person',
      load: async () => (await import('./cli.ts')).key,
    },
  ],
  sampleData: async () => (await import('./sample.ts')).loadServiceAccount,
})
