// A realistic load on one node and its database, on this machine: an opening minute, a normal day, a program that reads everything, what
// each kind of request costs, and the rate where it breaks.
//   npm run check:load -- --people 2000 --places 300 --events 2000
//   npm run check:load -- --people 10000 --only-opening
import { parseArgs } from 'node:util'
import { printTable, type Sample, summarise } from '#test/support/load/generator.ts'
import { findLimit, measureCosts, normalDay, openingMinute, readEverything } from '#test/support/load/scenarios.ts'
import { openLoadWorld } from '#test/support/load/world.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '2000' },
    places: { type: 'string', default: '300' },
    events: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '20' },
    requests: { type: 'string', default: '200' },
    'only-opening': { type: 'boolean', default: false },
  },
})
const [people, places, events, seconds, rate, requests] = (
  ['people', 'places', 'events', 'seconds', 'rate', 'requests'] as const
).map((name) => Number(values[name])) as [number, number, number, number, number, number]
const STEPS = [10, 20, 40, 80, 120, 160, 240, 320, 480, 640]
const STEP_SECONDS = 10

const ms = (value: number): string => `${Math.round(value)} ms`
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`

function print(title: string, samples: readonly Sample[]): void {
  console.log(`\n${title}`)
  const byKind = [...Map.groupBy(samples, ({ kind }) => kind), ['all', samples] as const]
  const rows = byKind.map(([kind, all]) => {
    const { count, errors, p50, p95, p99, longest, statuses } = summarise(all)
    return [kind, String(count), percent(errors / count), ms(p50), ms(p95), ms(p99), ms(longest), statuses]
  })
  printTable([['kind', 'requests', 'errors', 'p50', 'p95', 'p99', 'longest', 'answers'], ...rows])
}

const world = await openLoadWorld({ events, people })

async function printCosts(): Promise<void> {
  console.log('cost of a request (CPU time; other load on the machine hardly changes it)')
  const costs = await measureCosts(world, requests)
  printTable([
    ['kind', 'app', 'database', 'bytes', 'transactions'],
    ...costs.map((cost) => [
      cost.name,
      `${cost.appMs.toFixed(2)} ms`,
      `${cost.databaseMs.toFixed(2)} ms`,
      String(Math.round(cost.bytes)),
      cost.transactions.toFixed(1),
    ]),
  ])
}

async function measureOtherParts(): Promise<void> {
  print(`normal day: ${rate} requests a second for ${seconds} s`, await normalDay(world, rate, seconds))

  const reading = await readEverything(world, seconds)
  print(
    `a program that reads everything: ${reading.records} records${reading.isAll ? '' : ', stopped before the end'}`,
    reading.samples,
  )

  if (!reading.isAll) process.exitCode = 1

  console.log('\nsteps until more than 1 % fail or p95 is above 1 s')
  const steps = await findLimit(world, STEPS, STEP_SECONDS)
  const rows = steps.map(({ perSecond, samples, holds }) => {
    const { count, errors, p50, p95, p99 } = summarise(samples)
    return [`${perSecond}/s`, percent(errors / count), ms(p50), ms(p95), ms(p99), holds ? 'holds' : 'breaks']
  })
  printTable([['rate', 'errors', 'p50', 'p95', 'p99', ''], ...rows])
}

try {
  if (!values['only-opening']) await printCosts()
  const opening = await openingMinute(world, { places, seconds })
  print(`opening: ${people} people for ${places} places in ${seconds} s`, opening.samples)
  const { half, most } = opening.untilAnswer
  console.log(`from the first page to the answer: half of the people ${ms(half)}, 95 % ${ms(most)}, queue included`)
  console.log(`${opening.confirmed} confirmed, ${Math.max(0, opening.confirmed - places)} overbooked`)
  if (opening.confirmed !== Math.min(places, people)) process.exitCode = 1
  if (!values['only-opening']) await measureOtherParts()
} finally {
  await world.stop()
}
