import { disposition } from '#features/disposition/feature.ts'
import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { series } from '#features/series/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { gridWords } from './words.ts'

export const grid = defineFeature({
  name: 'grid',
  uses: [staffing, events, participations, shiftForms, planning, series, disposition],
  reads: ['event', 'participation', 'shift', 'user_profile'],
  words: gridWords,
})
