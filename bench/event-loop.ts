import { sql } from 'kysely'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { pagesOf, tasksOf } from '#platform/features/compose.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { makeRuntime } from '../src/app-options.ts'
import { ENDPOINTS } from '../src/endpoints.ts'
import { openBenchApp } from './app.ts'
import { measureCommands } from './event-loop-commands.ts'
import { MOST_BUSY_MS, measureBusy } from './loop-delay.ts'
import { openPageSet } from './session-pages.ts'

const SHIFTS = 100
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ROUNDS = 3
const PEOPLE_AT_ONCE = 500

export type Blocking = { what: string; seconds: number; longestMs: number; longestCpuMs: number; bytes: number }
export type EventLoop = { measured: Blocking[]; unmeasured: string[] }

/** An event that Paul plans, with 100 shifts and many people who may take part. */
async function addLargeEvent(db: Database, people: number): Promise<{ event: number; shift: number }> {
  const { write } = db
  const group = await write.insertInto('user_group').values({ name: 'Festival' }).returning('id').executeTakeFirstOrThrow()
  // In parts, because a statement has a time limit.
  for (let from = 1; from <= people; from += PEOPLE_AT_ONCE)
    await sql`
      with added as (
        insert into user_profile (email, display_name, created_at)
        select 'loop' || n || '@demo.example', 'Helper ' || n, now()
        from generate_series(${from}::int, ${Math.min(people, from + PEOPLE_AT_ONCE - 1)}::int) n returning id)
      insert into user_group_member (group_id, user_id) select ${group.id}, id from added`.execute(write)
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

/** What the holes of addresses stand for, the first that fits: a value, or a table whose first row has it. */
const holesOf = ({ event, shift, person }: { event: number; shift: number; person: number }): [RegExp, number | string][] => [
  [/\{event(:slug)?\}|(?<=^\/api\/events\/)\{id\}/, event],
  [/\{shift\}|(?<=^\/api\/shifts\/)\{id\}/, shift],
  [/(?<=\/(people|users)\/)\{\w+\}|\{user\}/, person],
  [/(?<=groups\/)\{id\}/, 'user_group'],
  [/(?<=participations\/)\{id\}/, 'participation'],
  [/(?<=event-types\/)\{id\}/, 'event_type'],
  [/(?<=manage\/qualifications\/categories\/)\{id\}/, 'qualification_category'],
  [/(?<=qualifications\/)\{id\}/, 'qualification'],
  [/(?<=resources\/)\{id\}/, 'resource'],
  [/(?<=questions\/)\{id\}/, 'question'],
  [/(?<=(blocks|buildingblocks)\/)\{id\}/, 'building_block'],
  [/(?<=entries\/)\{id\}/, 'working_hours'],
  [/(?<=templates\/)\{id\}/, 'event_template'],
  [/(?<=series\/)\{id\}/, 'event_series'],
]

type Place = { event: number; shift: number; person: number }

/** Addresses of all pages and of all endpoints that are read, and those that need what the data do not have, such as a secret link. */
async function findAddresses(db: Database, templates: readonly string[], place: Place) {
  const holes: [RegExp, number][] = []
  for (const [hole, value] of holesOf(place)) {
    if (typeof value === 'number') holes.push([hole, value])
    else {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(value)} order by id limit 1`.execute(db.read)
      if (rows[0]) holes.push([hole, rows[0].id])
    }
  }
  const filled = templates.map((path) => holes.reduce((text, [hole, value]) => text.replace(hole, String(value)), path))
  return { addresses: filled.filter((path) => !path.includes('{')), unmeasured: filled.filter((path) => path.includes('{')) }
}

/** Addresses whose query makes them do more. */
const moreAddresses = ({ event, shift }: Place): string[] => [
  `/shifts/${shift}/disposition/?q=helper`,
  `/shifts/${shift}/ask/?q=helper`,
  `/planning/fill/?event=${event}`,
  `/planning/fill/?event=${event}&pool=everyone`,
  `/planning/fill/?shift=${shift}&pool=everyone`,
  '/planning/people/?view=month',
  '/manage/people/?q=helper',
  '/manage/people/export/?format=xlsx',
  '/api/events/?limit=100',
  `/api/shifts/?event=${event}&limit=100`,
  '/api/users/?limit=100',
  '/api/participations/?limit=100',
]

/** The best of some rounds, because other programs use the processor, too; the first one compiles code. */
async function measureRounds(what: string, work: () => Promise<{ label: string; bytes: number }>): Promise<Blocking> {
  const found: Blocking[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { value, ...busy } = await measureBusy(work)
    if (round > 0) found.push({ ...busy, what: `${value.label} ${what.replace(/\d{2,}/g, 'n')}`, bytes: value.bytes })
    if (found.at(-1) && found.at(-1)!.longestMs <= MOST_BUSY_MS) break
  }
  return found.sort((a, b) => a.longestMs - b.longestMs)[0]!
}

function lineOf({ what, seconds, longestMs, longestCpuMs }: Blocking): string {
  const [delay, cpu] = [longestMs, longestCpuMs].map((ms) => ms.toFixed(0).padStart(5))
  return `  ${delay} ms ${cpu} ms of processor time  ${seconds.toFixed(2).padStart(6)} s  ${what}`
}

/** `only`: part of the addresses and jobs to measure. */
type LoopOptions = { people: number; only: string; log: (line: string) => void }

/** How long each page, endpoint and job keeps the event loop busy at most. The server runs in this process. */
export async function measureEventLoop(url: string, { people, only, log }: LoopOptions): Promise<EventLoop> {
  const db = openDatabase({ url })
  const { event, shift } = await addLargeEvent(db, people)
  const { cookies, person } = await openPageSet(url)
  const { app, db: served, options } = await openBenchApp(url)
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const runtime = makeRuntime(options)
  const pages = pagesOf(runtime).flatMap(({ kind, path }) => (kind === 'action' ? [] : [path]))
  const endpoints = ENDPOINTS.flatMap(({ kind, path }) =>
    kind === 'list' || kind === 'record' || kind === 'document' ? [path] : [],
  )
  const place = { event, shift, person }
  const { addresses, unmeasured } = await findAddresses(db, [...new Set([...pages, ...endpoints])], place)
  const measured: Blocking[] = []
  try {
    for (const path of [...addresses, ...moreAddresses(place)].filter((path) => path.includes(only))) {
      const cookie = /^\/(events|shifts|planning)\//.test(path) ? cookies.paul : cookies.olga
      const blocking = await measureRounds(path, async () => {
        for (;;) {
          const answer = await fetch(`${address}${path}`, { headers: { cookie }, redirect: 'manual' })
          const body = Buffer.from(await answer.arrayBuffer())
          // A page that shows progress asks again until it has its result.
          if (!body.includes('http-equiv="refresh"')) return { label: String(answer.status), bytes: body.length }
        }
      })
      log(lineOf(blocking))
      measured.push(blocking)
    }
    const jobs = tasksOf(runtime).filter(({ schedule }) => schedule)
    for (const { name, run } of jobs.filter(({ name }) => name.includes(only))) {
      const blocking = await measureRounds(name, async () => {
        const isDone = await run({}).then(
          () => true,
          () => false,
        )
        return { label: isDone ? 'job' : 'failed job', bytes: 0 }
      })
      log(lineOf(blocking))
      measured.push(blocking)
    }
    if (!'commands'.includes(only)) return { measured, unmeasured }
    for await (const { value, what, ...busy } of measureCommands({ address, cookie: cookies.paul }, place)) {
      const blocking = { ...busy, what: `${value.label} command: ${what}`, bytes: value.bytes }
      // Jobs that follow entries of the journal have the work that the command left.
      const after = await measureBusy(async () => {
        for (const { run } of jobs) await run({}).catch(() => undefined)
      })
      const left = { ...after, what: `all jobs after the command: ${what}`, bytes: 0 }
      for (const one of [blocking, left]) {
        log(lineOf(one))
        measured.push(one)
      }
    }
  } finally {
    await db.close()
    await app.app.close()
    await served.close()
  }
  return { measured, unmeasured }
}
