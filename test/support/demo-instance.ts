import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { buildApp } from '#app'
import { loadDemoWorld } from '#demo/world.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { openBrowser } from './browser.ts'
import { freshDatabase, openTestDatabase } from './database.ts'

/** The fixed time of the demo instance. */
export const NOW = new Date('2026-05-20T09:30:00Z')
export const PASSWORDS = { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' }

export type DemoInstance = { browser: Browser; db: Database; origin: string; close: () => Promise<void> }

/** A server with the demo data, and a browser. Call in `before`, and `close` in `after`. */
export async function openDemoInstance(): Promise<DemoInstance> {
  const { browser, reason } = await openBrowser()
  assert.ok(browser, reason)
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url, timeZone: 'Europe/Berlin' })
  const config = readConfig({ WORKER: 'off' }, 'try-out')
  const keyring = makeKeyring('a key of thirty-two bytes or more')
  await loadDemoWorld({ db, now: NOW, seed: 7, timeZone: config.timeZone, keyring, passwords: PASSWORDS })
  const { app } = await buildApp({
    config,
    databaseUrl: database.url,
    db,
    log: makeLog('silent'),
    keyring,
    clock: { now: () => NOW },
    mailer: { send: async () => {}, describe: 'nowhere' },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    browser,
    db,
    origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    close: async () => {
      await browser.close()
      await app.close()
      await db.close()
      await database.drop()
    },
  }
}
