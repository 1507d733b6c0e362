import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const serviceAccountsPersonalData: readonly PersonalTable[] = [
  {
    table: 'service_account',
    column: 'created_by_id',
    export: { section: 'service_accounts_created', only: ['created_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'service_account',
    column: 'user_id',
    export: { because: 'a program, which is no person' },
    merge: { do: 'stay', because: 'service accounts cannot be merged' },
    erased: 'deleted',
  },
]
