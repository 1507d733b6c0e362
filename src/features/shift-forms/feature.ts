import { events } from '#features/events/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { shiftFormsWords } from './words.ts'

export const shiftForms = defineFeature({
  name: 'shift-forms',
  uses: [staffing, events, questionnaires],
  words: shiftFormsWords,
})
