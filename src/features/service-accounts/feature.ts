import { instance } from '#features/instance/feature.ts'
import { oauth } from '#features/oauth/feature.ts'
import { tokens } from '#features/tokens/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { serviceAccountsPersonalData } from './personal-data.ts'
import { serviceAccountsWords } from './words.ts'

export const serviceAccounts = defineFeature({
  name: 'service-accounts',
  uses: [users, instance, tokens, oauth],
  tables: ['service_account'],
  reads: ['access_token', 'user_group', 'user_group_member', 'user_profile'],
  words: serviceAccountsWords,
  personalData: serviceAccountsPersonalData,
})
