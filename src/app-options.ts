import { makePeopleMailer } from '#features/messaging/mails/commands/sending.ts'
import type { EventSections } from '#features/planning/planning/pages/form.ts'
import { MAX_PROGRAMME_BYTES } from '#features/planning/programmes/schema.ts'
import { type CalendarAccess, MAX_CALENDAR_BYTES } from '#features/staffing/availability/commands/calendars.ts'
import { makeReadCalendar } from '#features/staffing/availability/commands/read-calendar.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { type Clock, systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { type FileStore, openFileStore } from '#platform/files/store.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Page } from '#platform/http/page.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { ClientTimeouts } from '#platform/http/server.ts'
import { SharedCounts } from '#platform/http/shared-counts.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'

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
  /** Uploaded files. Default: a folder of the data directory. */
  files?: FileStore
  /** Additional endpoints and pages for tests. */
  extra?: { endpoints?: Endpoint[]; pages?: Page[]; sections?: EventSections }
}

/** Limits that all nodes of the database count together. */
export function limitersOf({ config, clock, db, log }: AppOptions): (name: string, perMinute: number) => RateLimiter {
  const onError = (error: Error) => log.warn({ err: error }, 'rate limits could not be shared with other nodes')
  const counts = new SharedCounts({ db: db.write, now: clock === systemClock ? undefined : clock.now, onError })
  return (name, perMinute) => new RateLimiter(clock, name, perMinute, config.rateLimitFactor, { counts })
}

export const outboundOf = ({ outbound, config }: AppOptions): Outbound =>
  outbound ?? makeOutbound({ allow: config.outboundAllow })

/** Servers of calendars write the answer for each request. */
const CALENDAR_DEADLINE_MS = 15_000

/** Private calendars are larger than other responses. */
export const calendarAccessOf = ({ outbound, config }: AppOptions): CalendarAccess => ({
  outbound:
    outbound ?? makeOutbound({ allow: config.outboundAllow, deadlineMs: CALENDAR_DEADLINE_MS, maxBytes: MAX_CALENDAR_BYTES }),
  read: makeReadCalendar(),
})

/** Programmes of large conferences take some megabytes. */
export const programmeOutboundOf = ({ outbound, config }: AppOptions): Outbound =>
  outbound ?? makeOutbound({ allow: config.outboundAllow, maxBytes: MAX_PROGRAMME_BYTES, deadlineMs: 20_000 })

/** Every mail to people goes through it. */
export const mailerOf = (options: AppOptions): Mailer => {
  const { mailer, db, clock, config } = options
  return makePeopleMailer({ mailer, db, clock, site: siteOf(options), bounceAddress: config.bounceAddress })
}

export const filesOf = ({ files, config }: AppOptions): FileStore => files ?? openFileStore(config)

export const siteOf = ({ config, keyring }: AppOptions): Site => ({
  url: config.siteUrl,
  timeZone: config.timeZone,
  keyring,
  tokenMaxDays: config.tokenMaxDays,
  isMailOff: config.mailUrl === undefined,
  defaultLanguage: config.defaultLanguage,
  outboundAllow: config.outboundAllow,
  rateLimitFactor: config.rateLimitFactor,
})
