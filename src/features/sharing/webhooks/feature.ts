import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { webhooksPersonalData } from './personal-data.ts'
import { webhooksWords } from './words.ts'

export const webhooks = defineFeature({
  name: 'webhooks',
  uses: [users, tokens, changeFeed],
  tables: ['webhook', 'webhook_queue', 'webhook_delivery'],
  reads: ['service_account', 'user_profile'],
  words: webhooksWords,
  personalData: webhooksPersonalData,
})
