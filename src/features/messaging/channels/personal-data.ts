import { DELETE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const channelsPersonalData: readonly PersonalTable[] = [
  {
    table: 'channel_link',
    column: 'user_id',
    export: { section: 'channel_links' },
    merge: missing('channel'),
    erased: 'deleted',
  },
  {
    table: 'channel_code',
    column: 'user_id',
    export: { because: 'a secret that ends within the hour' },
    merge: DELETE,
    erased: 'deleted',
  },
]
