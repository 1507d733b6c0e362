import { sql } from 'kysely'
import { contentPages } from '#features/events/content-pages/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { ownTexts } from '#platform/features/own-texts.ts'
import { copyTexts } from './commands.ts'
import { linkToPage, translationPages, translationSection } from './pages.ts'
import { findTexts } from './queries.ts'
import { translationsWords } from './words.ts'

export const translations = defineFeature({
  name: 'translations',
  module: {
    name: 'translations',
    icon: 'globe',
    presets: [],
    countUses: () => sql`select count(*)::int from translated_text`,
  },
  uses: [events, questionnaires, planning, series, contentPages],
  tables: ['translated_text'],
  impersonalTables: { translated_text: 'texts of the organisation, as in events, pages and questions' },
  words: translationsWords,
  pages: translationPages,
  adds: [
    ownTexts.add({ find: ({ db }, asked) => findTexts(db, asked), link: linkToPage }),
    eventForm.section.add(translationSection, 100),
    copyHooks.add((tx, _context, ids) => copyTexts(tx, ids)),
  ],
})
