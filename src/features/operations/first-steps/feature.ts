import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { firstStepsIntro, firstStepsPages } from './pages.ts'
import { firstStepsWords } from './words.ts'

export const firstSteps = defineFeature({
  name: 'first-steps',
  uses: [settings],
  reads: ['event', 'qualification', 'setting', 'user_group', 'user_profile'],
  words: firstStepsWords,
  pages: firstStepsPages,
  adds: [homePage.intro.add(firstStepsIntro)],
})
