import { type App, buildApp } from '#app'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { makeLog } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import { freshDatabase, openTestDatabase, PATIENT } from '#test/support/database.ts'

export const SITE = 'https://turnout.example'
export const NOW = new Date('2031-05-01T12:00:00Z')

export type TestApp = { app: App; db: Database; close: () => Promise<void> }

/** The real app on an empty database, answering at SITE. */
export async function openTestApp(env: Record<string, string> = {}): Promise<TestApp> {
  const database = await freshDatabase()
  const config = readConfig(
    { SITE_URL: SITE, RATE_LIMIT: 'off', DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...env },
    'command',
  )
  const db = openTestDatabase({ url: database.url })
  const clock = { now: () => NOW }
  const app = await buildApp({
    config,
    databaseUrl: database.url,
    db,
    clock,
    log: makeLog('silent'),
    keyring: makeKeyring('k'.repeat(32)),
    mailer: makeMailer({ ...config, clock }),
    clientTimeouts: PATIENT,
  })
  const close = async () => {
    await app.stop({ grace: Promise.resolve() })
    await db.close()
    await database.drop()
  }
  return { app, db, close }
}

export type Asking = { method?: string; token?: string; headers?: Record<string, string> }

export async function ask({ app }: TestApp, path: string, { method = 'GET', token, headers = {} }: Asking = {}) {
  const credentials = token ? { authorization: `Bearer ${token}` } : {}
  return app.app.inject({
    method: method as 'GET',
    url: path,
    headers: { host: new URL(SITE).host, ...credentials, ...headers },
  })
}

const idOf = async (adding: Promise<{ id: number }>): Promise<number> => (await adding).id

export function addPerson({ db }: TestApp, name: string, facts: { is_superuser?: boolean } = {}): Promise<number> {
  const row = { email: `${name.toLowerCase()}@a.example`, display_name: name, ...facts }
  return idOf(db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow())
}

export async function addToken({ db }: TestApp, userId: number, ...scopes: string[]): Promise<string> {
  const token = `token of ${userId} for ${scopes.join(' and ')}`.replaceAll(' ', '-')
  const row = { token_hash: hashSecret(token), kind: 'personal', user_id: userId, scopes, created_at: NOW }
  await db.write.insertInto('access_token').values(row).execute()
  return token
}

/** Returns the cookie of a new session. */
export async function addSession({ db }: TestApp, userId: number): Promise<string> {
  const session = `session-of-${userId}`
  const row = { id_hash: hashSecret(session), user_id: userId, created_at: NOW, last_seen_at: NOW }
  await db.write
    .insertInto('session')
    .values({ ...row, expires_at: new Date(NOW.getTime() + 3_600_000) })
    .execute()
  return `${cookieNames(SITE).session}=${session}`
}

export type Partner = { id: number; token: string }

export async function addPartner({ db }: TestApp, name: string): Promise<Partner> {
  const facts = { name, url: 'https://nord.example', client_id: 'c', client_secret_sealed: 's' }
  const id = await idOf(db.write.insertInto('federated_guest').values(facts).returning('id').executeTakeFirstOrThrow())
  const token = `federation-token-of-${id}`
  const row = { token_hash: hashSecret(token), kind: 'federation', federated_guest_id: id, created_at: NOW }
  await db.write.insertInto('access_token').values(row).execute()
  return { id, token }
}

export function addVisitor({ db }: TestApp, partner: Partner, name: string): Promise<number> {
  const row = { federated_guest_id: partner.id, email: `${name.toLowerCase()}@nord.example`, display_name: name }
  return idOf(db.write.insertInto('visitor').values(row).returning('id').executeTakeFirstOrThrow())
}

export function addType({ db }: TestApp, title: string): Promise<number> {
  return idOf(db.write.insertInto('event_type').values({ title }).returning('id').executeTakeFirstOrThrow())
}

export type EventFacts = {
  title: string
  type_id: number
  description?: string | null
  location?: string
  active?: boolean
  cancelled_at?: Date
  cancellation_reason?: string
  deleted_at?: Date
}

/** `at`: start and end of its shifts, which have the default structure. */
export async function addEvent(
  { db }: TestApp,
  facts: EventFacts,
  ...at: [string, string][]
): Promise<{ id: number; shifts: number[] }> {
  const row = { location: 'Pier 3', active: true, ...facts }
  const id = await idOf(db.write.insertInto('event').values(row).returning('id').executeTakeFirstOrThrow())
  const shifts: number[] = []
  for (const [start, end] of at) {
    const [start_time, end_time] = [new Date(start), new Date(end)]
    const slugs = { signup_flow_slug: 'manual', structure_slug: 'uniform' }
    const shift = { event_id: id, meeting_time: start_time, start_time, end_time, ...slugs }
    shifts.push(await idOf(db.write.insertInto('shift').values(shift).returning('id').executeTakeFirstOrThrow()))
  }
  return { id, shifts }
}

export async function share({ db }: TestApp, { id }: Partner, ...eventIds: number[]): Promise<void> {
  const rows = eventIds.map((event_id) => ({ event_id, federated_guest_id: id }))
  await db.write.insertInto('event_share').values(rows).execute()
}
