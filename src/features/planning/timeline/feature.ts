import { sql } from 'kysely'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { boardPage } from '#features/staffing/disposition/points.ts'
import { timelinePath } from '#features/staffing/disposition/rules/paths.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { timelinePage } from './pages/timeline.ts'
import { timesPage } from './pages/times.ts'
import { timelineWords } from './words.ts'

export const timeline = defineFeature({
  name: 'timeline',
  module: {
    name: 'timeline',
    icon: 'chart-gantt',
    presets: ['festival'],
    countUses: () => sql`select count(*)::int from event where shift_count > 1`,
  },
  uses: [staffing, events, participations, shiftForms, planning, series, disposition],
  reads: ['event', 'participation', 'shift', 'user_profile'],
  words: timelineWords,
  pages: [timelinePage, timesPage],
  adds: [
    boardPage.link.add(
      {
        label: 'board.timeline',
        icon: 'chart-gantt',
        path: (board) => ('event' in board && board.shiftCount > 1 ? timelinePath(board.event) : undefined),
      },
      40,
    ),
    eventPage.tool.add(
      {
        href: timelinePath,
        task: 'plan',
        label: 'find.timeline',
        icon: 'chart-gantt',
        isFor: ({ shiftCount }) => shiftCount > 1,
      },
      20,
    ),
  ],
})
