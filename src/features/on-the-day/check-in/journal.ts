import type { Changes } from '#platform/journal/kinds.ts'
import type { AttendanceChanges, MarkSource } from './rules/attendance.ts'

type Marked = AttendanceChanges & { source: MarkSource }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'event.check_in_changed': {
      subject: 'event'
      changes: Changes<{ is_active: boolean | null; minutes_before: number | null; is_changing: boolean | null }>
    }
    'event.check_in_code_renewed': { subject: 'event' }
    'event.real_times_applied': {
      subject: 'event'
      changes: { rounding: number; participations: readonly number[]; absent: readonly number[] }
    }
    'event.real_times_undone': { subject: 'event'; changes: { participations: readonly number[] } }
    'participation.attendance_conflict': { subject: 'participation'; changes: Marked }
    'participation.attendance_kept': { subject: 'participation' }
    'participation.attendance_marked': { subject: 'participation'; changes: Marked }
  }
}
