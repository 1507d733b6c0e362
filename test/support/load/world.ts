import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { hashSecret } from '#platform/auth/secrets.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { makeDataset, startDatabases } from '../../../bench/data.ts'
import { addEvent } from '../fixtures.ts'
import { Visitor } from '../process/http-client.ts'
import { endAll, type Server, startServe } from '../process/processes.ts'

const HOUR_MS = 3_600_000
const GROUP = 900_000
const FIRST_PERSON = 1_000_000

export type LoadWorld = {
  node: Server
  db: Database
  databaseUrl: string
  /** The process of PostgreSQL whose children serve connections. */
  dataDir: string
  agent: Agent
  /** Tokens of a volunteer and of an administrator. */
  ann: string
  olga: string
  eventIds: number[]
  people: Visitor[]
  /** An event that all people see. */
  openEvent: number
  stop: () => Promise<void>
}

/** `canCollectGarbage`: for `collectGarbage`. */
type LoadOptions = { events: number; people: number; canCollectGarbage?: boolean }

/** A node with background work on a database of many events, and people with sessions. Without rate limits: all share one address. */
export async function openLoadWorld({ events, people, canCollectGarbage = false }: LoadOptions): Promise<LoadWorld> {
  const databases = await startDatabases()
  const data = await makeDataset(databases.server, events, (line) => console.error(line))
  const db = openDatabase({ url: data.url })
  // `serve` refuses accounts whose passwords may be known.
  await db.writePool.query(`update user_profile set email = replace(email, '@demo.example', '@example.org')`)
  const sessions = await addPeople(db, people)
  const node = await startServe({
    DATABASE_URL: data.url,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
    METRICS_TOKEN,
    SECRET_KEY: 'a key that only load tests use, long enough',
    ...(canCollectGarbage ? { NODE_OPTIONS: '--inspect=127.0.0.1:0' } : {}),
  })
  // As a proxy that keeps its connections. People must not wait for each other on this side.
  const agent = new Agent({ keepAlive: true, maxSockets: 4_096 })
  const name = cookieNames(node.origin).session
  const visitors = sessions.map((session) => {
    const visitor = new Visitor(node.origin, {}, agent)
    visitor.cookies.set(name, session)
    return visitor
  })
  const { event: openEvent } = await addOpenEvent(db, 20)
  const stop = async () => {
    agent.destroy()
    await endAll()
    await db.close()
    await databases.stop()
  }
  return { ...data, node, db, databaseUrl: data.url, dataDir: databases.dir, agent, people: visitors, openEvent, stop }
}

export const METRICS_TOKEN = 'a-token-for-load-tests'

/** Afterwards the heap in use is what the node keeps. With little load, it may not collect by itself for hours. */
export async function collectGarbage({ node }: LoadWorld): Promise<void> {
  const [, url] = await node.says(/Debugger listening on (ws:\S+)/)
  const socket = new WebSocket(url!)
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
  await once(socket, 'message')
  socket.close()
}

/** People of one group, each with a session. */
async function addPeople(db: Database, count: number): Promise<string[]> {
  const sessions = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const hashes = sessions.map((session) => hashSecret(session))
  const query = (text: string, values: unknown[]) => db.writePool.query(text, values)
  await query(`insert into user_group (id, name) values ($1, 'People on their phones')`, [GROUP])
  await query(
    `insert into user_profile (id, email, display_name, date_of_birth, created_at)
     select $1::bigint + n, 'phone' || n || '@example.org', 'Person ' || n, '1990-01-01', now() from generate_series(1, $2::int) n`,
    [FIRST_PERSON, count],
  )
  await query(`insert into user_group_member (group_id, user_id) select $1, $2::bigint + n from generate_series(1, $3::int) n`, [
    GROUP,
    FIRST_PERSON,
    count,
  ])
  await query(
    `insert into session (id_hash, user_id, created_at, last_seen_at, expires_at)
     select hash, $1::bigint + n, now(), now(), now() + interval '7 days' from unnest($2::bytea[]) with ordinality t (hash, n)`,
    [FIRST_PERSON, hashes],
  )
  return sessions
}

/** An event that all people see, with one shift that confirms at once and lets people decline. */
export async function addOpenEvent(db: Database, places: number): Promise<{ event: number; shift: number }> {
  const now = new Date()
  const [start, end] = [48, 52].map((hours) => new Date(now.getTime() + hours * HOUR_MS).toISOString()) as [string, string]
  const { rows } = await db.readPool.query<{ id: number }>('select id from event_type order by id limit 1')
  const shift = {
    start,
    end,
    flow: 'instant_confirmation',
    flowConfiguration: { user_can_decline_confirmed: true },
    configuration: { maximum_number_of_participants: places },
  }
  const seenBy = [{ kind: 'group' as const, id: GROUP, name: 'People on their phones', members: [] }]
  const made = await addEvent(db.write, { title: 'Street festival', type: rows[0]!.id, seenBy, shifts: [shift] }, now)
  return { event: made.id, shift: made.shifts[0]! }
}
