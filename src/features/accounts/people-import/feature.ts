import { people } from '#features/accounts/people/feature.ts'
import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { peopleImportPersonalData } from './personal-data.ts'
import { peopleImportWords } from './words.ts'

export const peopleImport = defineFeature({
  name: 'people-import',
  uses: [qualifications, users, people, settings],
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
})
