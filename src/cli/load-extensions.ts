import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Feature } from '#platform/features/feature.ts'
import type { Log } from '#platform/log.ts'

type Loaded = { features: readonly Feature[]; stop: () => Promise<void> }

/** For a server or worker. Without extensions, their code is not loaded. */
export async function loadNamedExtensions(config: Config, db: Database, databaseUrl: string, log: Log): Promise<Loaded> {
  const known = await db.write.selectFrom('extension').select('name').limit(1).executeTakeFirst()
  if (!config.extensions.length && !known) return { features: [], stop: async () => {} }
  const { FEATURES } = await import('../features.ts')
  const { loadExtensions } = await import('#features/operations/extensions/commands/load.ts')
  const workingFolder = process.cwd()
  return loadExtensions({
    sources: config.extensions,
    workingFolder,
    db,
    databaseUrl,
    ...(config.defaultLanguage ? { language: config.defaultLanguage } : {}),
    log,
    clock: systemClock,
    features: FEATURES,
  })
}
