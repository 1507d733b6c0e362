import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout } from '#platform/features/layout.ts'
import { helpPart } from './layout.ts'
import { handbookPages } from './pages.ts'
import { handbookWords } from './words.ts'

export const handbook = defineFeature({
  name: 'handbook',
  uses: [settings],
  words: handbookWords,
  pages: handbookPages,
  adds: [layout.part.add(helpPart, 90)],
})
