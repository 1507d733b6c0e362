import { oauth } from '#features/access/oauth/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { channels } from '#features/messaging/channels/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { modules } from '#features/operations/modules/feature.ts'
import { modulesPage } from '#features/operations/modules/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { layout } from '#platform/features/layout.ts'
import { stoppedPart } from './layout.ts'
import { extensionsSection } from './pages.ts'
import { extensionsWords } from './words.ts'

/** Loads features from outside (`commands/load.ts`), and says which there are. */
export const extensions = defineFeature({
  name: 'extensions',
  uses: [
    oauth,
    users,
    people,
    events,
    planning,
    staffing,
    eligibility,
    disposition,
    channels,
    notificationKinds,
    notifications,
    modules,
    settings,
  ],
  tables: ['extension', 'extension_migration', 'extension_setting'],
  impersonalTables: {
    extension: 'names and versions of code',
    extension_setting: 'keys of services',
    extension_migration: 'the history of their schemas',
  },
  reads: ['event', 'setting', 'shift', 'user_profile'],
  words: extensionsWords,
  adds: [modulesPage.section.add(extensionsSection), layout.ownPart.add(stoppedPart, 6)],
  commands: [
    {
      name: 'extension',
      summary: 'new NAME: write a folder with a working extension; test FOLDER: run its tests',
      load: async () => (await import('./cli.ts')).extension,
    },
  ],
})
