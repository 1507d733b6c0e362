import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { findNightlyBackups } from '#features/operations/backup/queries/backups.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { type Check, isOwnMachine } from '../schema.ts'

/** More than a day, so that one late backup is no finding. */
const MAX_AGE_HOURS = 30

/** Why no file can be written there, such as a service that may write elsewhere only. A folder that does not exist yet is created in its parent. */
export async function findObstacle(folder: string, tryAccess = access): Promise<string | undefined> {
  try {
    await tryAccess(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const parent = dirname(folder)
    return code === 'ENOENT' && parent !== folder ? findObstacle(parent, tryAccess) : message
  }
}

export const backupCheck: Check = {
  area: 'backup',
  find: async ({ config, now, words }) => {
    const { backupDir: folder } = config
    if (!folder) return [{ state: isOwnMachine(config) ? 'info' : 'bad', text: words.t('status.backup_none') }]
    const [newest] = await findNightlyBackups(folder)
    const reason = await findObstacle(folder)
    if (reason !== undefined) return [{ state: 'bad', text: words.t('status.backup_unwritable', { folder, reason }) }]
    if (!newest) return [{ state: 'bad', text: words.t('status.backup_never', { folder, command: `${TURNOUT} backup FILE` }) }]
    const hours = (now.getTime() - newest.madeAt.getTime()) / 3600_000
    if (hours > MAX_AGE_HOURS) return [{ state: 'bad', text: words.t('status.backup_old', { count: Math.round(hours) }) }]
    const when = words.dateTime(newest.madeAt)
    return [{ state: 'good', text: words.t('status.backup_newest', { when, size: Math.ceil(newest.bytes / 1e6) }) }]
  },
}
