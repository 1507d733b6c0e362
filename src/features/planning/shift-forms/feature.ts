import { events } from '#features/events/events/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { shiftFormsWords } from './words.ts'

export const shiftForms = defineFeature({
  name: 'shift-forms',
  uses: [staffing, events, questionnaires],
  words: shiftFormsWords,
})
