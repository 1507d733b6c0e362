import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
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
