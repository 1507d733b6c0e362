import { oauth } from '#features/access/oauth/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { serviceAccountsPersonalData } from './personal-data.ts'
import { serviceAccountsWords } from './words.ts'

export const serviceAccounts = defineFeature({
  name: 'service-accounts',
  uses: [users, settings, tokens, oauth],
  tables: ['service_account'],
  reads: ['access_token', 'user_group', 'user_group_member', 'user_profile'],
  words: serviceAccountsWords,
  personalData: serviceAccountsPersonalData,
})
