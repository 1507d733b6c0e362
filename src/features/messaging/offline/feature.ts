import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { webAppPages } from './pages.ts'
import { webAppWords } from './words.ts'

export const offline = defineFeature({
  name: 'offline',
  uses: [settings, events, browse],
  words: webAppWords,
  pages: webAppPages,
})
