import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { openBenchApp } from './app.ts'
import { openPageSet } from './session-pages.ts'

const SHIFTS = 100
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROUNDS = 3
/** The histogram counts what exceeds this. */
const RESOLUTION_MS = 5

export type Blocking = { what: string; seconds: number; longestMs: number; bytes: number }

/** An event that Paul plans, with 100 shifts and many people who may take part. */
async function addLargeEvent(db: Database, people: number): Promise<{ event: number; shift: number }> {
  const { write } = db
  const group = await write.insertInto('user_group').values({ name: 'Festival' }).returning('id').executeTakeFirstOrThrow()
  await sql`insert into user_profile (email, display_name, created_at)
    select 'loop' || n || '@demo.example', 'Helper ' || n, now() from generate_series(1, ${people}::int) n`.execute(write)
  await sql`insert into user_group_member (group_id, user_id)
    select ${group.id}, id from user_profile where email like 'loop%'`.execute(write)
  const paul = await write
    .selectFrom('user_profile')
    .select('id')
    .where('email', '=', 'paul@demo.example')
    .executeTakeFirstOrThrow()
  const from = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20 * DAY_MS
  const made = await addEvent(
    write,
    {
      title: 'Festival of 100 shifts',
      seenBy: [{ kind: 'group', id: group.id, name: '', members: [], permissions: [] }],
      responsible: [{ kind: 'person', id: paul.id, name: '', email: '', dateOfBirth: null, phone: null }],
      shifts: Array.from({ length: SHIFTS }, (_, n) => {
        const start = new Date(from + n * 2 * HOUR_MS).toISOString()
        const configuration = { minimum_number_of_participants: 3, maximum_number_of_participants: 6 }
        const end = new Date(Date.parse(start) + 4 * HOUR_MS).toISOString()
        return { label: `Shift ${n}`, start, meeting: start, end, structure: 'uniform', configuration }
      }),
    },
    new Date(),
  )
  return { event: made.id, shift: made.shifts[0]! }
}

/** How long each page and list keeps the event loop busy at most. The server runs in this process. */
export async function measureEventLoop(url: string, people: number): Promise<Blocking[]> {
  const db = openDatabase({ url })
  const { event, shift } = await addLargeEvent(db, people)
  const { cookies } = await openPageSet(url)
  await db.close()
  const { app, db: served } = await openBenchApp(url)
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  const measured: Blocking[] = []
  try {
    for (const path of [
      '/',
      '/events/',
      '/events/calendar/',
      `/events/${event}/`,
      `/events/${event}/edit/`,
      `/events/${event}/board/`,
      `/events/${event}/grid/`,
      `/events/${event}/roster/`,
      `/events/${event}/roster.csv`,
      `/events/${event}/message/`,
      `/events/${event}/duplicate/`,
      `/shifts/${shift}/disposition/`,
      `/shifts/${shift}/disposition/?q=helper`,
      `/shifts/${shift}/ask/`,
      '/planning/',
      `/planning/fill/?event=${event}`,
      `/planning/fill/?event=${event}&pool=everyone`,
      `/planning/fill/?shift=${shift}&pool=everyone`,
      '/planning/reports/',
      '/manage/people/',
      '/manage/people/export/?format=csv',
      '/api/events/?limit=100',
      `/api/shifts/?event=${event}&limit=100`,
      '/api/users/?limit=100',
      '/api/participations/?limit=100',
    ]) {
      const cookie = path.startsWith('/manage/') ? cookies.olga : cookies.paul
      const found: Blocking[] = []
      // The first answer compiles code; of the others the best one counts, because other programs use the processor, too.
      for (let round = 0; round <= ROUNDS; round++) {
        histogram.reset()
        histogram.enable()
        await sleep(2 * RESOLUTION_MS)
        const since = performance.now()
        const answer = await fetch(`${address}${path}`, { headers: { cookie } })
        const bytes = (await answer.arrayBuffer()).byteLength
        const seconds = (performance.now() - since) / 1000
        await sleep(2 * RESOLUTION_MS)
        histogram.disable()
        const longestMs = Math.max(0, histogram.max / 1e6 - RESOLUTION_MS)
        if (round > 0) found.push({ what: `${answer.status} ${path.replace(/\d{2,}/g, 'n')}`, seconds, longestMs, bytes })
      }
      measured.push(found.sort((a, b) => a.longestMs - b.longestMs)[0]!)
    }
  } finally {
    await app.app.close()
    await served.close()
  }
  return measured
}
