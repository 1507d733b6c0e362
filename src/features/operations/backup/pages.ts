import type { HealthFact } from '#features/operations/settings/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { getLastBackup } from './queries/backups.ts'

const OLD_AFTER_MS = 36 * 3600_000

/** When the last nightly backup was made, for the page of the organisation. */
export async function backupHealth({ words, now }: RequestContext, { config }: Runtime): Promise<readonly HealthFact[]> {
  const name = words.t('instance.health_backup')
  if (config.backupDir === undefined) return [{ name, isGood: undefined, text: words.t('instance.health_backup_none') }]
  const madeAt = await getLastBackup(config.backupDir)
  if (madeAt === undefined) return [{ name, isGood: false, text: words.t('instance.health_backup_never') }]
  return [{ name, isGood: now.getTime() - madeAt.getTime() <= OLD_AFTER_MS, text: words.dateTime(madeAt) }]
}
