import { events } from '#features/events/events/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { seriesWords } from './words.ts'

export const series = defineFeature({
  name: 'series',
  uses: [staffing, events, participations, shiftForms, planning],
  tables: ['event_series', 'event_series_member'],
  reads: ['event', 'journal', 'participation'],
  words: seriesWords,
})
