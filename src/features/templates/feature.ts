import { events } from '#features/events/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { series } from '#features/series/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
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
