import { getStoredRegion } from '#features/operations/settings/queries.ts'
import type { DatabaseAccess } from '#platform/command-line/command.ts'
import { requireWritableDataDir } from '#platform/command-line/data-directory.ts'
import type { Config } from '#platform/config.ts'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { requireDirectUrl } from '#platform/db/pooler.ts'

/** Of the servers themselves, also if requests use a pooler. */
export const directUrlOf = ({ databaseDirectUrl: directUrl }: Config, url: string): Promise<string> =>
  requireDirectUrl({ url, directUrl })

const UNDEFINED_TABLE = '42P01'

/** Instead of the limits of requests: nobody waits for a page, and on a busy machine a command must not fail for being slow. */
const PATIENT = { statementTimeoutMs: 600_000, connectionTimeoutMs: 60_000 }

/**
 * Time zone and language that the instance stores, where environment variables do not set them. A server
 * follows changes (`followRegion`); commands are short.
 */
export async function withStoredRegion(config: Config, url: string): Promise<Config> {
  const db = openDatabase({ url, reads: 1, writes: 1, timeouts: PATIENT })
  try {
    const stored = await getStoredRegion(db.read)
    return {
      ...config,
      defaultLanguage: config.isLanguageSet ? config.defaultLanguage : (stored.language ?? config.defaultLanguage),
      timeZone: config.isTimeZoneSet ? config.timeZone : (stored.timeZone ?? config.timeZone),
    }
  } catch (error) {
    // A database without migrations stores nothing yet.
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return config
    throw error
  } finally {
    await db.close()
  }
}

/** For commands: connects to the database of a running server, or starts the embedded one for the duration of the command. */
export async function withDatabase<T>(config: Config, work: (access: DatabaseAccess) => Promise<T>): Promise<T> {
  return withUnmigratedDatabase(config, async (access) => {
    await migrate({ url: access.url })
    return work(access)
  })
}

/** Like `withDatabase`, for commands that change nothing. */
export async function withUnmigratedDatabase<T>(config: Config, work: (access: DatabaseAccess) => Promise<T>): Promise<T> {
  if (!config.databaseUrl) requireWritableDataDir(config)
  const server = config.databaseUrl
    ? { url: await directUrlOf(config, config.databaseUrl), stop: async () => {} }
    : await attachEmbedded(config.dataDir)
  try {
    const effective = await withStoredRegion(config, server.url)
    const db = openDatabase({ url: server.url, synchronousCommit: config.synchronousCommit, timeouts: PATIENT })
    try {
      return await work({ db, url: server.url, config: effective })
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
  }
}
