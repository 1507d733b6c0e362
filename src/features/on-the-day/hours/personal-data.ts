import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const hoursPersonalData: readonly PersonalTable[] = [
  { table: 'working_hours', column: 'user_id', export: { section: 'working_hours' }, merge: MOVE, erased: 'anonymous' },
]
