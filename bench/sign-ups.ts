import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { ADDED } from '../src/features.ts'
import { openBenchApp } from './app.ts'
import { type Dataset, keyring, TIME_ZONE } from './data.ts'
import { connect, type Statement, serve } from './measure.ts'
import { recordStatements } from './statements.ts'

/** A person who can sign up for a shift, and decline it again. */
type Pair = { token: string; shiftId: number }

/** As many as the server has connections that write. */
const AT_ONCE = 4

/** Finds people and shifts of different events: a benchmark of locks would measure waiting. */
export async function findPairs(data: Dataset, address: string): Promise<Pair[]> {
  const db = openDatabase({ url: data.url })
  const site = { url: 'http://localhost', timeZone: TIME_ZONE, keyring, tokenMaxDays: 365, added: ADDED }
  const context = { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
  const { rows: people } = await db.readPool.query<{ id: number }>(
    'select id from user_profile where is_active and is_visible order by id limit 40',
  )
  const pairs: Pair[] = []
  const events = new Set<number>()
  for (const { id } of people) {
    if (pairs.length === AT_ONCE) break
    const made = await createPersonalToken(context, id, { description: 'bench', scopes: ['PUBLIC_READ', 'ME_WRITE'], days: 1 })
    if (!made.ok) throw new Error(made.reasons.join())
    const headers = { authorization: `Bearer ${made.token}` }
    const upcoming = new Date(Date.now() + 2 * 86_400_000).toISOString()
    const list = await fetch(`${address}/api/shifts/?limit=100&start_time_after=${encodeURIComponent(upcoming)}`, { headers })
    const { results } = (await list.json()) as { results: { id: number; event_id: number }[] }
    for (const { id: shiftId, event_id } of results) {
      if (events.has(event_id)) continue
      const pair = { token: made.token, shiftId }
      if (!(await isPossible(address, pair))) continue
      events.add(event_id)
      pairs.push(pair)
      break
    }
  }
  await db.close()
  if (pairs.length < AT_ONCE) throw new Error(`only ${pairs.length} people can sign up for a shift`)
  return pairs
}

export const post = (address: string, { token, shiftId }: Pair, step: 'signup' | 'decline') =>
  fetch(`${address}/api/shifts/${shiftId}/${step}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })

export async function isPossible(address: string, pair: Pair): Promise<boolean> {
  if ((await post(address, pair, 'signup')).status !== 201) return false
  return (await post(address, pair, 'decline')).status === 200
}

/** Repeats the work of each pair side by side; returns how often per second all of them together did it. */
export async function rateOf(seconds: number, work: (index: number) => Promise<void>, atOnce = AT_ONCE): Promise<number> {
  let done = 0
  let isOver = false
  const lanes = Array.from({ length: atOnce }, async (_, index) => {
    while (!isOver) {
      await work(index)
      done++
    }
  })
  const started = performance.now()
  await sleep(seconds * 1000)
  isOver = true
  const elapsed = performance.now() - started
  const rate = (done * 1000) / elapsed
  await Promise.all(lanes)
  return rate
}

/** All statements of one sign-up and one decline, transactions included. */
async function statementsOfPair(url: string, pair: Pair): Promise<Statement[]> {
  const { app, db } = await openBenchApp(url)
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  await isPossible(address, pair)
  const statements = await recordStatements(async () => {
    if (!(await isPossible(address, pair))) throw new Error('a sign-up failed while its statements were recorded')
  })
  await app.stop({ grace: Promise.resolve() })
  await db.close()
  return statements
}

export type SignUpRates = {
  served: number
  bare: number
  /** Without the triggers that write the change feed. */
  bareWithoutFeed: number
  /** `/api/users/me/`, with as many connections. */
  profile: number
  statements: number
}

/** Switches the triggers that write the change feed. */
async function switchFeed(client: pg.Client, to: 'enable' | 'disable'): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s ${to} trigger %I', t.tgrelid::regclass, t.tgname) as statement
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and p.prosrc like '%change_pending%' order by 1`,
  )
  if (!rows.length) throw new Error('no trigger writes the change feed')
  for (const { statement } of rows) await client.query(statement)
}

/** Sign-ups per second through the API, and the same statements without the app. */
export async function measureSignUps(data: Dataset, seconds: number): Promise<SignUpRates> {
  const app = await serve('./server.ts', [data.url])
  const pairs = await findPairs(data, app.address)
  const recorded = [await statementsOfPair(data.url, pairs[0]!)]
  for (const pair of pairs.slice(1)) recorded.push(await statementsOfPair(data.url, pair))
  const clients = await Promise.all(pairs.map(() => connect(data.url)))
  const repeat = async (index: number) => {
    for (const [at, { text, values }] of recorded[index]!.entries())
      await clients[index]!.query(values.length ? { name: `s${at}`, text, values } : text)
  }
  const bare = await rateOf(seconds, repeat)
  await switchFeed(clients[0]!, 'disable')
  const bareWithoutFeed = await rateOf(seconds, repeat)
  await switchFeed(clients[0]!, 'enable')
  for (const client of clients) await client.end()
  const served = await rateOf(seconds, async (index) => {
    if (!(await isPossible(app.address, pairs[index]!))) throw new Error('a sign-up failed')
  })
  const profile = await rateOf(seconds, async () => {
    const response = await fetch(`${app.address}/api/users/me/`, { headers: { authorization: `Bearer ${data.ann}` } })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`/api/users/me/ answered ${response.status}`)
  })
  await app.stop()
  return {
    served: served * 2,
    profile,
    bare: bare * 2,
    bareWithoutFeed: bareWithoutFeed * 2,
    statements: Math.round(recorded[0]!.length / 2),
  }
}
