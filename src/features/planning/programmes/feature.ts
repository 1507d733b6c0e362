import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { stopAutomaticOf } from './commands/source.ts'
import { programmeTasks } from './jobs.ts'
import { programmeChanged } from './kinds/programme-changed.ts'
import { programmePages } from './pages/programme.ts'
import { programmesPersonalData } from './personal-data.ts'
import { MAX_PROGRAMME_BYTES } from './schema.ts'
import { programmesWords } from './words.ts'

/** Programmes of large conferences take some megabytes. */
const OUTBOUND_LIMITS = { maxBytes: MAX_PROGRAMME_BYTES, deadlineMs: 20_000 }

export const programmes = defineFeature({
  name: 'programmes',
  module: {
    name: 'programmes',
    icon: 'calendar-clock',
    presets: ['festival'],
    countUses: () => sql`select count(*)::int from programme`,
  },
  uses: [removedShifts, notificationKinds, users, staffing, events, participations, shiftForms, planning, series],
  tables: ['programme', 'programme_shift'],
  impersonalTables: {
    programme_shift: 'shifts and keys of sessions',
  },
  reads: ['event', 'shift', 'user_profile'],
  words: programmesWords,
  personalData: programmesPersonalData,
  pages: ({ files, outbound, limiter }) =>
    programmePages({ files, outbound: outbound(OUTBOUND_LIMITS), limiter: limiter('programmes', 10) }),
  tasks: (runtime) => programmeTasks({ ...runtime, outbound: runtime.outbound(OUTBOUND_LIMITS) }),
  adds: [
    shiftRows.add({ table: 'programme_shift', column: 'shift_id', of: 'shift', isLink: true }),
    eventPage.action.add(
      {
        href: (id) => `/events/${id}/programme/`,
        task: 'plan',
        label: 'plan.act.programme',
        icon: 'calendar-clock',
        isFor: ({ mayChange }) => mayChange,
      },
      30,
    ),
    notificationKind.add(programmeChanged, 290),
    erasing('programmes applied automatically', stopAutomaticOf),
  ],
  sampleData: async () => (await import('./sample.ts')).loadProgramme,
})
