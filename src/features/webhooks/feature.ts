import { changes } from '#features/changes/feature.ts'
import { tokens } from '#features/tokens/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { webhooksPersonalData } from './personal-data.ts'
import { webhooksWords } from './words.ts'

export const webhooks = defineFeature({
  name: 'webhooks',
  uses: [users, tokens, changes],
  tables: ['webhook', 'webhook_queue', 'webhook_delivery'],
  reads: ['service_account', 'user_profile'],
  words: webhooksWords,
  personalData: webhooksPersonalData,
})
