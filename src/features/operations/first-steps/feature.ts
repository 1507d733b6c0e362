import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { layout } from '#platform/features/layout.ts'
import { nextStepPart } from './layout.ts'
import { firstStepsIntro, firstStepsPages } from './pages.ts'
import { firstStepsWords } from './words.ts'

export const firstSteps = defineFeature({
  name: 'first-steps',
  uses: [settings],
  reads: ['event', 'event_type', 'group_permission', 'qualification', 'setting', 'user_group', 'user_profile'],
  readsAbove: { mail_state: 'the list ticks mail when one was sent' },
  words: firstStepsWords,
  pages: firstStepsPages,
  adds: [homePage.intro.add(firstStepsIntro), layout.ownPart.add(nextStepPart, 40)],
})
