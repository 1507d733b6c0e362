import { openDatabase } from '#platform/db/pool.ts'
import type { Dataset } from './data.ts'
import { latencies, median, serve, throughput } from './measure.ts'
import { openPageSet, type PageSet } from './session-pages.ts'
import { addFestival } from './timeline.ts'

const ROUNDS = 3

const PAGES: [what: string, path: (set: PageSet) => string, who: 'ann' | 'paul', bar: number][] = [
  ['home of a volunteer', () => '/', 'ann', 0.25],
  ['event page', ({ event }) => `/events/${event}/`, 'ann', 0.4],
  ['event list', () => '/events/', 'ann', 0.4],
  ['calendar', () => '/events/calendar/', 'ann', 0.4],
  ['My shifts', () => '/my-shifts/', 'ann', 0.4],
  ['board of a shift', ({ shift }) => `/shifts/${shift}/disposition/`, 'paul', 0.3],
]

/** `anew`: the page without what is kept, as after each write. */
export type PageRate = { what: string; bar: number; page: number; anew: number; profile: number }

/** Pages to `/api/users/me/`. Alternates, so that other load on the machine affects both. */
export async function measurePageRates(data: Dataset, seconds: number): Promise<PageRate[]> {
  const set = await openPageSet(data.url)
  const app = await serve('./server.ts', [data.url])
  const unkept = await serve('./server.ts', [data.url, 'unkept'])
  const me = { url: `${app.address}/api/users/me/`, token: data.ann }
  const rates: PageRate[] = []
  for (const [what, pathOf, who, bar] of PAGES) {
    const headers = { cookie: set.cookies[who] }
    const first = await fetch(`${app.address}${pathOf(set)}`, { headers, redirect: 'manual' })
    const path = first.headers.get('location') ?? pathOf(set)
    const sums = { page: 0, anew: 0, profile: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      sums.profile += await throughput(me, seconds / ROUNDS)
      sums.page += await throughput({ url: `${app.address}${path}`, headers }, seconds / ROUNDS)
      sums.anew += await throughput({ url: `${unkept.address}${path}`, headers }, seconds / ROUNDS)
    }
    rates.push({ what, bar, page: sums.page / ROUNDS, anew: sums.anew / ROUNDS, profile: sums.profile / ROUNDS })
  }
  await Promise.all([app.stop(), unkept.stop()])
  return rates
}

/** The page of an event with 60 shifts and 300 people, and of one with two shifts, in milliseconds, for an administrator. */
export async function measureLargeEvent({ url, olgaCookie }: Dataset): Promise<{ large: number; small: number }> {
  const large = await addFestival(url)
  const db = openDatabase({ url })
  const { rows } = await db.readPool.query<{ id: number }>(
    `select e.id from event e where e.listed and e.shift_count = 2 and e.start_time > now() order by e.start_time, e.id limit 1`,
  )
  await db.close()
  const app = await serve('./server.ts', [url, 'unkept'])
  const headers = { cookie: olgaCookie, host: 'localhost' }
  const calls = await Promise.all(
    [large, rows[0]!.id].map(async (id) => {
      const first = await fetch(`${app.address}/events/${id}/`, { headers, redirect: 'manual' })
      return { url: `${app.address}${first.headers.get('location')}`, headers }
    }),
  )
  const times: number[][] = [[], []]
  for (let round = -2; round < 10; round++)
    for (const [side, call] of calls.entries()) {
      const measured = await latencies(call, 5)
      if (round >= 0) times[side]!.push(...measured)
    }
  await app.stop()
  return { large: median(times[0]!), small: median(times[1]!) }
}
