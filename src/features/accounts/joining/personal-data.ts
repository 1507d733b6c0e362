import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const joiningPersonalData: readonly PersonalTable[] = [
  {
    table: 'join_link',
    column: 'created_by_id',
    export: {
      section: 'join_links_created',
      only: ['id', 'note', 'created_at', 'expires_at', 'revoked_at'],
      adds: { group: '(select g.name from user_group g where g.id = t.group_id)' },
    },
    merge: MOVE,
    erased: 'anonymous',
  },
]
