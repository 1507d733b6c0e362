import { once } from 'node:events'
import { createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { App } from '#app'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import { requireWritableDataDir, secretKeyOf } from '#platform/command-line/data-directory.ts'
import type { Config } from '#platform/config.ts'
import { startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { detectPooling, findWrongSettings } from '#platform/db/pooler.ts'
import { prepareTranslations } from '#platform/i18n/catalogue.ts'
import type { Log } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import { directUrlOf, withStoredRegion } from './database.ts'
import { explainFullDisk, freeBytesOf } from './disk-space.ts'
import { loadNamedExtensions } from './load-extensions.ts'
import { compareZoneRules, describeZoneRules } from './zone-check.ts'

export type Instance = { app: App; db: Database; url: string; databaseUrl: string; stop: () => Promise<void> }
export type InstanceOptions = {
  config: Config
  log: Log
  print: (line: string) => void
  /** Of migrations, where a terminal can show it in one line. */
  progress?: ((done: number, total: number) => void) | undefined
  /** Runs before the server accepts connections. */
  prepare?: (db: Database) => Promise<void>
}

/** Starts database, migrations, app, worker and socket; `stop` ends them in reverse order. */
export async function startInstance({ config: given, log, print, progress, prepare }: InstanceOptions): Promise<Instance> {
  // Before anything is changed: migrations and demo data take a while, and are of no use if the server cannot listen.
  if (!given.databaseUrl) requireWritableDataDir(given)
  await requireFreePort(given)
  const secretKey = secretKeyOf(given)
  const keyring = makeKeyring(secretKey, given.secretKeyOld)
  // The app has thousands of modules. They load while the embedded database starts: their import blocks this thread, so it begins in the
  // next turn of the event loop, when the process of the database has been started. A connection to another server would not be
  // answered meanwhile and reach its timeout on a slow machine, so there the modules load later.
  const loading = given.databaseUrl ? undefined : nextTurn().then(() => import('#app'))
  loading?.catch(() => {})
  const explain = (error: unknown): never => {
    const { dataDir } = given
    throw given.databaseUrl ? error : explainFullDisk(error, { dataDir, freeBytes: freeBytesOf(dataDir) })
  }
  const server = given.databaseUrl
    ? { url: await directUrlOf(given, given.databaseUrl), stop: async () => {} }
    : await startEmbedded(given.dataDir, { log: (line) => log.info({ postgres: line }, 'embedded database') }).catch(explain)
  // Latest first. If the start fails, everything must be closed, or the process would not exit.
  const open = [server.stop]
  try {
    await migrate({ url: server.url, log: print, progress }).catch(explain)
    const config = await withStoredRegion(given, server.url)
    const url = given.databaseUrl ?? server.url
    const pooling = await detectPooling(url)
    const { synchronousCommit } = config
    const onError = (error: Error) => log.warn({ err: error }, 'database connection')
    const db = openDatabase({ url, readUrl: given.databaseReadUrl, pooling, synchronousCommit, onError })
    open.unshift(db.close)
    for (const finding of await findWrongSettings(db.writePool, { pooling, synchronousCommit })) log.warn(finding)
    log.info(describeZoneRules(config.timeZone, await compareZoneRules(db, config.timeZone, systemClock.now())))
    await prepare?.(db)
    const clock = systemClock
    const { buildApp } = await (loading ?? import('#app'))
    const extensions = await loadNamedExtensions(config, db, server.url, log)
    open.unshift(extensions.stop)
    const app = await buildApp({
      config,
      databaseUrl: server.url,
      db,
      clock,
      log,
      keyring,
      secretKey,
      extensions: extensions.features,
      mailer: makeMailer({ ...config, clock }),
    })
    open.unshift(() => app.stop({ grace: Promise.resolve() }))
    if (config.worker === 'inline') await app.startWorker()
    const address = await app.app.listen({ host: config.listenHost, port: config.port })
    open[0] = () => app.stop()
    prepareTranslations().catch((err: unknown) => log.error({ err }, 'a file of translators cannot be read'))
    return { app, db, url: address, databaseUrl: server.url, stop: () => close(open) }
  } catch (error) {
    await close(open)
    throw error
  }
}

/** Rejects like `listen` of the server would. */
async function requireFreePort({ listenHost: host, port }: Config): Promise<void> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening')
  probe.close()
  await once(probe, 'close')
}

async function close(open: (() => Promise<void>)[]): Promise<void> {
  for (const end of open) await end()
}
