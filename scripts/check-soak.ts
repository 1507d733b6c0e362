// A moderate load for hours: memory, connections, file handles, table bloat and job backlog must stay level. The 95 % interval of the slope
// decides, after a warm-up of a fifth of the time.
//   npm run check:soak -- --hours 1
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isError, printTable, type Sample, timed } from '#test/support/load/generator.ts'
import { judgeTrend, meansOfBlocks, type Point, trendOf } from '#test/support/load/regression.ts'
import { normalDay } from '#test/support/load/scenarios.ts'
import { addOpenEvent, collectGarbage, type LoadWorld, METRICS_TOKEN, openLoadWorld } from '#test/support/load/world.ts'
import { ask, withToken } from '#test/support/process/http-client.ts'

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '1' },
    rate: { type: 'string', default: '5' },
    every: { type: 'string', default: '5' },
  },
})
const [hours, rate, every] = [Number(values.hours), Number(values.rate), Number(values.every)]
const BLOCKS = 40
const WARM_UP = 0.2

/** What must stay level, and the growth in an hour that still counts as level. */
const WATCHED: [name: string, unit: string, allowedPerHour: (mean: number) => number][] = [
  ['memory of the app', 'MB', (mean) => mean * 0.1],
  ['heap of the app in use', 'MB', (mean) => mean * 0.1],
  ['file handles of the app', '', () => 5],
  ['connections to the database', '', () => 2],
  ['share of dead rows', '%', () => 5],
  ['size of tables without rows that are kept', 'MB', (mean) => Math.max(1, mean * 0.1)],
  ['jobs that are due', '', () => 5],
]

/** Tables that grow with what people do: the journal and what is made of it. */
const KEPT = ['journal', 'change', 'change_pending', 'notification', 'mail', 'participation_history']

async function sample(world: LoadWorld): Promise<number[]> {
  await collectGarbage(world)
  const { body } = await ask(`${world.node.origin}/metrics`, withToken(METRICS_TOKEN))
  const metric = (name: string) => Number(new RegExp(`^turnout_${name} (\\S+)`, 'm').exec(body)?.[1] ?? 0)
  const { rows } = await world.db.readPool.query<{ connections: number; dead: number; bytes: number; due: number }>(
    `select
       (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
       (select coalesce(100.0 * sum(n_dead_tup) / nullif(sum(n_live_tup + n_dead_tup), 0), 0)::float8 from pg_stat_user_tables) as dead,
       (select sum(pg_total_relation_size(relid))::float8 from pg_stat_user_tables
         where schemaname = 'public' and relname <> all ($1::text[])) as bytes,
       (select count(*)::int from graphile_worker.jobs where run_at < now()) as due`,
    [KEPT],
  )
  const { connections, dead, bytes, due } = rows[0]!
  const handles = readdirSync(`/proc/${world.node.pid}/fd`).length
  return [
    metric('process_resident_memory_bytes') / 1e6,
    metric('nodejs_heap_size_used_bytes') / 1e6,
    handles,
    connections,
    dead,
    bytes / 1e6,
    due,
  ]
}

/** People sign up and decline again, so that the number of participations stays. */
async function signUps(world: LoadWorld, shift: number, state: { stopped: boolean }): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let n = 0; !state.stopped; n++) {
    const visitor = world.people[n % world.people.length]!
    await visitor.get(`/shifts/${shift}/signup/`)
    samples.push(await timed('sign up', () => visitor.post(`/shifts/${shift}/signup/`, { quick: '1', from: 'event' })))
    samples.push(await timed('decline', () => visitor.post(`/shifts/${shift}/decline/`, { from: 'event', sure: '1' })))
    await sleep(1_000)
  }
  return samples
}

const world = await openLoadWorld({ events: 500, people: 50, canCollectGarbage: true })
try {
  const { shift } = await addOpenEvent(world.db, 40)
  const state = { stopped: false }
  const writing = signUps(world, shift, state)
  const reading = normalDay(world, rate, hours * 3600)
  const series: Point[][] = WATCHED.map(() => [])
  const begun = performance.now()
  for (let n = 0; performance.now() - begun < hours * 3_600_000; n++) {
    const at = (performance.now() - begun) / 3_600_000
    for (const [which, value] of (await sample(world)).entries()) series[which]!.push({ at, value })
    await sleep(Math.max(0, begun + (n + 1) * every * 1000 - performance.now()))
  }
  state.stopped = true
  const samples = [...(await reading), ...(await writing)]
  const failed = samples.filter(isError).length
  console.log(
    `${samples.length} requests in ${hours} h, ${failed} failed; ${series[0]!.length} samples, first ${WARM_UP * 100} % left out`,
  )
  const rows = WATCHED.map(([name, unit, allowedPerHour], which) => {
    const settled = series[which]!.filter(({ at }) => at >= hours * WARM_UP)
    const trend = trendOf(meansOfBlocks(settled, BLOCKS))
    const allowed = allowedPerHour(trend.mean)
    const verdict = judgeTrend(trend, allowed)
    if (verdict === 'grows') process.exitCode = 1
    const number = (value: number) => value.toFixed(2)
    return [
      `${name}${unit ? `, ${unit}` : ''}`,
      number(trend.mean),
      number(trend.slope),
      `${number(trend.low)} to ${number(trend.high)}`,
      `≤ ${number(allowed)}`,
      verdict,
    ]
  })
  printTable([['what', 'mean', 'slope per hour', '95 % interval', 'level if', 'verdict'], ...rows])
  if (failed) process.exitCode = 1
} finally {
  await world.stop()
}
