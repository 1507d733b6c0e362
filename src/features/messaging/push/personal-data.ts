import { DELETE, type PersonalTable } from '#platform/db/personal-table.ts'

export const pushPersonalData: readonly PersonalTable[] = [
  {
    table: 'push_device',
    column: 'user_id',
    export: { section: 'push_devices', without: { auth: 'secret', p256dh: 'secret', endpoint: 'secret', device_hash: 'secret' } },
    merge: DELETE,
    erased: 'deleted',
  },
]
