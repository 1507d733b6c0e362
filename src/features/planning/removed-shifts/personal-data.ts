import { MOVE, type PersonalTable, STEP } from '#platform/db/personal-table.ts'

const EVENT_TITLE = '(select e.title from event e where e.id = r.event_id)'
const ofShift = (value: string) => `(select ${value} from removed_shift r where r.id = t.removed_shift_id)`

export const removedShiftsPersonalData: readonly PersonalTable[] = [
  {
    table: 'removed_shift',
    column: 'removed_by_id',
    export: { section: 'removed_shifts', only: ['label', 'start_time', 'end_time', 'is_cancelled', 'reason', 'removed_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'removed_participation',
    column: 'user_id',
    export: {
      section: 'removed_participations',
      only: ['id', 'shift_id', 'state', 'start_time', 'end_time'],
      adds: { event: ofShift(EVENT_TITLE), shift: ofShift('r.label'), reason: ofShift('r.reason') },
    },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'removed_row',
    column: 'user_id',
    via: { table: 'removed_participation', id: 'id', key: 'participation_id' },
    export: {
      section: 'removed_details',
      only: ['table_name'],
      adds: { text: "t.row ->> 'text'", value: "t.row ->> 'value'", arrived_at: "t.row ->> 'arrived_at'" },
    },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'removed_row',
    column: 'user_id',
    export: {
      section: 'removed_requests',
      only: ['table_name'],
      adds: {
        since: "coalesce(t.row ->> 'since', t.row ->> 'asked_at')",
        answer: "t.row ->> 'answer'",
        reason: "t.row ->> 'reason'",
      },
    },
    merge: STEP,
    erased: 'deleted',
  },
]
