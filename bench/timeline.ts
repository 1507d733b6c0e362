import { openDatabase } from '#platform/db/pool.ts'
import type { Dataset } from './data.ts'
import { bareLoop, latencies, median, serve, throughput } from './measure.ts'
import { statementsOf } from './statements.ts'

const SHIFTS = 60
const PEOPLE = 300

export type TimelineFigures = {
  statements: number
  served: number
  bare: number
  milliseconds: number
  eventMilliseconds: number
}

/** The timeline of a festival, for an administrator, and the page of the same event. */
export async function measureTimeline({ url, olgaCookie }: Dataset, seconds: number): Promise<TimelineFigures> {
  const event = await addFestival(url)
  const headers = { cookie: olgaCookie, host: 'localhost' }
  const path = `/events/${event}/grid/?day=all`
  const app = await serve('./server.ts', [url, 'unkept'])
  const calls = [`${app.address}${path}`, `${app.address}/events/${event}-festival/`].map((address) => ({
    url: address,
    headers,
  }))
  const times: number[][] = [[], []]
  for (let round = -2; round < 10; round++)
    for (const [side, call] of calls.entries()) {
      const measured = await latencies(call, 3)
      if (round >= 0) times[side]!.push(...measured)
    }
  const [milliseconds, eventMilliseconds] = times.map(median) as [number, number]
  const statements = await statementsOf(url, path, headers)
  const served = await throughput(calls[0]!, seconds)
  const bare = await bareLoop(url, statements, seconds)
  await app.stop()
  return { statements: statements.length, served, bare, milliseconds, eventMilliseconds }
}

/** Sixty shifts of three days with five people each: everybody once. Each shift lacks one person. */
export async function addFestival(url: string): Promise<number> {
  const db = openDatabase({ url })
  const run = <Row extends object>(text: string, values: unknown[] = []) => db.writePool.query<Row>(text, values)
  const { rows } = await run<{ id: number }>(
    `insert into event (title, location, type_id, active) select 'Festival', 'Harbour', min(id), true from event_type returning id`,
  )
  const event = rows[0]!.id
  await run(
    `insert into shift (event_id, label, meeting_time, start_time, end_time, signup_flow_slug, structure_slug, structure_configuration,
       confirmed_count, min_count, max_count, missing, free)
     select $1, 'Area ' || n % 12, at, at, at + interval '4 hours', 'instant_confirmation', 'uniform',
       '{"minimum_number_of_participants": 6, "maximum_number_of_participants": 8}', 5, 6, 8, 1, 3
     from generate_series(0, $2::int - 1) n,
       lateral (select date_trunc('day', now()) + make_interval(days => 30 + n % 3, hours => 8 + 4 * (n / 12 % 3)) as at) t`,
    [event, SHIFTS],
  )
  await run(
    `insert into user_profile (email, display_name) select 'festival-' || n || '@demo.example', 'Person ' || n
     from generate_series(1, $1::int) n`,
    [PEOPLE],
  )
  await run(
    `insert into participation (shift_id, event_id, kind, user_id, state, start_time, end_time)
     select s.id, s.event_id, 'local', u.id, 1, s.start_time, s.end_time
     from (select *, row_number() over (order by id) - 1 as place from shift where event_id = $1) s
     join (select id, row_number() over (order by id) - 1 as place from user_profile where email like 'festival-%') u
       on u.place % $2 = s.place`,
    [event, SHIFTS],
  )
  await run('analyze shift, participation')
  await db.close()
  return event
}
