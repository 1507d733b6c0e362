import { DELETE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const profilesPersonalData: readonly PersonalTable[] = [
  {
    table: 'profile_picture',
    column: 'user_id',
    export: { section: 'picture' },
    merge: missing(),
    erased: 'deleted',
  },
  {
    table: 'email_change',
    column: 'user_id',
    export: { section: 'email_change', without: { confirm_hash: 'secret', stop_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
]
