import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { tablePage } from './pages/table.ts'
import { undoPage } from './pages/undo.ts'
import { shiftTableWords } from './words.ts'

export const shiftTable = defineFeature({
  name: 'shift-table',
  uses: [staffing, events, participations, shiftForms, planning, series],
  reads: ['event', 'journal', 'participation', 'shift', 'user_profile', 'visitor'],
  readsAbove: { guest: 'the preview names everybody on a shift' },
  words: shiftTableWords,
  pages: [tablePage, undoPage],
  adds: [
    eventPage.action.add(
      {
        href: (id) => `/events/${id}/shifts/`,
        task: 'plan',
        label: 'plan.act.table',
        icon: 'file-spreadsheet',
        isFor: ({ mayChange }) => mayChange,
      },
      10,
    ),
    eventForm.shifts.add({ path: 'shifts/', label: 'plan.many_shifts', icon: 'file-spreadsheet' }),
  ],
})
