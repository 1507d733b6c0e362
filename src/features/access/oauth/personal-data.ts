import { DELETE, MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const oauthPersonalData: readonly PersonalTable[] = [
  {
    table: 'oauth_consent',
    column: 'user_id',
    export: {
      section: 'applications_allowed',
      adds: { application: '(select a.name from oauth_application a where a.id = t.application_id)' },
    },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'oauth_grant',
    column: 'user_id',
    export: { section: 'application_grants', without: { id_hash: 'secret', payload: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'oauth_object',
    column: 'user_id',
    export: { section: 'application_sessions', without: { id_hash: 'secret', uid_hash: 'secret', payload: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'oauth_application',
    column: 'created_by_id',
    export: { section: 'applications_created', only: ['id', 'name', 'created_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
]
