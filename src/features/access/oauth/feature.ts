import { signIn } from '#features/access/sign-in/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { oauthPersonalData } from './personal-data.ts'
import { oauthWords } from './words.ts'

export const oauth = defineFeature({
  name: 'oauth',
  uses: [users, tokens, signIn],
  tables: ['oauth_application', 'oauth_grant', 'oauth_object', 'oauth_consent', 'oauth_signing_key'],
  reads: ['access_token', 'session', 'user_profile'],
  words: oauthWords,
  personalData: oauthPersonalData,
})
