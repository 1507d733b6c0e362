import type { PersonalTable } from '#platform/db/personal-table.ts'

export const qualificationRequestsPersonalData: readonly PersonalTable[] = [
  {
    table: 'qualification_proof',
    column: 'user_id',
    via: { table: 'decision_request', id: 'id', key: 'request_id' },
    export: { section: 'proofs', adds: { file: '(select f.name from stored_file f where f.id = t.file_id)' } },
    merge: { do: 'stay', because: 'belongs to the request, which moves' },
    erased: 'deleted',
  },
]
