import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const requestsPersonalData: readonly PersonalTable[] = [
  {
    table: 'decision_request',
    column: 'user_id',
    export: { section: 'requests', without: { decided_by_id: 'other_person' } },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'decision_request',
    column: 'decided_by_id',
    export: { section: 'decisions', only: ['id', 'kind', 'state', 'decided_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
]
