import { events } from '#features/events/events/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { templatesPersonalData } from './personal-data.ts'
import { templatesWords } from './words.ts'

export const templates = defineFeature({
  name: 'templates',
  uses: [staffing, events, shiftForms, planning, series],
  tables: ['event_template', 'event_template_user'],
  reads: ['event_type', 'question', 'user_group', 'user_profile'],
  words: templatesWords,
  personalData: templatesPersonalData,
})
