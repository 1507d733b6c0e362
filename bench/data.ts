import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadBulk } from '#demo/bulk.ts'
import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { type EmbeddedServer, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { migrate } from '#platform/db/migrate.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { ADDED } from '../src/features.ts'

export const TIME_ZONE = 'Europe/Berlin'
export const keyring = makeKeyring('a key that only benchmarks use, long enough')

/** A database with that many events, tokens of Ann (volunteer) and Olga (administrator), and the session cookie of Olga for pages. */
export type Dataset = { events: number; url: string; ann: string; olga: string; olgaCookie: string; eventIds: number[] }

export type Databases = { server: EmbeddedServer; dir: string; stop: () => Promise<void> }

/** One server for all datasets, so that other load on the machine affects all of them. */
export async function startDatabases(): Promise<Databases> {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-bench-'))
  const server = await startEmbedded(dir)
  const stop = async (): Promise<void> => {
    await server.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  return { server, dir, stop }
}

export async function makeDataset(server: EmbeddedServer, events: number, log: (line: string) => void): Promise<Dataset> {
  const admin = openDatabase({ url: server.url, reads: 1, writes: 1 })
  await admin.writePool.query(`create database bench_${events}`)
  await admin.close()
  const url = server.url.replace('/turnout?', `/bench_${events}?`)
  await migrate({ url })
  const db = openDatabase({ url })
  const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
  const started = performance.now()
  const counts = await loadBulk({
    db,
    language: 'de',
    now: systemClock.now(),
    seed: 'bench',
    events,
    timeZone: TIME_ZONE,
    keyring,
    passwords,
  })
  log(
    `  ${counts.events} events, ${counts.shifts} shifts, ${counts.participations} participations, ${counts.people} people in ${Math.round((performance.now() - started) / 1000)} s`,
  )
  const tokenOf = async (email: string): Promise<string> => {
    const { id } = await db.read.selectFrom('user_profile').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const site = { url: 'http://localhost', timeZone: TIME_ZONE, keyring, tokenMaxDays: 365, added: ADDED }
    const context = { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
    const made = await createPersonalToken(context, id, {
      description: 'bench',
      scopes: ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ'],
      days: 30,
    })
    if (!made.ok) throw new Error(made.reasons.join())
    return made.token
  }
  const cookieOf = async (email: string): Promise<string> => {
    const { id } = await db.read.selectFrom('user_profile').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const session = randomSecret(43)
    const now = systemClock.now()
    const values = { created_at: now, last_seen_at: now, expires_at: new Date(now.getTime() + 24 * 3_600_000) }
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(session), user_id: id, ...values })
      .execute()
    const names = cookieNames(readConfig({}, 'try-out').siteUrl)
    return `${names.session}=${session}; ${names.device}=${randomSecret(32)}`
  }
  const olgaCookie = await cookieOf('olga@demo.example')
  const [ann, olga] = [await tokenOf('ann@demo.example'), await tokenOf('olga@demo.example')]
  // Events with participants that Ann sees; the filter refuses others.
  const { rows } = await db.readPool.query<{ id: number }>(
    `select e.id from event e join user_group_member m on m.user_id = (select id from user_profile where email = 'ann@demo.example')
     join audience a on a.id = e.audience_id and m.group_id = any (a.group_ids)
     where e.listed and exists (select from participation p where p.event_id = e.id and p.state = 1) group by e.id order by e.id limit 2`,
  )
  await db.close()
  return { events, url, ann, olga, olgaCookie, eventIds: rows.map(({ id }) => id) }
}
