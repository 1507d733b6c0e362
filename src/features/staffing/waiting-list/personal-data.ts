import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

const SHIFT_LABEL = '(select s.label from shift s where s.id = t.shift_id)'

export const waitingListPersonalData: readonly PersonalTable[] = [
  {
    table: 'waiting_entry',
    column: 'user_id',
    export: {
      section: 'waiting_lists',
      without: { offered_by_id: 'other_person', structure_data: 'derived' },
      adds: { shift: SHIFT_LABEL },
    },
    merge: missing('shift_id'),
    erased: 'deleted',
  },
  {
    table: 'waiting_entry',
    column: 'offered_by_id',
    export: { section: 'places_offered', only: ['id', 'offered_at', 'reason'], adds: { shift: SHIFT_LABEL } },
    merge: MOVE,
    erased: 'anonymous',
  },
]
