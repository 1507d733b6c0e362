import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { GaugeSource } from '#platform/http/operations.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { makeBackup } from './commands/backup.ts'
import { backupFileName, findNightlyBackups } from './queries/backups.ts'

export type BackupJobOptions = {
  db: Database
  clock: Clock
  files: FileStore
  config: Pick<Config, 'backupDir' | 'backupKeep' | 'backupPassphrase' | 'siteUrl' | 'defaultLanguage'>
  site: Pick<Site, 'keyring' | 'timeZone' | 'defaultLanguage'>
  secretKey: string | undefined
  version: string
}

/** None without BACKUP_DIR. */
export function backupTasks(options: BackupJobOptions): Task[] {
  const { backupDir } = options.config
  return backupDir ? [{ name: 'nightly_backup', schedule: '30 1 * * *', run: () => backUp(backupDir, options) }] : []
}

/** For monitoring: an alert on the age of the newest backup covers every cause of missing backups. */
export function backupGauges(folder: string | undefined): GaugeSource[] {
  if (!folder) return []
  const newest = async () => (await findNightlyBackups(folder))[0]
  return [
    {
      name: 'turnout_backup_newest_timestamp_seconds',
      help: 'Time of the newest nightly backup; absent if there is none',
      read: async () => {
        const found = await newest()
        return found && found.madeAt.getTime() / 1000
      },
    },
    {
      name: 'turnout_backup_newest_bytes',
      help: 'Size of the newest nightly backup',
      read: async () => (await newest())?.bytes,
    },
  ]
}

async function backUp(folder: string, { db, clock, files, config, site, secretKey, version }: BackupJobOptions): Promise<void> {
  if (config.backupPassphrase && secretKey === undefined) throw new Error('an encrypted backup needs the secret key')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const now = clock.now()
  // On the read pool, so that requests do not wait for it.
  await makeBackup(db.read, {
    path: join(folder, backupFileName(now)),
    passphrase: config.backupPassphrase,
    files,
    keyring: site.keyring,
    secretKey: secretKey ?? '',
    turnout: version,
    now,
    site: { url: config.siteUrl, timeZone: site.timeZone, language: site.defaultLanguage ?? config.defaultLanguage },
  })
  // After the new backup is complete.
  for (const { path } of (await findNightlyBackups(folder)).slice(config.backupKeep)) await rm(path)
}
