import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const webhooksPersonalData: readonly PersonalTable[] = [
  {
    table: 'webhook',
    column: 'owner_id',
    export: { section: 'webhooks', without: { secret_sealed: 'secret', old_secret_sealed: 'secret' } },
    merge: MOVE,
    erased: 'deleted',
  },
]
