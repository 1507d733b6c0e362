import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const peopleImportPersonalData: readonly PersonalTable[] = [
  {
    table: 'people_import',
    column: 'created_by_id',
    export: { section: 'imports', only: ['id', 'file_name', 'created_at', 'state'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  {
    table: 'people_import_row',
    column: 'user_id',
    export: { section: 'imported_rows' },
    merge: MOVE,
    erased: 'deleted',
  },
]
