import { defineFeature } from '#platform/feature.ts'
import { pushPersonalData } from './personal-data.ts'
import { pushWords } from './words.ts'

export const push = defineFeature({
  name: 'push',
  uses: [],
  tables: ['push_device', 'push_key'],
  reads: ['user_profile'],
  words: pushWords,
  personalData: pushPersonalData,
})
