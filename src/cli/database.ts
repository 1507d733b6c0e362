import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getStoredRegion } from '#features/operations/settings/queries.ts'
import { type Keyring, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { attachEmbedded, hasCluster } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { requireDirectUrl } from '#platform/db/pooler.ts'
import { OperatorError } from '#platform/operator-error.ts'

export const keyFile = (config: Config): string => join(config.dataDir, 'secret-key')

export const keyringOf = (config: Config): Keyring => makeKeyring(secretKeyOf(config), config.secretKeyOld)

/** False if a command that needs the key would have to generate it. */
export const hasSecretKey = (config: Config): boolean => Boolean(config.secretKey) || existsSync(keyFile(config))

/** Creates the data directory if it is missing. */
export function requireWritableDataDir({ dataDir }: Config): void {
  try {
    makeDirectory(dataDir)
  } catch (error) {
    throw new OperatorError(
      `the data directory ${dataDir} cannot be created (${reasonOf(error)}). Set DATA_DIR to a directory that this user may write.`,
    )
  }
  try {
    rmdirSync(mkdtempSync(join(dataDir, '.writable-')))
  } catch (error) {
    throw new OperatorError(
      `the data directory ${dataDir} is not writable (${reasonOf(error)}). Set DATA_DIR to a directory that this user may write.`,
    )
  }
}

/** Not `recursive`: with it, Node tries forever below a file system such as /proc, and no signal ends that. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'a parent directory does not exist',
  ENOTDIR: 'a parent is not a directory',
  EEXIST: 'it is not a directory',
  ENOSPC: 'the disk is full',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** For commands that need an existing instance: a mistyped DATA_DIR must not create a new one. */
export function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !hasCluster(dataDir)) throw new OperatorError(`there is no database in ${dataDir}. Check DATA_DIR.`)
}

/** From the environment. With the embedded database it is otherwise generated once and stored in DATA_DIR. */
export function secretKeyOf(config: Config): string {
  if (config.secretKey) return config.secretKey
  if (config.databaseUrl && !existsSync(keyFile(config))) {
    throw new ConfigError(['SECRET_KEY is needed: the same as the server of this database uses'])
  }
  if (!existsSync(keyFile(config))) {
    requireWritableDataDir(config)
    writeFileSync(keyFile(config), `${randomSecret(64)}\n`, { mode: 0o600, flag: 'wx' })
  }
  if ((statSync(keyFile(config)).mode & 0o777) !== 0o600) chmodSync(keyFile(config), 0o600)
  return readFileSync(keyFile(config), 'utf8').trim()
}

/** Of the servers themselves, also if requests use a pooler. */
export const directUrlOf = ({ databaseDirectUrl: directUrl }: Config, url: string): Promise<string> =>
  requireDirectUrl({ url, directUrl })

const UNDEFINED_TABLE = '42P01'

/**
 * Time zone and language that the instance stores, where environment variables do not set them. They are read once, so a
 * change takes effect at the next start.
 */
export async function withStoredRegion(config: Config, url: string): Promise<Config> {
  const db = openDatabase({ url, reads: 1, writes: 1 })
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

/** `config` has the time zone and language of the instance. */
type DatabaseAccess = { db: Database; url: string; config: Config }

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
    const db = openDatabase({ url: server.url, synchronousCommit: config.synchronousCommit })
    try {
      return await work({ db, url: server.url, config: effective })
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
  }
}
