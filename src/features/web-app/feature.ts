import { events } from '#features/events/feature.ts'
import { finding } from '#features/finding/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { webAppWords } from './words.ts'

export const webApp = defineFeature({
  name: 'web-app',
  uses: [instance, events, finding],
  words: webAppWords,
})
