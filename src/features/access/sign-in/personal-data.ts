import { DELETE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const signInPersonalData: readonly PersonalTable[] = [
  {
    table: 'session',
    column: 'user_id',
    export: { section: 'sessions', without: { id_hash: 'secret', device_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'known_device',
    column: 'user_id',
    export: { section: 'known_devices', without: { device_hash: 'secret' } },
    merge: missing('device_hash'),
    erased: 'deleted',
  },
  {
    table: 'one_time_link',
    column: 'user_id',
    export: { section: 'links_sent', without: { token_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'pending_sign_in',
    column: 'user_id',
    export: { section: 'sign_ins_begun', without: { id_hash: 'secret', device_hash: 'secret', id_token_sealed: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
]
