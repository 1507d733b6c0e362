import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { attendanceApi } from './api/attendance.ts'
import { ownAttendanceApi } from './api/own.ts'
import { deleteMarksOf } from './commands/marks.ts'
import { deleteOldMarks } from './commands/retention.ts'
import { realTimesPages } from './pages/hours.ts'
import { checkInPages } from './pages/planner.ts'
import { selfCheckInPages } from './pages/self.ts'
import { checkInPersonalData } from './personal-data.ts'
import { findOldMarks } from './queries/roster.ts'
import { checkInPath } from './rules/paths.ts'
import { checkInWords } from './words.ts'

export const checkIn = defineFeature({
  name: 'check-in',
  module: {
    name: 'check_in',
    icon: 'user-check',
    presets: ['brigade', 'medical', 'festival'],
    countUses: () => sql`select count(*)::int from event_check_in`,
  },
  uses: [removedShifts, users, events, eligibility, participations, disposition],
  tables: ['attendance', 'attendance_mark', 'attendance_run', 'attendance_result', 'event_check_in'],
  impersonalTables: {
    event_check_in: 'codes of events',
  },
  reads: ['event', 'participation', 'shift', 'user_profile', 'visitor'],
  readsAbove: { guest: 'guests are checked in like users' },
  words: checkInWords,
  personalData: checkInPersonalData,
  endpoints: [...attendanceApi, ...ownAttendanceApi],
  pages: [...checkInPages, ...selfCheckInPages, ...realTimesPages],
  adds: [
    shiftRows.add({ table: 'attendance', column: 'participation_id', of: 'participation' }),
    shiftRows.add({
      table: 'attendance_mark',
      column: 'participation_id',
      of: 'participation',
      people: ['by_id', 'resolved_by_id'],
    }),
    shiftRows.add({ table: 'attendance_result', column: 'participation_id', of: 'participation' }),
    eventPage.action.add(
      {
        href: (id) => checkInPath(id),
        task: 'day',
        label: 'find.check_in',
        icon: 'user-check',
        isFor: forPlanners,
      },
      10,
    ),
    eventPage.action.add(
      { href: (id) => checkInPath(id, 'hours'), task: 'after', label: 'check_in.to_hours', icon: 'clock', isFor: forPlanners },
      10,
    ),
    erasing('attendance', deleteMarksOf),
  ],
  retention: [
    {
      name: 'attendance',
      setting: 'retention_attendance_days',
      find: findOldMarks,
      remove: ({ db }, before) => deleteOldMarks(db, before),
    },
  ],
  sampleData: async () => (await import('./sample.ts')).loadCheckIns,
})
