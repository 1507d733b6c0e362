import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, managementAreas } from '#platform/features/layout.ts'
import { questionPages } from './pages.ts'
import { questionnairesPersonalData } from './personal-data.ts'
import { questionnairesWords } from './words.ts'

export const questionnaires = defineFeature({
  name: 'questionnaires',
  module: {
    name: 'questionnaires',
    icon: 'circle-question-mark',
    presets: ['club', 'festival'],
    countUses: () => sql`select count(*)::int from question`,
  },
  uses: [removedShifts, users, settings],
  tables: ['question', 'shift_question', 'answer', 'saved_answer'],
  impersonalTables: {
    question: 'texts of questions',
    shift_question: 'questions of shifts',
  },
  reads: ['user_profile'],
  words: questionnairesWords,
  personalData: questionnairesPersonalData,
  pages: questionPages,
  adds: [
    shiftRows.add({ table: 'shift_question', column: 'shift_id', of: 'shift' }),
    shiftRows.add({ table: 'answer', column: 'participation_id', of: 'participation' }),
    accountPages.add({ href: '/settings/answers/', label: 'settings.answers', icon: 'circle-question-mark', isFolded: true }, 50),
    managementAreas.add(
      {
        href: '/manage/questions/',
        group: 'events',
        icon: 'circle-question-mark',
        label: 'questions.list',
        text: 'questions.place_text',
        isFor: (actor) => hasPermission(actor, 'view_question'),
      },
      150,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadQuestions,
})
