import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const programmesPersonalData: readonly PersonalTable[] = [
  {
    table: 'programme',
    column: 'automatic_by_id',
    export: { because: 'a setting of an event; the change itself is in the log of actions' },
    merge: MOVE,
    erased: 'deleted',
  },
]
