import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout, managementAreas } from '#platform/features/layout.ts'
import { footerPart } from './layout.ts'
import { contentPages as pages } from './pages.ts'
import { pagesWords } from './words.ts'

export const contentPages = defineFeature({
  name: 'content-pages',
  module: {
    name: 'content_pages',
    icon: 'file-text',
    presets: ['club', 'festival'],
    countUses: () => sql`select count(*)::int from content_page`,
  },
  uses: [users, settings],
  tables: ['content_page'],
  impersonalTables: {
    content_page: 'texts of the organisation; the page that deletes a person lists those that name them',
  },
  words: pagesWords,
  pages,
  adds: [
    layout.part.add(footerPart, 10),
    managementAreas.add(
      {
        href: '/manage/pages/',
        group: 'instance',
        icon: 'file-text',
        label: 'pages.list',
        text: 'pages.place_text',
        isFor: (actor) => hasPermission(actor, 'change_page'),
      },
      170,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadPages,
})
