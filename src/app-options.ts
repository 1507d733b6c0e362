import { makePeopleMailer } from '#features/messaging/mails/commands/sending.ts'
import { commonSettings, followRegion, readCommonSettings } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { type Clock, systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Feature } from '#platform/features/feature.ts'
import { type ModuleState, makeModuleState } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Page } from '#platform/http/page.ts'
import type { QueueLimits } from '#platform/http/page-queue.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { ClientTimeouts } from '#platform/http/server.ts'
import { SharedCounts } from '#platform/http/shared-counts.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { FEATURES } from './features.ts'
import { VERSION } from './version.ts'

export type AppOptions = {
  config: Config
  /** For the worker's own connections. */
  databaseUrl: string
  db: Database
  clock: Clock
  log: Log
  keyring: Keyring
  mailer: Mailer
  /** Default: outbound requests as `config` permits them. */
  outbound?: Outbound
  /** Seals backups with a passphrase. Everything else uses the keyring. */
  secretKey?: string
  /** Default: the limits of production. */
  clientTimeouts?: ClientTimeouts
  /** Default: those of production. */
  queueLimits?: QueueLimits | undefined
  /** Default: two seconds. */
  progressAfterMs?: number | undefined
  /** Uploaded files. Default: a folder of the data directory. */
  files?: FileStore
  /** What the operator has added. Default: nothing. */
  extensions?: readonly Feature[]
  /** Additional endpoints, pages and features for tests. */
  extra?: { endpoints?: Endpoint[]; pages?: Page[]; features?: Feature[] }
}

/** Limits that all nodes of the database count together. */
function makeLimiters({ config, clock, db, log }: AppOptions): Pick<Runtime, 'limiter' | 'closeLimiters'> {
  const onError = (error: Error) => log.warn({ err: error }, 'rate limits could not be shared with other nodes')
  const counts = new SharedCounts({ db: db.write, now: clock === systemClock ? undefined : clock.now, onError })
  const made = new Map<string, RateLimiter>()
  const limiter = (name: string, perMinute: number) => {
    const found = made.get(name) ?? new RateLimiter(clock, name, perMinute, config.rateLimitFactor, { counts })
    made.set(name, found)
    return found
  }
  const closeLimiters = async () => {
    await Promise.all([...made.values()].map((each) => each.close()))
  }
  return { limiter, closeLimiters }
}

const PROGRESS_AFTER_MS = 2_000

const siteOf = ({ config, keyring, progressAfterMs = PROGRESS_AFTER_MS }: AppOptions, { added }: ModuleState): Site => ({
  url: config.siteUrl,
  timeZone: config.timeZone,
  keyring,
  tokenMaxDays: config.tokenMaxDays,
  isMailOff: config.mailUrl === undefined,
  isTryOut: config.mode === 'try-out',
  isTimeZoneSet: config.isTimeZoneSet,
  isLanguageSet: config.isLanguageSet,
  defaultLanguage: config.defaultLanguage,
  outboundAllow: config.outboundAllow,
  rateLimitFactor: config.rateLimitFactor,
  progressAfterMs,
  added,
})

/** What pages and tasks of features are made with. */
export function makeRuntime(options: AppOptions): Runtime {
  const { config, db, databaseUrl, clock, log, outbound, secretKey, extensions = [], extra } = options
  const features = [...FEATURES, ...extensions, ...(extra?.features ?? [])]
  const modules = makeModuleState(features, {
    read: () => readCommonSettings(db),
    expression: commonSettings,
    onRead: (stored) => setRegion(stored),
  })
  const site = siteOf(options, modules)
  const setRegion = followRegion(site, config)
  return {
    config,
    db,
    databaseUrl,
    clock,
    log,
    site,
    files: options.files ?? openFileStore(config),
    mailer: makePeopleMailer({ mailer: options.mailer, db, clock, site, bounceAddress: config.bounceAddress }),
    hasMail: config.mailUrl !== undefined,
    secretKey,
    version: VERSION,
    outbound: (limits) => outbound ?? makeOutbound({ allow: config.outboundAllow, ...limits }),
    ...makeLimiters(options),
    features,
    modules,
  }
}
