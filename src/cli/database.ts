import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getStoredLanguage } from '#features/instance/queries.ts'
import { type Keyring, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'

export const keyFile = (config: Config): string => join(config.dataDir, 'secret-key')

export const keyringOf = (config: Config): Keyring => makeKeyring(secretKeyOf(config), config.secretKeyOld)

/** From the environment. With the embedded database it is otherwise generated once and stored in DATA_DIR. */
export function secretKeyOf(config: Config): string {
  if (config.secretKey) return config.secretKey
  if (config.databaseUrl && !existsSync(keyFile(config))) {
    throw new ConfigError(['SECRET_KEY is needed: the same as the server of this database uses'])
  }
  if (!existsSync(keyFile(config))) {
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(keyFile(config), `${randomSecret(64)}\n`, { mode: 0o600, flag: 'wx' })
  }
  chmodSync(keyFile(config), 0o600)
  return readFileSync(keyFile(config), 'utf8').trim()
}

/** DEFAULT_LANGUAGE, else the language that an import stored, else the default. */
export async function withLanguage(config: Config, db: Database): Promise<Config> {
  if (config.isLanguageSet) return config
  return { ...config, defaultLanguage: (await getStoredLanguage(db.read)) ?? config.defaultLanguage }
}

type DatabaseAccess = { db: Database; url: string }

/** For commands: connects to the database of a running server, or starts the embedded one for the duration of the command. */
export async function withDatabase<T>(config: Config, work: (access: DatabaseAccess) => Promise<T>): Promise<T> {
  const server = config.databaseUrl ? { url: config.databaseUrl, stop: async () => {} } : await attachEmbedded(config.dataDir)
  try {
    await migrate({ url: server.url })
    const db = openDatabase({ url: server.url, timeZone: config.timeZone })
    try {
      return await work({ db, url: server.url })
    } finally {
      await db.close()
    }
  } finally {
    await server.stop()
  }
}
