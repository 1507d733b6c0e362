import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
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
})
