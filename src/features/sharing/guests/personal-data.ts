import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const guestsPersonalData: readonly PersonalTable[] = [
  {
    table: 'guest_qualification',
    column: 'verified_by_id',
    export: { because: 'tells about a guest; the confirmation itself is in the log of actions' },
    merge: MOVE,
    erased: 'anonymous',
  },
]
