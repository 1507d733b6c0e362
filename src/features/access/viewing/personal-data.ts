import { DELETE, type PersonalTable } from '#platform/db/personal-table.ts'

export const viewingPersonalData: readonly PersonalTable[] = [
  {
    table: 'viewing',
    column: 'user_id',
    export: { section: 'viewings', without: { session_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
]
