import { readFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { ADDED } from '../src/features.ts'
import { type Dataset, keyring, TIME_ZONE } from './data.ts'
import { connect, serve, throughput } from './measure.ts'

const LISTENERS = 500
/** A person may have so many streams. */
const PER_PERSON = 10
const COMMITS = 10

/** Of as many people who see the event. */
async function makeTokens({ url }: Dataset, eventId: number, count: number): Promise<string[]> {
  const db = openDatabase({ url })
  const people = await db.read
    .selectFrom('user_group_member')
    .innerJoin('event_group_grant', 'event_group_grant.group_id', 'user_group_member.group_id')
    .where('event_id', '=', eventId)
    .select('user_id')
    .distinct()
    .limit(count)
    .execute()
  if (people.length < count) throw new Error(`only ${people.length} people see the event`)
  const site = { url: 'http://localhost', timeZone: TIME_ZONE, keyring, tokenMaxDays: 365, added: ADDED }
  const context = { db: db.write, actor: ANONYMOUS, now: systemClock.now(), site, requestId: null }
  const tokens: string[] = []
  for (const { user_id } of people) {
    const made = await createPersonalToken(context, user_id, { description: 'bench', scopes: ['PUBLIC_READ'], days: 1 })
    if (!made.ok) throw new Error(made.reasons.join())
    tokens.push(made.token)
  }
  await db.close()
  return tokens
}

/** A client of the stream. `onChange` is called for each change of the event. */
async function openStream(address: string, token: string, onChange: (eventId: number) => void): Promise<ClientRequest> {
  const connected = Promise.withResolvers<void>()
  const client = request(`${address}/api/changes/stream/`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
    if (response.statusCode !== 200) connected.reject(new Error(`a stream answered ${response.statusCode}`))
    let rest = ''
    response.setEncoding('utf8').on('data', (text: string) => {
      connected.resolve()
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (!line.startsWith('data:')) continue
        const change = JSON.parse(line.slice(5)) as { kind: string; id: number }
        if (change.kind === 'event') onChange(change.id)
      }
    })
  })
  client.on('error', (error) => connected.reject(error))
  client.end()
  await connected.promise
  return client
}

/** Resident memory of a process in MB. */
function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

export type FeedFigures = {
  pagesPerSecond: number
  /** Milliseconds from the commit until the last listener had the change; the slowest of several commits. */
  slowestMs: number
  listeners: number
  megabytesBefore: number
  megabytes: number
}

export async function measureFeed(data: Dataset, seconds: number): Promise<FeedFigures> {
  const app = await serve('./server.ts', [data.url])
  const eventId = data.eventIds[0]!
  const writer = await connect(data.url)
  const change = () => writer.query(`update event set location = location || '.' where id = $1`, [eventId])
  const page = `${app.address}/api/changes/`
  const headers = { authorization: `Bearer ${data.ann}` }
  const { next } = (await (await fetch(page, { headers })).json()) as { next: string }
  for (let i = 0; i < 100; i++) await change()
  const pagesPerSecond = await throughput({ url: `${page}?limit=100&after=${next}`, token: data.ann }, seconds)

  const tokens = await makeTokens(data, eventId, LISTENERS / PER_PERSON)
  const megabytesBefore = memoryOf(app.child.pid!)
  let reached = 0
  let all = Promise.withResolvers<void>()
  const onChange = (id: number) => {
    if (id === eventId && ++reached === LISTENERS) all.resolve()
  }
  const streams: ClientRequest[] = []
  for (let i = 0; i < LISTENERS; i++) streams.push(await openStream(app.address, tokens[i % tokens.length]!, onChange))
  let slowestMs = 0
  for (let i = 0; i < COMMITS; i++) {
    reached = 0
    all = Promise.withResolvers<void>()
    await change()
    const committed = performance.now()
    await all.promise
    slowestMs = Math.max(slowestMs, performance.now() - committed)
  }
  const megabytes = memoryOf(app.child.pid!)
  for (const stream of streams) stream.destroy()
  await writer.end()
  await app.stop()
  return { pagesPerSecond, slowestMs, listeners: LISTENERS, megabytesBefore, megabytes }
}
