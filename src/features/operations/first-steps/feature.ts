import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { firstStepsWords } from './words.ts'

export const firstSteps = defineFeature({
  name: 'first-steps',
  uses: [settings],
  reads: ['event', 'qualification', 'setting', 'user_group', 'user_profile'],
  words: firstStepsWords,
})
