import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { zoneOf } from './zone.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Apia',
]
const HOUR = 3_600_000

function compare(name: string, instant: number) {
  const zone = zoneOf(name)
  const here = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name)
  const wall = here.toPlainDateTime()
  const first = wall.toZonedDateTime(name, { disambiguation: 'earlier' }).epochMilliseconds
  const second = wall.toZonedDateTime(name, { disambiguation: 'later' }).epochMilliseconds
  const when = here.toString()
  assert.equal(zone.offsetAt(instant), here.offsetNanoseconds / 1e6, when)
  assert.equal(zone.isRepeated(instant), first !== second, when)
  assert.equal(zone.instantOf(instant + zone.offsetAt(instant)), first, when)
  // Clock times that are skipped, too.
  const other = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO('UTC').toPlainDateTime()
  assert.equal(zone.instantOf(instant), other.toZonedDateTime(name).epochMilliseconds, `${other} in ${name}`)
}

test('agrees with Temporal about offsets and repeated hours at any time', () => {
  const instants = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) })
  fc.assert(fc.property(fc.constantFrom(...ZONES), instants, compare), { numRuns: 200 })
})

test('agrees with Temporal around every clock change of ten years', () => {
  for (const name of ZONES) {
    let at = Temporal.Instant.from('2020-01-01T00:00Z').toZonedDateTimeISO(name)
    for (;;) {
      const next = at.getTimeZoneTransition('next')
      if (!next || next.year >= 2030) break
      for (const shift of [-HOUR - 1, -HOUR, -HOUR / 2, -1, 0, 1, HOUR / 2, HOUR - 1, HOUR])
        for (const wall of [0, zoneOf(name).offsetAt(next.epochMilliseconds), zoneOf(name).offsetAt(next.epochMilliseconds - 1)])
          compare(name, next.epochMilliseconds + shift + wall)
      at = next
    }
  }
})
