import { DELETE, MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const identityProvidersPersonalData: readonly PersonalTable[] = [
  {
    table: 'external_session',
    column: 'user_id',
    via: { table: 'session', id: 'id_hash', key: 'session_hash' },
    export: {
      section: 'sessions_of_identity_providers',
      without: { session_hash: 'secret', id_token_sealed: 'secret' },
    },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'external_identity',
    column: 'user_id',
    export: { section: 'identities' },
    merge: MOVE,
    erased: 'deleted',
  },
]
