import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const peopleActionsPersonalData: readonly PersonalTable[] = [
  {
    table: 'people_action',
    column: 'created_by_id',
    export: { because: 'kept for a day; the log says what the person did' },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'people_action_person',
    column: 'user_id',
    export: { because: 'kept for a day; the profile says what was changed' },
    merge: missing('action_id'),
    erased: 'deleted',
  },
]
