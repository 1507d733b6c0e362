import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { series } from '#features/series/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { users } from '#features/users/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { programmesPersonalData } from './personal-data.ts'
import { programmesWords } from './words.ts'

export const programmes = defineFeature({
  name: 'programmes',
  uses: [users, staffing, events, participations, shiftForms, planning, series],
  tables: ['programme', 'programme_shift'],
  reads: ['event', 'journal', 'shift', 'user_profile'],
  words: programmesWords,
  personalData: programmesPersonalData,
})
