import { DELETE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const secondFactorPersonalData: readonly PersonalTable[] = [
  {
    table: 'totp_factor',
    column: 'user_id',
    export: { section: 'code_app', without: { secret_sealed: 'secret', last_step: 'derived' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'recovery_code',
    column: 'user_id',
    export: { section: 'recovery_codes', without: { code_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'passkey',
    column: 'user_id',
    export: { section: 'passkeys', without: { credential_id: 'secret', public_key: 'secret', user_handle: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'trusted_device',
    column: 'user_id',
    export: { section: 'trusted_devices', without: { device_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'second_factor_duty',
    column: 'user_id',
    export: { section: 'second_factor_duty' },
    merge: missing(),
    erased: 'deleted',
  },
]
