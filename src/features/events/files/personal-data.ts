import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const filesPersonalData: readonly PersonalTable[] = [
  {
    table: 'attachment',
    column: 'uploader_id',
    export: {
      section: 'files_uploaded',
      adds: { file: '(select f.name from stored_file f where f.id = t.file_id)' },
    },
    merge: MOVE,
    erased: 'anonymous',
  },
]
