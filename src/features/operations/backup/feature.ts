import { extensions } from '#features/operations/extensions/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { installationHooks } from '#features/operations/settings/points.ts'
import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { backupGauges, backupTasks } from './jobs.ts'
import { getLastBackup } from './queries/backups.ts'

export const backup = defineFeature({
  name: 'backup',
  uses: [settings, changeFeed, extensions],
  tasks: backupTasks,
  gauges: ({ config }) => backupGauges(config.backupDir),
  adds: [installationHooks.add({ getLastBackup })],
  commands: [
    {
      name: 'backup',
      summary: 'Write all data to one file; works while the server is running. BACKUP_PASSPHRASE encrypts it',
      load: async () => (await import('./cli/backup.ts')).backup,
    },
    {
      name: 'restore',
      summary: 'Restore a backup; the file is verified before anything is changed',
      load: async () => (await import('./cli/restore.ts')).restore,
    },
  ],
})
