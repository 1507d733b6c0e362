// npm run bench [-- --quick] [-- --check] [-- --only NAME]: prints ratios measured in one run and their limits.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { solve } from '#features/staffing/auto-fill/rules/solve.ts'
import { largeProblem } from '#test/support/fill-problem.ts'
import { measureSignUpCost } from '#test/support/load/scenarios.ts'
import { openLoadWorld } from '#test/support/load/world.ts'
import { measureFeed } from './changes.ts'
import { measureCrowd } from './crowd.ts'
import { type Databases, type Dataset, makeDataset, startDatabases } from './data.ts'
import { measureEventLoop } from './event-loop.ts'
import { measureForecasts } from './forecast.ts'
import { MOST_BUSY_MS } from './loop-delay.ts'
import { bareLoop, latencies, median, type Served, serve, throughput } from './measure.ts'
import { measureNodes } from './nodes.ts'
import { measureLargeEvent, measurePageRates } from './page-rates.ts'
import { measurePage } from './pages.ts'
import { measurePeopleTimes } from './people-times.ts'
import { makeLargeSet, measureSessionPages, openPageSet } from './session-pages.ts'
import { measureSignUps } from './sign-ups.ts'
import { measureStartUp } from './start-up.ts'
import { statementsOf } from './statements.ts'
import { measureTimeline } from './timeline.ts'
import { measureUnderSignUps, measureUnderWrites } from './under-writes.ts'
import { measureWebhooks } from './webhooks.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    check: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    events: { type: 'string' },
    people: { type: 'string' },
    address: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const seconds = values.quick ? 4 : 10
const large = values.quick ? 20_000 : 200_000

type Row = { what: string; measured: string; value: number; bar: string; passed: boolean | undefined }
const rows: Row[] = []
const atLeast = (what: string, value: number, bar: number, measured: string) =>
  rows.push({ what, measured, value, bar: `≥ ${bar}`, passed: value >= bar })
const atMost = (what: string, value: number, bar: number, measured: string) =>
  rows.push({ what, measured, value, bar: `≤ ${bar}`, passed: value <= bar })
const reported = (what: string, value: number, measured: string) =>
  rows.push({ what, measured, value, bar: 'reported', passed: undefined })
const rate = (value: number): string => `${Math.round(value)}/s`
const logProgress = (line: string): void => console.error(line)

async function compareWithMemory(data: Dataset): Promise<void> {
  const path = '/api/events/?limit=50'
  const app = await serve('./server.ts', [data.url])
  const call = { url: `${app.address}${path}`, token: data.ann }
  const response = await fetch(call.url, { headers: { authorization: `Bearer ${data.ann}` } })
  const etag = response.headers.get('etag')!
  const body = Buffer.from(await response.arrayBuffer())
  const raw = await serve('./raw-server.ts', [], body)
  const cold = await serve('./server.ts', [data.url, 'cold'])
  const ceiling = await throughput({ url: raw.address }, seconds)
  const warm = await throughput(call, seconds)
  const unchanged = await throughput({ ...call, headers: { 'if-none-match': etag } }, seconds, 304)
  const fresh = await throughput({ ...call, url: `${cold.address}${path}` }, seconds)
  const size = `${Math.round(body.length / 1024)} kB`
  atLeast(
    'events?limit=50, warm, to the same bytes from memory',
    warm / ceiling,
    0.4,
    `${rate(warm)} of ${rate(ceiling)}, ${size}`,
  )
  atLeast('events?limit=50, cold, to the same bytes from memory', fresh / ceiling, 0.045, `${rate(fresh)} of ${rate(ceiling)}`)
  atLeast('304 by ETag to the 200', unchanged / warm, 1.5, `${rate(unchanged)} to ${rate(warm)}`)
  await Promise.all([app, raw, cold].map((each) => each.stop()))
}

async function compareWithBareLoops(data: Dataset): Promise<void> {
  const app = await serve('./server.ts', [data.url])
  const [one, two] = data.eventIds
  for (const [path, bar] of [
    ['/api/users/me/', 0.3],
    [`/api/participations/?event=${one}&event=${two}&state=1`, 0.2],
  ] as const) {
    const statements = await statementsOf(data.url, path, { authorization: `Bearer ${data.ann}` })
    const bare = await bareLoop(data.url, statements, seconds)
    const served = await throughput({ url: `${app.address}${path}`, token: data.ann }, seconds)
    atLeast(
      `${path.replace(/\d+/g, 'n')} to a bare pg loop`,
      served / bare,
      bar,
      `${rate(served)} of ${rate(bare)}, ${statements.length} statements`,
    )
  }
  await app.stop()
}

/** Caches depend on what a response shows, not on every commit. */
async function compareUnderWrites(data: Dataset): Promise<void> {
  const path = '/api/events/?limit=50'
  const writes = await measureUnderWrites(data, path, seconds)
  const title = 'events?limit=50, warm, to the same without writes'
  atLeast(
    `${title}, 100 unrelated writes a second`,
    writes.during / writes.before,
    0.8,
    `${rate(writes.during)} of ${rate(writes.before)}`,
  )
  const signUps = await measureUnderSignUps(data, path, seconds)
  const measured = `${rate(signUps.during)} of ${rate(signUps.before)}, ${rate(signUps.perSecond)} sign-ups and declines`
  atLeast(`${title}, 20 sign-ups a second`, signUps.during / signUps.before, 0.7, measured)
}

/** A bar against a loop of its own statements would not show slow statements. */
async function compareWithOwnProfile(data: Dataset): Promise<void> {
  const app = await serve('./server.ts', [data.url])
  const [one, two] = data.eventIds
  const rateOf = (path: string) => throughput({ url: `${app.address}${path}`, token: data.ann }, seconds)
  const profile = await rateOf('/api/users/me/')
  for (const [path, bar] of [
    [`/api/participations/?event=${one}&event=${two}&state=1`, 0.5],
    ['/api/participations/?limit=100', 0.3],
  ] as const) {
    const served = await rateOf(path)
    const what = `${path.replace(/event=\d+/g, 'event=n')} to /api/users/me/`
    atLeast(what, served / profile, bar, `${rate(served)} of ${rate(profile)}`)
  }
  await app.stop()
}

async function compareSignUps(data: Dataset): Promise<void> {
  const { served, bare, bareWithoutFeed, profile, statements } = await measureSignUps(data, seconds)
  const measured = `${rate(served)} of ${rate(bare)}, ${statements} statements each`
  atLeast('sign-ups and declines by API to a bare pg loop', served / bare, 0.25, measured)
  atLeast('sign-ups and declines by API to /api/users/me/', served / profile, 0.2, `${rate(served)} to ${rate(profile)}`)
  atMost('sign-ups and declines by API, statements', statements, 12, `${statements}`)
  const { together, apart } = await measureCrowd(data, seconds)
  const crowd = `${rate(together)} to ${rate(apart)}, 50 connections`
  atLeast('sign-ups and declines on one shift, to the same on 50 shifts', together / apart, 0.5, crowd)
  reported('the same pg loop to one without change triggers', bare / bareWithoutFeed, `${rate(bare)} to ${rate(bareWithoutFeed)}`)
}

async function comparePageRates(data: Dataset): Promise<void> {
  for (const { what, bar, page, anew, profile } of await measurePageRates(data, seconds)) {
    atLeast(`${what}, to /api/users/me/`, page / profile, bar, `${rate(page)} to ${rate(profile)}`)
    reported('the same, made anew for each request', anew / profile, `${rate(anew)} to ${rate(profile)}`)
  }
  const { large, small } = await measureLargeEvent(data)
  const times = `p50 ${large.toFixed(1)} to ${small.toFixed(1)} ms`
  atMost('event page with 60 shifts and 300 people, to one with 2 shifts', large / small, 6, times)
}

/** The steps of a person on pages, with the work of the database. */
async function measurePageSteps(): Promise<void> {
  const world = await openLoadWorld({ events: 2_000, people: 50 })
  const { appMs, databaseMs } = await measureSignUpCost(world, values.quick ? 100 : 300)
  await world.stop()
  const measured = `app ${appMs.toFixed(1)}, database ${databaseMs.toFixed(1)}`
  atMost('form, sign-up and decline by page, CPU in ms', appMs + databaseMs, 25, measured)
}

async function compareNodes(data: Dataset): Promise<void> {
  const { one, two } = await measureNodes(data, seconds)
  reported(
    'events?limit=20, warm, two nodes to one',
    two.perSecond / one.perSecond,
    `${rate(two.perSecond)} to ${rate(one.perSecond)}, ${availableParallelism()} cores`,
  )
  atLeast(
    'the same, for each second that the nodes used a processor',
    two.perProcessorSecond / one.perProcessorSecond,
    0.95,
    `${Math.round(two.perProcessorSecond)} to ${Math.round(one.perProcessorSecond)} requests`,
  )
}

async function measureChanges(data: Dataset): Promise<void> {
  const { pagesPerSecond, slowestMs, listeners, megabytesBefore, megabytes } = await measureFeed(data, seconds)
  reported('page of 100 changes, requests per second', pagesPerSecond, rate(pagesPerSecond))
  const memory = `app ${Math.round(megabytesBefore)} → ${Math.round(megabytes)} MB`
  const title = `from the commit to the last of ${listeners} listeners, seconds`
  atMost(title, slowestMs / 1000, 1, `${Math.round(slowestMs)} ms, slowest of 10; ${memory}`)
}

async function measureDeliveries(data: Dataset): Promise<void> {
  const { perSecond, webhooks, deliveries } = await measureWebhooks(data)
  reported('webhook deliveries per second', perSecond, `${rate(perSecond)}, ${deliveries} to ${webhooks} webhooks`)
}

/** Pages of planners. */
async function measurePages(data: Dataset): Promise<void> {
  const shortages = await measurePage(data, '/planning/')
  atMost(`shortage view at ${data.events} events, seconds`, shortages / 1000, 0.5, `p50 ${shortages.toFixed(0)} ms, 14 days`)
}

function measureAutoFill(): void {
  const problem = largeProblem(1)
  const started = performance.now()
  const { total, bound } = solve(problem)
  const seconds = (performance.now() - started) / 1000
  atMost('auto-fill of 100 shifts with 200 people, seconds', seconds, 10, `${seconds.toFixed(2)} s`)
  atLeast('auto-fill of 100 shifts with 200 people, to the upper bound', total / bound, 0.95, `${total} of ${bound}`)
}

/** Forecasts are shown for types of which they beat "as full as now" by a tenth. */
async function judgeForecasts({ server }: Databases): Promise<void> {
  for (const { what, error, plainError, tries, isShown, within, rightlyShort } of await measureForecasts(server.url)) {
    const share = (value: number | undefined) => (value === undefined ? '–' : `${Math.round(100 * value)} %`)
    const errors = `off by ${error.toFixed(2)} of ${plainError.toFixed(2)} people, ${tries} tries`
    const measured = `${errors}, in range ${share(within)}, “stays short” right ${share(rightlyShort)}, ${isShown ? 'shown' : 'not shown'}`
    const title = `forecast error to “as full as now”, ${what}`
    if (isShown) atMost(title, error / plainError, 0.9, measured)
    else reported(title, plainError ? error / plainError : 1, measured)
  }
}

/** Alternates between both sizes, so that other load on the machine affects both. */
async function compareSizes(small: Dataset, big: Dataset): Promise<void> {
  const sides: [Dataset, Served][] = [
    [small, await serve('./server.ts', [small.url])],
    [big, await serve('./server.ts', [big.url])],
  ]
  const routes: [what: string, path: (data: Dataset) => string, who: 'ann' | 'olga'][] = [
    ['events', () => '/api/events/?limit=20', 'ann'],
    ['shifts', () => '/api/shifts/?limit=20', 'ann'],
    ['users', () => '/api/users/?limit=20', 'olga'],
    ['users/me/participations', () => '/api/users/me/participations/?limit=20', 'ann'],
    ['participations?event=', ({ eventIds }) => `/api/participations/?limit=20&event=${eventIds[0]}`, 'ann'],
    ['participations, unfiltered, by a volunteer', () => '/api/participations/?limit=100', 'ann'],
    ['participations, unfiltered, by an administrator', () => '/api/participations/?limit=100', 'olga'],
  ]
  for (const [what, path, who] of routes) {
    const times: number[][] = [[], []]
    for (let round = -2; round < 20; round++) {
      for (const [i, [data, served]] of sides.entries()) {
        const measured = await latencies({ url: `${served.address}${path(data)}`, token: data[who] }, 10)
        if (round >= 0) times[i]!.push(...measured)
      }
    }
    const [before, after] = times.map(median) as [number, number]
    const measured = `p50 ${before.toFixed(2)} → ${after.toFixed(2)} ms`
    const title = `growth ${small.events} → ${big.events}: ${what}`
    atMost(title, after / before, 1.5, measured)
  }
  await Promise.all(sides.map(([, served]) => served.stop()))
}

const MOST_STATEMENTS = 15

/** Pages by session. Both databases show the same people the same. */
async function compareSessionPages({ server }: Databases, small: Dataset): Promise<void> {
  const largeUrl = await makeLargeSet(server, small.url, large, large / 2)
  const [before, after] = [await openPageSet(small.url), await openPageSet(largeUrl)]
  logProgress(`  ${after.events} events, ${after.people} people`)
  for (const figure of await measureSessionPages(before, after, seconds)) {
    const title = `page: ${figure.what}`
    const sizes = figure.bytes.map((bytes) => Math.round(bytes / 1024)).join(' → ')
    const times = `p50 ${figure.before.toFixed(1)} → ${figure.after.toFixed(1)} ms, ${sizes} kB`
    atMost(`${title}, growth ${before.events} → ${after.events}`, figure.after / figure.before, 1.5, times)
    atMost(`${title}, statements`, figure.statements, MOST_STATEMENTS, `${figure.statements}`)
    atLeast(`${title}, to a bare pg loop`, figure.served / figure.bare, 0.15, `${rate(figure.served)} of ${rate(figure.bare)}`)
  }
}

/** 60 shifts with 300 people. */
async function compareGrid(data: Dataset): Promise<void> {
  const { statements, served, bare, milliseconds, eventMilliseconds } = await measureTimeline(data, seconds)
  const times = `p50 ${milliseconds.toFixed(1)} ms, event page ${eventMilliseconds.toFixed(1)} ms`
  atMost('timeline of 60 shifts × 300 people, to the page of the event', milliseconds / eventMilliseconds, 1, times)
  atMost('timeline, statements', statements, MOST_STATEMENTS, `${statements}`)
  atLeast('timeline, to a bare pg loop', served / bare, 0.1, `${rate(served)} of ${rate(bare)}`)
}

/** 200 people by 31 days. */
async function comparePeopleTimes(data: Dataset): Promise<void> {
  const { people, calendar, statements } = await measurePeopleTimes(data)
  const times = `p50 ${people.toFixed(1)} to ${calendar.toFixed(1)} ms`
  atMost('200 people × 31 days, to the calendar of the month', people / calendar, 2, times)
  atMost('200 people × 31 days, statements', statements, MOST_STATEMENTS, `${statements}`)
}

function print(): void {
  const width = Math.max(4, ...rows.map(({ what }) => what.length))
  console.log(`${'what'.padEnd(width)}  ratio   limit     measured`)
  for (const { what, value, bar, measured, passed } of rows) {
    const verdict = passed === undefined ? ' ' : passed ? '✓' : '✗'
    console.log(`${what.padEnd(width)}  ${value.toFixed(3).padStart(6)}  ${bar.padEnd(8)}${verdict} ${measured}`)
  }
}

async function compareStart(): Promise<void> {
  const { againSeconds, firstSeconds, megabytes } = await measureStartUp()
  atMost('start, database there, seconds', againSeconds, 2, `${againSeconds.toFixed(2)} s`)
  atMost('first start without the install, seconds', firstSeconds, 10, `${firstSeconds.toFixed(2)} s`)
  if (megabytes !== undefined) atMost('app and database, idle, MB (PSS)', megabytes, 250, `${Math.round(megabytes)} MB`)
}

/** With an event of 100 shifts and many people who may take part. */
async function compareEventLoop(data: Dataset): Promise<void> {
  const people = Number(values.people ?? (values.quick ? 1_000 : 100_000))
  const { measured, unmeasured } = await measureEventLoop(data.url, { people, only: values.address ?? '', log: logProgress })
  for (const { what, seconds: took, longestMs, longestCpuMs, bytes } of measured.sort((a, b) => b.longestMs - a.longestMs)) {
    const size = `${longestCpuMs.toFixed(0)} ms of processor time, ${took.toFixed(2)} s, ${Math.round(bytes / 1024)} kB`
    // Other programs on the machine delay turns, too; they take no processor time of this thread.
    atMost(`busy at a time, ms: ${what}`, Math.min(longestMs, longestCpuMs), MOST_BUSY_MS, size)
  }
  // What was refused did not do its work, so its time says nothing.
  const failed = measured.filter(({ what }) => what.startsWith('failed '))
  for (const { what } of failed) rows.push({ what, measured: 'did nothing', value: 1, bar: 'not refused', passed: false })
  logProgress(`  not measured: ${unmeasured.join(' ')}`)
}

/** Parts that measure one database. */
const PARTS: Record<string, (data: Dataset) => Promise<void>> = {
  memory: compareWithMemory,
  loops: compareWithBareLoops,
  profile: compareWithOwnProfile,
  writes: compareUnderWrites,
  'sign-ups': compareSignUps,
  nodes: compareNodes,
  changes: measureChanges,
  webhooks: measureDeliveries,
  pages: measurePages,
  'page-rates': comparePageRates,
  grid: compareGrid,
  'people-times': comparePeopleTimes,
  'event-loop': compareEventLoop,
}
const NAMES = ['auto-fill', 'start', 'page-steps', 'forecast', ...Object.keys(PARTS), 'growth', 'sessions']

const unknown = (values.only ?? []).filter((name) => !NAMES.includes(name))
if (values.help || unknown.length) {
  console.log(
    [
      'npm run bench -- [--quick: compare 200 with 20,000 events] [--check: exit 1 if a limit is exceeded]',
      `  [--only NAME, several times: ${NAMES.join(', ')}] [--events N: measure parts other than growth with N instead of 20,000 events]`,
      '  [--people N: measure the event loop with N more people instead of 100,000, or 1,000 with --quick]',
      '  [--address TEXT: measure the event loop only with addresses and jobs that contain it; commands: what buttons do]',
    ].join('\n'),
  )
  process.exit(values.help ? 0 : 2)
}
const isWanted = (name: string): boolean => !values.only || values.only.includes(name)

const databases = await startDatabases()
try {
  if (isWanted('auto-fill')) measureAutoFill()
  if (isWanted('start')) {
    logProgress('measuring the start …')
    await compareStart()
  }
  if (isWanted('page-steps')) {
    logProgress('measuring steps on pages …')
    await measurePageSteps()
  }
  if (isWanted('forecast')) {
    logProgress('measuring forecasts …')
    await judgeForecasts(databases)
  }
  const parts = Object.entries(PARTS).filter(([name]) => isWanted(name))
  const usual = Number(values.events ?? 20_000)
  logProgress('making the data …')
  const middle =
    parts.length || (isWanted('growth') && large === usual) ? await makeDataset(databases.server, usual, logProgress) : undefined
  for (const [name, measure] of parts) {
    logProgress(`measuring ${name} …`)
    await measure(middle!)
  }
  const small = isWanted('growth') || isWanted('sessions') ? await makeDataset(databases.server, 200, logProgress) : undefined
  if (small && isWanted('sessions')) {
    logProgress('measuring pages by session …')
    await compareSessionPages(databases, small)
  }
  if (small && isWanted('growth')) {
    logProgress('measuring growth …')
    const big = middle?.events === large ? middle : await makeDataset(databases.server, large, logProgress)
    await compareSizes(small, big)
  }
} finally {
  print()
  await databases.stop()
}
// Exiting also ends servers of a failed measurement.
process.exit(values.check && rows.some(({ passed }) => passed === false) ? 1 : 0)
