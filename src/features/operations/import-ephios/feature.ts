import { identityProviders } from '#features/access/identity-providers/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { redacting } from '#features/accounts/users/points.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { contentPages } from '#features/events/content-pages/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { files } from '#features/events/files/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { resources } from '#features/events/resources/feature.ts'
import { inbox } from '#features/messaging/inbox/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { hours } from '#features/on-the-day/hours/feature.ts'
import { auditLog } from '#features/operations/audit-log/feature.ts'
import { backup } from '#features/operations/backup/feature.ts'
import { modules } from '#features/operations/modules/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteMovedRowsAbout } from './commands/erasure.ts'
import { formerAddressPages } from './pages/former-addresses.ts'

export const importEphios = defineFeature({
  name: 'import-ephios',
  uses: [
    users,
    qualifications,
    people,
    identityProviders,
    buildingBlocks,
    staffing,
    events,
    questionnaires,
    planning,
    requests,
    hours,
    files,
    resources,
    contentPages,
    modules,
    auditLog,
    notifications,
    inbox,
    changeFeed,
    backup,
  ],
  tables: ['moved_in_row'],
  impersonalTables: {
    moved_in_row: 'rows of a former system that could not be imported; an erasure deletes those that name the person',
  },
  pages: formerAddressPages,
  adds: [redacting('rows of the former system', (tx, { pattern }) => deleteMovedRowsAbout(tx, pattern))],
  commands: [
    {
      name: 'import',
      summary: 'Import an ephios database; ids, passwords, tokens and links stay valid',
      load: async () => (await import('./cli/import.ts')).importCommand,
    },
    {
      name: 'import-files',
      summary: 'Import the files of events from the media folder of ephios, after the import; can be repeated',
      load: async () => (await import('./cli/import-files.ts')).importFilesCommand,
    },
  ],
})
