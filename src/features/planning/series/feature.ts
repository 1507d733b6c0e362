import { events } from '#features/events/events/feature.ts'
import { calendarPage, eventPage } from '#features/events/events/points.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { seriesApi } from './api.ts'
import { seriesPages } from './pages/routes.ts'
import { seriesSection } from './pages/section.ts'
import { seriesStep } from './queries/next-step.ts'
import { COPY_MONTH } from './views/months.ts'
import { seriesWords } from './words.ts'

export const series = defineFeature({
  name: 'series',
  uses: [staffing, events, participations, shiftForms, planning],
  tables: ['event_series', 'event_series_member'],
  impersonalTables: {
    event_series: 'rules of dates',
    event_series_member: 'hashes of what was planned',
  },
  reads: ['event', 'journal', 'participation'],
  words: seriesWords,
  pages: seriesPages,
  endpoints: seriesApi,
  adds: [
    eventPage.section.add({ show: seriesSection }),
    eventForm.afterSave.add(seriesStep),
    calendarPage.monthAction.add(
      {
        href: (month) => `${COPY_MONTH}?month=${month}`,
        label: 'series.copy_this_month',
        icon: 'copy',
        isFor: (_reader, actor) => hasPermission(actor, 'add_event'),
      },
      20,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadSeries,
})
