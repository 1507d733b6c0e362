import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { requestsPersonalData } from './personal-data.ts'
import { requestsWords } from './words.ts'

export const requests = defineFeature({
  name: 'requests',
  uses: [settings],
  tables: ['decision_request'],
  reads: ['user_profile'],
  words: requestsWords,
  personalData: requestsPersonalData,
})
