import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { findCoverage } from '#features/staffing/queries/coverage.ts'
import { openText, placeText, seatText, unmatchedText } from '#features/staffing/views/explanations.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { ANN, BEN, OLGA, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { suggestPlaces } from './suggestion.ts'

const time = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00:00Z`

describe('a suggestion for a stored shift', async () => {
  const world = await openWorld()
  const driver = await world.hasQualification('Driver')
  const truck = await world.hasQualification('Truck driver', [driver])
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('qualification_grant').execute()
  })
  const mix = (min: number) => ({
    structure: 'qualification_mix',
    configuration: { qualification_requirements: [{ qualification: driver.id, min_count: min, max_count: 3 }] },
  })
  const titles = new Map([
    [driver.id, 'Driver'],
    [truck.id, 'Truck driver'],
  ])
  const reasonContext = { words: wordsFor('en', 'UTC'), now: world.now, titleOf: (id: number) => titles.get(id)! }

  test('follows what qualifications include, valid until the end, and leaves out who is confirmed elsewhere by now', async () => {
    const { shifts } = await world.hasEvent({ shifts: [{ start: time(8), end: time(12), ...mix(2) }] })
    const elsewhere = await world.hasEvent({ title: 'Regatta', shifts: [{ start: time(11), end: time(13) }] })
    const shift = shifts[0]!
    await world.holds(ANN, truck)
    await world.holds(BEN, driver)
    await world.holds(PAUL, driver, new Date(time(11)))
    const [ann, ben, paul, crew] = [
      await world.hasParticipation({ who: ANN, shift, state: 0 }),
      await world.hasParticipation({ who: BEN, shift, state: 0 }),
      await world.hasParticipation({ who: PAUL, shift, state: 0 }),
      await world.hasParticipation({ who: { placeholder: 'Crew' }, shift, state: 1 }),
    ]
    await world.hasParticipation({ who: OLGA, shift, state: 2 })
    await world.hasParticipation({ who: BEN, shift: elsewhere.shifts[0]!, state: 1 })
    const { seats, unmatched, open } = (await suggestPlaces(world.db.read, { shiftId: shift }))!
    assert.deepEqual(
      seats.map((seat) => [
        seat.participationId,
        seat.confirm,
        placeText(reasonContext, seat.placeLabel),
        seatText(reasonContext, seat),
      ]),
      [[ann, true, 'Driver', 'Needed here as Driver.']],
    )
    assert.deepEqual(
      unmatched.map(({ participationId, reason }) => [participationId, unmatchedText(reasonContext, reason).replace(/:.*/, '')]),
      [
        [ben, 'Is confirmed elsewhere at that time'],
        [paul, 'Lacks Driver, valid until the end.'],
        [crew, 'Lacks Driver, valid until the end.'],
      ],
    )
    assert.deepEqual(
      open.map((one) => openText(reasonContext, one, String)),
      ['Driver: 1 place is open. Nobody who asked could take it.', 'Driver: 1 place is open.'],
    )
  })

  test('stays with an earlier one between equals', async () => {
    const { shifts } = await world.hasEvent({ shifts: [{ configuration: { maximum_number_of_participants: 1 } }] })
    const shift = shifts[0]!
    const first = await world.hasParticipation({ who: ANN, shift, state: 0 })
    const second = await world.hasParticipation({ who: BEN, shift, state: 0 })
    const seated = async (previous?: Map<number, string>) =>
      (await suggestPlaces(world.db.read, { shiftId: shift, previous }))!.seats.map(({ participationId }) => participationId)
    assert.deepEqual(await seated(), [first])
    assert.deepEqual(await seated(new Map([[second, 'shift.optional']])), [second])
  })

  test('is not made for a shift that is not there or whose structure nobody knows', async () => {
    const { shifts } = await world.hasEvent({ shifts: [{ structure: 'lottery' }] })
    assert.equal(await suggestPlaces(world.db.read, { shiftId: shifts[0]! }), undefined)
    assert.equal(await suggestPlaces(world.db.read, { shiftId: 999_999 }), undefined)
  })

  test('coverage tells from when until when a driver is missing', async () => {
    const { shifts } = await world.hasEvent({
      shifts: [
        { start: time(16), end: time(22), ...mix(1) },
        { start: time(16), end: time(22), structure: 'lottery' },
      ],
    })
    const [shift, strange] = shifts as [number, number]
    await world.holds(ANN, driver)
    await world.holds(BEN, driver)
    await world.hasParticipation({ who: ANN, shift, end: time(18) })
    await world.hasParticipation({ who: BEN, shift, start: time(20) })
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
    assert.deepEqual(
      [lack!.start, lack!.end, lack!.needs, lack!.count],
      [new Date(time(18)), new Date(time(20)), [[driver.id]], 1],
    )
  })
})
