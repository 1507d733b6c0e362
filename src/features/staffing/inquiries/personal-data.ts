import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const inquiriesPersonalData: readonly PersonalTable[] = [
  {
    table: 'inquiry',
    column: 'created_by_id',
    export: {
      section: 'inquiries_sent',
      only: ['id', 'message', 'created_at', 'ended_at'],
      adds: { shift: '(select s.label from shift s where s.id = t.shift_id)' },
    },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'inquiry_person',
    column: 'user_id',
    export: { section: 'inquiries_received' },
    merge: missing('inquiry_id'),
    erased: 'deleted',
  },
]
