import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import type { Outbound, OutboundLimits } from '#platform/outbound/outbound.ts'
import type { Feature } from './feature.ts'
import type { ModuleState } from './modules.ts'

/** What pages and tasks of features are made with. */
export type Runtime = {
  config: Config
  db: Database
  /** For connections of their own. */
  databaseUrl: string
  clock: Clock
  log: Log
  site: Site
  files: FileStore
  /** Every mail to people goes through it. */
  mailer: Mailer
  /** Mails leave this server. */
  hasMail: boolean
  /** Seals backups with a passphrase. Everything else uses the keyring. */
  secretKey: string | undefined
  version: string
  /** Outgoing requests as the configuration permits them. */
  outbound: (limits?: OutboundLimits) => Outbound
  /** A limit that all nodes of the database count together. The same name gives the same limiter. */
  limiter: (name: string, perMinute: number) => RateLimiter
  /** After the last response, before the database is closed. */
  closeLimiters: () => Promise<void>
  features: readonly Feature[]
  modules: ModuleState
}

/** Something of which each server or worker has one, made on first use. */
export function oncePerRuntime<Value>(make: (runtime: Runtime) => Value): (runtime: Runtime) => Value {
  const made = new WeakMap<Runtime, { value: Value }>()
  return (runtime) => {
    const known = made.get(runtime) ?? { value: make(runtime) }
    made.set(runtime, known)
    return known.value
  }
}
