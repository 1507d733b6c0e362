import { handbook } from '#features/operations/handbook/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { modulePages } from './pages.ts'
import { modulesWords } from './words.ts'

export const modules = defineFeature({
  name: 'modules',
  uses: [settings, handbook],
  words: modulesWords,
  pages: modulePages,
  adds: [
    managementAreas.add(
      {
        href: '/manage/modules/',
        group: 'instance',
        icon: 'puzzle',
        label: 'modules.title',
        text: 'modules.place_text',
        isFor: isStaff,
      },
      95,
    ),
  ],
})
