import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { questionnairesPersonalData } from './personal-data.ts'
import { questionnairesWords } from './words.ts'

export const questionnaires = defineFeature({
  name: 'questionnaires',
  uses: [users],
  tables: ['question', 'shift_question', 'answer', 'saved_answer'],
  reads: ['user_profile'],
  words: questionnairesWords,
  personalData: questionnairesPersonalData,
})
