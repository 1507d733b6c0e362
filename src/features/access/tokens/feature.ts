import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages } from '#platform/features/layout.ts'
import { capabilitiesEndpoint } from './api.ts'
import { deleteTokensOf, revokeTokensOf } from './commands/personal.ts'
import { tokenTasks } from './jobs.ts'
import { tokenPages } from './pages.ts'
import { tokensPersonalData } from './personal-data.ts'
import { tokensWords } from './words.ts'

export const tokens = defineFeature({
  name: 'tokens',
  uses: [users, settings],
  tables: ['access_token'],
  reads: ['user_group', 'user_profile'],
  readsAbove: {
    oauth_grant: 'one query authenticates a bearer token; a revoked grant ends its tokens at once',
    oauth_application: 'one query authenticates a bearer token; a disabled application ends its tokens at once',
    service_account: 'one query authenticates a bearer token, with the limits of its service account',
  },
  words: tokensWords,
  personalData: tokensPersonalData,
  pages: tokenPages,
  endpoints: (all) => [capabilitiesEndpoint({ endpoints: all })],
  tasks: tokenTasks,
  adds: [
    accountHooks.add({ revokeTokens: revokeTokensOf }),
    erasing('tokens', deleteTokensOf),
    accountPages.add({ href: '/settings/tokens/', label: 'settings.tokens', icon: 'key-round', isFolded: true }, 100),
  ],
  commands: [
    {
      name: 'token',
      summary: 'Create a personal API token and print it to standard output',
      load: async () => (await import('./cli.ts')).token,
    },
  ],
})
