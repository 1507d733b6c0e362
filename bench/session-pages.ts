import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import type { EmbeddedServer } from '#platform/db/embedded/embedded.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { addCopies } from './copies.ts'
import { bareLoop, latencies, median, type Served, serve, throughput } from './measure.ts'
import { statementsOf } from './statements.ts'

const NAMES = ['ann', 'paul', 'olga'] as const
/** Ann is a volunteer, Paul a planner, Olga an administrator. */
type Name = (typeof NAMES)[number]

/** A database, sessions of the people, and what the pages show. */
export type PageSet = {
  events: number
  people: number
  url: string
  cookies: Record<Name, string>
  event: number
  shift: number
  person: number
}

const PAGES: [what: string, path: (set: PageSet) => string, who: Name][] = [
  ['home', () => '/', 'ann'],
  ['home of a planner', () => '/', 'paul'],
  ['list', () => '/events/', 'ann'],
  ['list with “fits me”', () => '/events/?fits=1', 'ann'],
  ['past events', () => '/events/?when=past', 'ann'],
  ['calendar', () => '/events/calendar/', 'ann'],
  ['event', ({ event }) => `/events/${event}/`, 'ann'],
  ['board of an event', ({ event }) => `/events/${event}/board/`, 'paul'],
  ['board of a shift', ({ shift }) => `/shifts/${shift}/disposition/`, 'paul'],
  ['people', () => '/manage/people/', 'olga'],
  ['person', ({ person }) => `/manage/people/${person}/`, 'olga'],
]

/** Copies a database and adds people and events that none of its people see. */
export async function makeLargeSet(server: EmbeddedServer, smallUrl: string, events: number, people: number): Promise<string> {
  const name = `bench_pages_${events}`
  const admin = openDatabase({ url: server.url, reads: 1, writes: 1 })
  await admin.writePool.query(`create database ${name} template ${new URL(smallUrl).pathname.slice(1)}`)
  await admin.close()
  const url = server.url.replace('/turnout?', `/${name}?`)
  const db = openDatabase({ url })
  await addCopies(db, events / 200 - 1, people)
  await db.close()
  return url
}

export async function openPageSet(url: string): Promise<PageSet> {
  const db = openDatabase({ url })
  const names = cookieNames(readConfig({}, 'try-out').siteUrl)
  const signIn = async (name: Name): Promise<string> => {
    const session = randomSecret(43)
    await db.writePool.query(
      `insert into session (id_hash, user_id, user_agent, created_at, last_seen_at, expires_at)
       select $1, id, 'bench', now(), now(), now() + interval '1 day' from user_profile where email = $2`,
      [hashSecret(session), `${name}@demo.example`],
    )
    // Browsers send it with each request after the first.
    return `${names.session}=${session}; ${names.device}=${randomSecret(32)}`
  }
  const cookies = { ann: await signIn('ann'), paul: await signIn('paul'), olga: await signIn('olga') }
  const { rows } = await db.readPool.query<{ event: number; shift: number; person: number; events: number; people: number }>(
    `select e.id as event, s.id as shift, u.id as person, (select count(*) from event) as events,
       (select count(*) from user_profile) as people
     from user_profile u, event e join shift s on s.event_id = e.id join audience a on a.id = e.audience_id
     where u.email = 'ann@demo.example' and e.listed and e.start_time > now() and s.confirmed_count > 1 and e.id < 1000000
       and a.group_ids && array(select group_id from user_group_member where user_id = u.id)
       and exists (select from event_group_grant g join user_group_member m on m.group_id = g.group_id
         join user_profile p on p.id = m.user_id
         where g.event_id = e.id and g.permission = 'change' and p.email = 'paul@demo.example')
     order by e.start_time, e.id limit 1`,
  )
  await db.close()
  return { url, cookies, ...rows[0]! }
}

export type PageFigures = {
  what: string
  statements: number
  served: number
  bare: number
  before: number
  after: number
  bytes: [number, number]
}

/** Alternates between both databases, so that other load on the machine affects both. */
export async function measureSessionPages(small: PageSet, large: PageSet, seconds: number): Promise<PageFigures[]> {
  const sides: [PageSet, Served][] = [
    [small, await serve('./server.ts', [small.url, 'unkept'])],
    [large, await serve('./server.ts', [large.url, 'unkept'])],
  ]
  const figures: PageFigures[] = []
  for (const [what, pathOf, who] of PAGES) {
    const calls = await Promise.all(
      sides.map(async ([set, { address }]) => {
        const headers = { cookie: set.cookies[who] }
        // Events have their title in their address.
        const path = pathOf(set)
        const first = await fetch(`${address}${path}`, { headers, redirect: 'manual' })
        const url = `${address}${first.headers.get('location') ?? path}`
        const bytes = (await (await fetch(url, { headers })).arrayBuffer()).byteLength
        return { url, headers, bytes, path: first.headers.get('location') ?? path }
      }),
    )
    const times: number[][] = [[], []]
    for (let round = -2; round < 10; round++)
      for (const [side, call] of calls.entries()) {
        const measured = await latencies(call, 5)
        if (round >= 0) times[side]!.push(...measured)
      }
    const [before, after] = times.map(median) as [number, number]
    const statements = await statementsOf(large.url, calls[1]!.path, calls[1]!.headers)
    const served = await throughput(calls[1]!, seconds)
    const bare = await bareLoop(large.url, statements, seconds)
    figures.push({ what, statements: statements.length, served, bare, before, after, bytes: [calls[0]!.bytes, calls[1]!.bytes] })
  }
  await Promise.all(sides.map(([, served]) => served.stop()))
  return figures
}
