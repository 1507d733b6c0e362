import { events } from '#features/events/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { seriesWords } from './words.ts'

export const series = defineFeature({
  name: 'series',
  uses: [staffing, events, participations, shiftForms, planning],
  tables: ['event_series', 'event_series_member'],
  reads: ['event', 'journal', 'participation'],
  words: seriesWords,
})
