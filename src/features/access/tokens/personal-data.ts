import { DELETE, type PersonalTable } from '#platform/db/personal-table.ts'

export const tokensPersonalData: readonly PersonalTable[] = [
  {
    table: 'access_token',
    column: 'user_id',
    export: { section: 'access_tokens', without: { token_hash: 'secret', federated_guest_id: 'derived' } },
    merge: DELETE,
    erased: 'deleted',
  },
]
