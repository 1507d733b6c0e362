import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const autoFillPersonalData: readonly PersonalTable[] = [
  { table: 'fill_run', column: 'user_id', export: { section: 'fill_runs' }, merge: MOVE, erased: 'anonymous' },
]
