import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readServerPid } from '#platform/db/embedded/embedded.ts'
import { type Answer, ask, type Visitor, withToken } from '../process/http-client.ts'
import { processorMs, readStat } from '../process/processor-time.ts'
import { atRate, isError, percentile, type Sample, summarise, timed } from './generator.ts'
import { addOpenEvent, type LoadWorld } from './world.ts'

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/**
 * Sends a request of a person and follows the queue as a browser does: one sample for each answer that the person sees, so that waiting
 * without seeing anything shows in the longest of them.
 */
async function withQueue(kind: string, visitor: Visitor, send: () => Promise<Answer>): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let next = send; ; ) {
    let answer: Answer | undefined
    const sample = await timed(kind, async () => {
      answer = await next()
      return answer
    })
    const { refresh, location } = answer?.headers ?? {}
    const queued = location?.includes('?queued=') ? location : undefined
    samples.push(refresh === undefined && queued === undefined ? sample : { ...sample, kind: 'queue page' })
    if (queued !== undefined) next = () => visitor.get(queued)
    else if (refresh === undefined) return samples
    else await sleep(Number(refresh) * 1000)
  }
}

/** People open the event, sign up when it opens, and look at the result: most of them in the first seconds. */
export async function openingMinute(world: LoadWorld, { places, seconds }: { places: number; seconds: number }) {
  const { event, shift } = await addOpenEvent(world.db, places)
  // All links to the event have its title in the address.
  const path = (await world.people[0]!.get(`/events/${event}/`)).headers.location!
  /** From the first page to the answer to the sign-up. */
  const done: number[] = []
  const person = async (visitor: Visitor): Promise<Sample[]> => {
    // Half of all come within the first fifth of the time.
    await sleep(Math.random() ** 2.3 * seconds * 1000)
    const begun = performance.now()
    const look = () => withQueue('event page', visitor, () => visitor.get(path))
    const samples = await look()
    const form = { quick: '1', from: 'event' }
    samples.push(...(await withQueue('sign up', visitor, () => visitor.post(`/shifts/${shift}/signup/`, form))))
    done.push(performance.now() - begun)
    return [...samples, ...(await look())]
  }
  const samples = (await Promise.all(world.people.map(person))).flat()
  const { rows } = await world.db.readPool.query<{ count: number }>(
    'select count(*)::int as count from participation where shift_id = $1 and state = 1',
    [shift],
  )
  done.sort((a, b) => a - b)
  const [half, most] = [0.5, 0.95].map((share) => percentile(done, share)) as [number, number]
  return { samples, confirmed: rows[0]!.count, untilAnswer: { half, most } }
}

/** An address without the title of the event leads to the one with it. */
async function followed(visitor: Visitor, path: string) {
  const answer = await visitor.get(path)
  return answer.status >= 300 && answer.status < 400 && answer.headers.location ? visitor.get(answer.headers.location) : answer
}

type Kind = { name: string; share: number; send: (world: LoadWorld) => Promise<{ status: number; body: string }> }

const page = (name: string, share: number, path: (world: LoadWorld) => string): Kind => ({
  name,
  share,
  send: (world) => followed(pick(world.people), path(world)),
})
const api = (name: string, share: number, who: 'ann' | 'olga', path: (world: LoadWorld) => string): Kind => ({
  name,
  share,
  send: (world) => ask(`${world.node.origin}${path(world)}`, { ...withToken(world[who]), agent: world.agent }),
})

/** What people and programs ask for on a day without an opening, by share. */
export const DAY: Kind[] = [
  page('home', 25, () => '/'),
  page('event list', 20, () => '/events/'),
  page('event page', 20, ({ openEvent }) => `/events/${openEvent}/`),
  page('calendar', 5, () => '/events/calendar/'),
  page('my shifts', 5, () => '/my-shifts/'),
  { name: 'sign-in page', share: 5, send: ({ node, agent }) => ask(`${node.origin}/accounts/login/`, { agent }) },
  api('api: users/me', 8, 'ann', () => '/api/users/me/'),
  api('api: events, 50', 8, 'ann', () => '/api/events/?limit=50'),
  api('api: participations of an event', 4, 'olga', ({ eventIds }) => `/api/participations/?event=${eventIds[0]}`),
]

function chooseKind(at: number): Kind {
  const drawn = DAY.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
  return drawn[Math.floor(at * drawn.length)]!
}

export const normalDay = (world: LoadWorld, perSecond: number, seconds: number): Promise<Sample[]> =>
  atRate(perSecond, seconds, async () => {
    const { name, send } = chooseKind(Math.random())
    return [await timed(name, () => send(world))]
  })

const LISTS = ['/api/events/', '/api/shifts/', '/api/users/', '/api/participations-userinfo/']

/** A program that reads all lists, page after page, as fast as it gets them. */
export async function readEverything(
  world: LoadWorld,
  mostSeconds: number,
): Promise<{ samples: Sample[]; records: number; isAll: boolean }> {
  const samples: Sample[] = []
  let records = 0
  const end = performance.now() + mostSeconds * 1000
  for (const path of LISTS) {
    let next: string | null = `${world.node.origin}${path}?limit=100`
    while (next) {
      if (performance.now() > end) return { samples, records, isAll: false }
      const url: string = next
      let body = ''
      samples.push(
        await timed(path, async () => {
          const answer = await ask(url, { ...withToken(world.olga), agent: world.agent })
          body = answer.body
          return answer
        }),
      )
      if (isError(samples.at(-1)!)) return { samples, records, isAll: false }
      const parsed = JSON.parse(body) as { next: string | null; results: unknown[] }
      records += parsed.results?.length ?? 0
      next = parsed.next
    }
  }
  return { samples, records, isAll: true }
}

export type Step = { perSecond: number; samples: Sample[]; holds: boolean }
const MOST_ERRORS = 0.01
const SLOWEST_P95_MS = 1_000

/** Steps up until more than 1 % of the requests fail or one of twenty takes more than a second. */
export async function findLimit(world: LoadWorld, rates: readonly number[], seconds: number): Promise<Step[]> {
  const steps: Step[] = []
  for (const perSecond of rates) {
    const samples = await normalDay(world, perSecond, seconds)
    const { errors, count, p95 } = summarise(samples)
    const holds = errors / count <= MOST_ERRORS && p95 <= SLOWEST_P95_MS
    steps.push({ perSecond, samples, holds })
    if (!holds) break
  }
  return steps
}

export type Cost = { name: string; appMs: number; databaseMs: number; bytes: number; transactions: number }

/** CPU time of the app and of PostgreSQL for one request of each kind. Other load on the machine hardly changes it. */
export async function measureCosts(world: LoadWorld, count: number): Promise<Cost[]> {
  const costs: Cost[] = []
  for (const kind of DAY) costs.push(await measureCost(world, kind, count))
  return [...costs, await measureSignUpCost(world, count)]
}

/** Of the form, the sign-up and the decline together. */
export async function measureSignUpCost(world: LoadWorld, count: number): Promise<Cost> {
  const { shift } = await addOpenEvent(world.db, world.people.length)
  return measureCost(world, { name: 'sign up and decline', send: signUpAndDecline(shift) }, count)
}

async function measureCost(world: LoadWorld, { name, send }: Pick<Kind, 'name' | 'send'>, count: number): Promise<Cost> {
  for (let n = 0; n < 20; n++) await send(world)
  const before = cpuOf(world)
  const begun = await countTransactions(world)
  let bytes = 0
  for (let n = 0; n < count; n++) bytes += Buffer.byteLength((await send(world)).body)
  const after = cpuOf(world)
  return {
    name,
    appMs: (after.app - before.app) / count,
    databaseMs: (after.database - before.database) / count,
    bytes: bytes / count,
    transactions: ((await countTransactions(world)) - begun) / count,
  }
}

/** Two writes: the person is free again afterwards. */
function signUpAndDecline(shift: number): Kind['send'] {
  return async ({ people }) => {
    const visitor = pick(people)
    await visitor.get(`/shifts/${shift}/signup/`)
    await visitor.post(`/shifts/${shift}/signup/`, { quick: '1', from: 'event' })
    return visitor.post(`/shifts/${shift}/decline/`, { from: 'event', sure: '1' })
  }
}

async function countTransactions({ db }: LoadWorld): Promise<number> {
  const { rows } = await db.readPool.query<{ count: number }>(
    'select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = current_database()',
  )
  return rows[0]!.count
}

function cpuOf({ node, dataDir }: LoadWorld): { app: number; database: number } {
  const postmaster = readServerPid(dataDir)
  const own = postmaster ? readStat(postmaster) : undefined
  const children = readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (readStat(pid) ?? []) : []))
  const database = children
    .filter(({ parent }) => parent === postmaster)
    .reduce((sum, { ownMs }) => sum + ownMs, own ? own.ownMs + own.childrenMs : 0)
  return { app: processorMs(node.pid) ?? 0, database }
}
