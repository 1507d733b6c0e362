import { type PersonalTable, STEP } from '#platform/db/personal-table.ts'

export const staffingPersonalData: readonly PersonalTable[] = [
  {
    table: 'place_basis',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'places', without: { lapse_id: 'derived' } },
    merge: STEP,
    erased: 'anonymous',
  },
]
