import { DELETE, MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const privacyPersonalData: readonly PersonalTable[] = [
  {
    table: 'erasure_request',
    column: 'user_id',
    export: { section: 'erasure_requests', without: { decided_by_id: 'other_person' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'erasure_request',
    column: 'decided_by_id',
    export: { because: 'a request of another person; the decision itself is in the log of actions' },
    merge: MOVE,
    erased: 'anonymous',
  },
]
