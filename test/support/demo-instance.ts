import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { buildApp } from '#app'
import { loadDemoWorld } from '#demo/world.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { makeLog } from '#platform/log.ts'
import type { AppOptions } from '../../src/app-options.ts'
import { openBrowser } from './browser.ts'
import { freshDatabaseFrom, openTestDatabase, PATIENT, type TestDatabase } from './database.ts'
import { makeMemoryStore } from './file-store.ts'
import type { Person } from './people.ts'

/** The fixed time of the demo instance. */
export const NOW = new Date('2026-05-20T09:30:00Z')
export const PASSWORDS = { olga: 'olga needs this', paul: 'paul needs this', ann: 'ann needs this' }

const SECRET_KEY = 'a key of thirty-two bytes or more'
const TIME_ZONE = 'Europe/Berlin'

async function loadSample(url: string, language: SourceLanguage): Promise<void> {
  const db = openTestDatabase({ url })
  const keyring = makeKeyring(SECRET_KEY)
  const fixed = { now: NOW, seed: 7, timeZone: TIME_ZONE, keyring, passwords: PASSWORDS, files: makeMemoryStore() }
  await loadDemoWorld({ db, language, ...fixed })
  await db.close()
}

/** A database with the demo data at the fixed time. Its secrets are sealed with the key of `demoOptions`. */
export const freshDemoDatabase = (): Promise<TestDatabase> =>
  freshDatabaseFrom('turnout_demo_template', async (url) => {
    await loadSample(url, 'de')
    // Texts of the pages are easy to tell from those of the data. Paul reads German pages.
    const db = openTestDatabase({ url })
    await db.write
      .updateTable('user_profile')
      .set({ preferred_language: 'en' })
      .where('email', 'in', ['olga@demo.example', 'ann@demo.example'])
      .execute()
    await db.close()
  })

/** A database of sample data with pages in one language, as people see it who try the program out. */
export const freshSample = (language: SourceLanguage): Promise<TestDatabase> =>
  freshDatabaseFrom(`turnout_sample_${language}`, (url) => loadSample(url, language))

const MAIL = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'turnout@demo.example' }

/**
 * Options of an application that runs at the fixed time and sends no mail. `hasMail`: pages offer what needs mail. `isUnlimited`: one
 * person may send as many requests as the test likes.
 */
export const demoOptions = (url: string, db: Database, { hasMail = false, isUnlimited = false } = {}): AppOptions => ({
  config: readConfig(
    { WORKER: 'off', TIME_ZONE, ...(hasMail ? MAIL : {}), ...(isUnlimited ? { RATE_LIMIT: 'off' } : {}) },
    'try-out',
  ),
  secretKey: SECRET_KEY,
  databaseUrl: url,
  db,
  log: makeLog('silent'),
  keyring: makeKeyring(SECRET_KEY),
  clock: { now: () => NOW },
  mailer: { send: async () => {}, describe: 'nowhere' },
  files: makeMemoryStore(),
  clientTimeouts: PATIENT,
  progressAfterMs: PATIENT.requestMs,
})

export type DemoInstance = { browser: Browser; db: Database; origin: string; close: () => Promise<void> }

/** A server with the demo data, and a browser. Call in `before`, and `close` in `after`. */
export async function openDemoInstance({
  hasMail = false,
  ...options
}: {
  isComplete?: boolean
  hasMail?: boolean
} = {}): Promise<DemoInstance> {
  const { browser, reason } = await openBrowser(options)
  assert.ok(browser, reason)
  const database = await freshDemoDatabase()
  const db = openTestDatabase({ url: database.url })
  const { app } = await buildApp(demoOptions(database.url, db, { hasMail }))
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

type DemoName = keyof typeof PASSWORDS

export async function getDemoPerson({ read }: Database, name: DemoName): Promise<Person> {
  const email = `${name}@demo.example`
  const people = read.selectFrom('user_profile').select(['id', 'display_name']).where('email', '=', email)
  const row = await people.executeTakeFirstOrThrow()
  return { kind: 'person', id: row.id, name: row.display_name, email, dateOfBirth: null, phone: null }
}

export async function signInAs(page: Page, origin: string, name: DemoName): Promise<void> {
  await page.goto(`${origin}/accounts/login/`)
  await page.fill('[name=email]', `${name}@demo.example`)
  await page.fill('[name=password]', PASSWORDS[name])
  await page.click('main form button')
  await page.waitForURL(`${origin}/`)
}

type Entry = { browser: Browser; origin: string; look: BrowserContextOptions; expected?: RegExp }
/** Cookies of a signed-in person. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** For files in which a person enters many times: signs in once, and goes on with the same session. */
export function makeEntrance(browser: Browser, origin: string) {
  const sessions = new Map<DemoName, Promise<SignedIn>>()
  const signIn = async (name: DemoName): Promise<SignedIn> => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    await signInAs(await context.newPage(), origin, name)
    const state = await context.storageState()
    await context.close()
    return state
  }
  return async (name: DemoName, look: BrowserContextOptions): Promise<Awaited<ReturnType<typeof enterAs>>> => {
    const session = sessions.get(name) ?? signIn(name)
    sessions.set(name, session)
    return watchPage(await browser.newContext({ reducedMotion: 'reduce', ...look, storageState: await session }))
  }
}

/** A signed-in page. `close` fails if the console said anything but what is expected. */
export async function enterAs(
  name: DemoName,
  { browser, origin, look, expected }: Entry,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const entered = await watchPage(await browser.newContext({ reducedMotion: 'reduce', ...look }), expected)
  await signInAs(entered.page, origin, name)
  return entered
}

async function watchPage(context: BrowserContext, expected?: RegExp): Promise<{ page: Page; close: () => Promise<void> }> {
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => void (expected?.test(message.text()) || problems.push(message.text())))
  page.on('pageerror', (error) => problems.push(String(error)))
  return {
    page,
    close: async () => {
      assert.deepEqual(problems, [])
      await context.close()
    },
  }
}
