import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type App, buildApp } from '#app'
import { getStoredLanguage } from '#features/instance/queries.ts'
import { type Keyring, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { attachEmbedded, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import type { Log } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'

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

export type Instance = { app: App; db: Database; url: string; databaseUrl: string; stop: () => Promise<void> }
export type InstanceOptions = {
  config: Config
  log: Log
  print: (line: string) => void
  /** Runs before the server accepts connections. */
  prepare?: (db: Database) => Promise<void>
}

/** Starts database, migrations, app, worker and socket; `stop` ends them in reverse order. */
export async function startInstance({ config, log, print, prepare }: InstanceOptions): Promise<Instance> {
  const secretKey = secretKeyOf(config)
  const keyring = makeKeyring(secretKey, config.secretKeyOld)
  const server = config.databaseUrl
    ? { url: config.databaseUrl, stop: async () => {} }
    : await startEmbedded(config.dataDir, { log: (line) => log.info({ postgres: line }, 'embedded database') })
  // Latest first. If the start fails, everything must be closed, or the process would not exit.
  const open = [server.stop]
  try {
    await migrate({ url: server.url, log: print })
    const db = openDatabase({
      url: server.url,
      timeZone: config.timeZone,
      onError: (error) => log.warn({ err: error }, 'database connection'),
    })
    open.unshift(db.close)
    await prepare?.(db)
    const clock = systemClock
    const app = await buildApp({
      config: await withLanguage(config, db),
      databaseUrl: server.url,
      db,
      clock,
      log,
      keyring,
      secretKey,
      mailer: makeMailer({ ...config, clock }),
    })
    open.unshift(() => app.stop({ graceMs: 0 }))
    if (config.worker === 'inline') await app.startWorker()
    const address = await app.app.listen({ host: config.listenHost, port: config.port })
    open[0] = () => app.stop()
    return { app, db, url: address, databaseUrl: server.url, stop: () => close(open) }
  } catch (error) {
    await close(open)
    throw error
  }
}

/** DEFAULT_LANGUAGE, else the language that an import stored, else the default. */
export async function withLanguage(config: Config, db: Database): Promise<Config> {
  if (config.isLanguageSet) return config
  return { ...config, defaultLanguage: (await getStoredLanguage(db.read)) ?? config.defaultLanguage }
}

async function close(open: (() => Promise<void>)[]): Promise<void> {
  for (const end of open) await end()
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const
const SIGNAL_NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]

/** For the start phase: exit handlers stop the embedded database, which a plain signal would leave running. */
export function exitOnSignal(): void {
  for (const signal of SIGNAL_NAMES) process.on(signal, () => process.exit(128 + SIGNALS[signal]))
}

/** Stops gracefully on the first signal and at once on the second. */
export function stopOnSignal(stop: () => Promise<void>, print: (line: string) => void): void {
  let stopping = false
  for (const signal of SIGNAL_NAMES) {
    process.removeAllListeners(signal)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      print('Stopping …')
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error)
          process.exit(1)
        },
      )
    })
  }
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
