import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

const SHIFT_LABEL = '(select s.label from shift s where s.id = t.shift_id)'

export const exchangesPersonalData: readonly PersonalTable[] = [
  {
    table: 'stand_in',
    column: 'user_id',
    export: {
      section: 'stand_ins_sought',
      without: { taken_by_id: 'other_person', decided_by_id: 'other_person', next_at: 'derived' },
      adds: { shift: SHIFT_LABEL },
    },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'stand_in',
    column: 'taken_by_id',
    export: { section: 'stand_ins_taken', only: ['id', 'taken_at', 'state'], adds: { shift: SHIFT_LABEL } },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'stand_in',
    column: 'decided_by_id',
    export: { section: 'stand_ins_decided', only: ['id', 'decided_at', 'state'], adds: { shift: SHIFT_LABEL } },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'stand_in_person',
    column: 'user_id',
    export: { section: 'stand_ins_asked' },
    merge: missing('stand_in_id'),
    erased: 'deleted',
  },
  {
    table: 'swap',
    column: 'user_id',
    export: {
      section: 'swaps_proposed',
      without: {
        other_id: 'other_person',
        other_participation_id: 'other_person',
        decided_by_id: 'other_person',
        other_decided_by_id: 'other_person',
        told_at: 'derived',
      },
      adds: { shift: SHIFT_LABEL },
    },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'swap',
    column: 'other_id',
    export: {
      section: 'swaps_received',
      only: ['id', 'shift_id', 'other_shift_id', 'created_at', 'expires_at', 'state', 'answered_at'],
      adds: { shift: SHIFT_LABEL },
    },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'swap',
    column: 'decided_by_id',
    export: { section: 'swaps_decided', only: ['id', 'decided_at', 'state'], adds: { shift: SHIFT_LABEL } },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'swap',
    column: 'other_decided_by_id',
    export: { section: 'swaps_decided_other', only: ['id', 'other_decided_at', 'state'], adds: { shift: SHIFT_LABEL } },
    merge: MOVE,
    erased: 'anonymous',
  },
]
