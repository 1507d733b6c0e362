import { type App, buildApp } from '#app'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import type { AppOptions } from '../src/app-options.ts'
import { keyring, TIME_ZONE } from './data.ts'

/** The app without rate limits and logs, which would distort the measurement. */
export async function openBenchApp(url: string): Promise<{ app: App; db: Database; options: AppOptions }> {
  const config = { ...readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent', WORKER: 'off', TIME_ZONE }, 'try-out'), port: 0 }
  const db = openDatabase({ url })
  const clock = systemClock
  const mailer = makeMailer({ ...config, clock })
  const options = { config, databaseUrl: url, db, clock, log: makeLog('silent'), keyring, mailer }
  return { app: await buildApp(options), db, options }
}
