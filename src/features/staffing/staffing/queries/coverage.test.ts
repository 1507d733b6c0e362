import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANN, BEN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findCoverage } from './coverage.ts'

const time = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00:00Z`

test('coverage reports from when until when a driver is missing, and skips shifts with an unknown structure', async () => {
  const world = await openWorld()
  const driver = await world.addQualification('Driver')
  const mix = {
    structure: 'qualification_mix',
    configuration: { qualification_requirements: [{ qualification: driver.id, min_count: 1, max_count: 3 }] },
  }
  const { shifts } = await world.addEvent({
    shifts: [
      { start: time(16), end: time(22), ...mix },
      { start: time(16), end: time(22), structure: 'lottery' },
    ],
  })
  const [shift, strange] = shifts as [number, number]
  await world.holds(ANN, driver)
  await world.holds(BEN, driver)
  await world.addParticipation({ who: ANN, shift, end: time(18) })
  await world.addParticipation({ who: BEN, shift, start: time(20) })
  const coverage = await findCoverage(world.db.read, [shift, strange])
  assert.deepEqual([...coverage.keys()], [shift])
  const { segments, shortages } = coverage.get(shift)!
  assert.deepEqual(
    segments.map(({ present, lacks }) => [present, lacks.length]),
    [
      [1, 0],
      [0, 1],
      [1, 0],
    ],
  )
  const [lack] = shortages
  assert.deepEqual([lack!.start, lack!.end, lack!.needs, lack!.count], [new Date(time(18)), new Date(time(20)), [[driver.id]], 1])
})
