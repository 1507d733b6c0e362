// Compares times on the wire and local times of forms with the zone rules of `Intl`, at every clock change of every time zone. `npm test`
// checks chosen cases.
//   npm run check:zones -- --from 2000 --to 2040
import { parseArgs } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import { wireDate } from '#platform/http/time-format.ts'
import { resolveLocalTime, whichOf } from '#platform/i18n/local-time.ts'

const { values } = parseArgs({ options: { from: { type: 'string', default: '2000' }, to: { type: 'string', default: '2040' } } })
const [from, to] = [values.from, values.to].map((year) => Date.UTC(Number(year), 0, 1)) as [number, number]
if (!(from < to)) throw new Error('--from must be a year before --to')

const MINUTE_MS = 60_000
/** No zone changes its clock twice within so few days. */
const STEP_MS = 3 * 24 * 60 * MINUTE_MS

type Change = { at: number; before: number; after: number }
let comparisons = 0
const mismatches: string[] = []

function expect(zone: string, what: string, actual: unknown, expected: unknown): void {
  comparisons++
  if (actual !== expected) mismatches.push(`${zone}, ${what}: ${String(actual)} instead of ${String(expected)}`)
}

/** The offset in milliseconds by the text of `Intl`, such as `GMT-09:30`: other code than the one that is checked. */
function offsetReader(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  return (instant) => {
    const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name)!
    return (sign === '-' ? -1000 : 1000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds))
  }
}

function findChanges(offsetAt: (instant: number) => number): Change[] {
  const changes: Change[] = []
  let before = offsetAt(from)
  for (let instant = from + STEP_MS; instant < to; instant += STEP_MS) {
    const after = offsetAt(instant)
    if (after === before) continue
    let [low, high] = [instant - STEP_MS, instant]
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    changes.push({ at: high, before, after })
    before = after
  }
  return changes
}

function printExpected(instant: number, offset: number): string {
  const minutes = Math.abs(offset) / MINUTE_MS
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${new Date(instant + offset).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${parts.join(':')}`
}

const wallAt = (instant: number, offset: number): Temporal.PlainDateTime =>
  Temporal.PlainDateTime.from(new Date(instant + offset).toISOString().slice(0, 19))

function checkWire(zone: string, { at, before, after }: Change): void {
  for (const distance of [-30 * MINUTE_MS, -1000, 0, 1000, 30 * MINUTE_MS]) {
    const [instant, offset] = [at + distance, distance < 0 ? before : after]
    const printed = wireDate(new Date(instant), zone)
    expect(zone, new Date(instant).toISOString(), printed, printExpected(instant, offset))
    expect(zone, `${printed} read again`, Date.parse(printed), instant)
  }
}

/** A local time within the change is skipped or occurs twice; those before and after it are clear. */
function checkForms(zone: string, { at, before, after }: Change): void {
  const length = Math.abs(after - before)
  const describe = (wall: Temporal.PlainDateTime) => `${wall} in a form`
  for (const [instant, offset] of [
    [at - length - MINUTE_MS, before],
    [at + length + MINUTE_MS, after],
  ] as const) {
    const wall = wallAt(instant, offset)
    const read = resolveLocalTime(wall, zone)
    expect(zone, describe(wall), read.ok && read.at.getTime(), instant)
    expect(zone, `${wall}, which`, whichOf(new Date(instant), zone), undefined)
  }
  const middle = wallAt(at - (after < before ? length / 2 : 0), before).add({ seconds: after > before ? length / 2000 : 0 })
  const read = resolveLocalTime(middle, zone)
  expect(zone, describe(middle), read.ok ? 'clear' : read.reason, after > before ? 'skipped' : 'ambiguous')
  if (after > before) return
  for (const [which, instant] of [
    ['earlier', at - length / 2],
    ['later', at + length / 2],
  ] as const) {
    const chosen = resolveLocalTime(middle, zone, which)
    expect(zone, `${middle}, ${which}`, chosen.ok && chosen.at.getTime(), instant)
    expect(zone, `${new Date(instant).toISOString()}, which`, whichOf(new Date(instant), zone), which)
  }
}

const zones = Intl.supportedValuesOf('timeZone')
let changes = 0
for (const zone of zones) {
  for (const change of findChanges(offsetReader(zone))) {
    changes++
    checkWire(zone, change)
    checkForms(zone, change)
  }
}
for (const mismatch of mismatches.slice(0, 50)) console.log(mismatch)
console.log(
  `${zones.length} zones, ${changes} clock changes from ${values.from} to ${values.to}, ${comparisons} comparisons, ${mismatches.length} differences`,
)
if (mismatches.length || !changes) process.exitCode = 1
