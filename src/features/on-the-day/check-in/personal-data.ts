import { MOVE, type PersonalTable, STEP } from '#platform/db/personal-table.ts'

export const checkInPersonalData: readonly PersonalTable[] = [
  {
    table: 'attendance',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'attendance', without: { mark_id: 'derived' } },
    merge: STEP,
    erased: 'anonymous',
  },
  {
    table: 'attendance_mark',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'attendance_marks', without: { by_id: 'other_person', resolved_by_id: 'other_person' } },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'attendance_mark',
    column: 'by_id',
    export: { section: 'attendance_marked_by_me', only: ['id', 'kind', 'made_at', 'received_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'attendance_mark',
    column: 'resolved_by_id',
    export: { section: 'attendance_decided_by_me', only: ['id', 'kind', 'resolved_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'attendance_run',
    column: 'by_id',
    export: { section: 'attendance_runs' },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'attendance_result',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'attendance_results' },
    merge: STEP,
    erased: 'anonymous',
  },
]
