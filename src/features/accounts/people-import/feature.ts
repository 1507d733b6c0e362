import { families } from '#features/accounts/families/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing, redacting } from '#features/accounts/users/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteImportedRowsAbout, deleteImportedRowsOf } from './commands/start.ts'
import { peopleImportTasks } from './jobs.ts'
import { exportPage } from './pages/export.ts'
import { peopleImportPages } from './pages/import.ts'
import { peopleImportPersonalData } from './personal-data.ts'
import { peopleImportWords } from './words.ts'

export const peopleImport = defineFeature({
  name: 'people-import',
  uses: [qualifications, users, people, settings, families],
  tables: ['people_import', 'people_import_row'],
  reads: [
    'event_user_grant',
    'external_identity',
    'group_permission',
    'guardianship',
    'participation',
    'qualification',
    'qualification_grant',
    'session',
    'user_group',
    'user_group_member',
    'user_permission',
    'user_profile',
    'working_hours',
  ],
  words: peopleImportWords,
  personalData: peopleImportPersonalData,
  pages: ({ files, hasMail }) => [exportPage, ...peopleImportPages({ files, hasMail })],
  tasks: peopleImportTasks,
  adds: [
    erasing('imported rows', deleteImportedRowsOf),
    redacting('rows of imports', (tx, { pattern }) => deleteImportedRowsAbout(tx, pattern)),
  ],
  commands: [
    {
      name: 'people',
      summary: 'Import people from a CSV or Excel file, or export them in the same form',
      load: async () => (await import('./cli.ts')).people,
    },
  ],
})
