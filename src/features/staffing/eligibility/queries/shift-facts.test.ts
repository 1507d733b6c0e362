import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LimitKind } from '#features/staffing/working-time-limits/rules.ts'
import type { ParticipationOptions } from '#test/support/fixtures.ts'
import { ANN, HELPERS, NORD } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { loadShifts, readSettings } from './shift-facts.ts'

describe('whether an adult is there', async () => {
  const world = await openWorld()
  let made = 0
  const born = (dateOfBirth: string | null) => ({ name: `Person ${++made}`, dateOfBirth })
  const person = async (dateOfBirth: string | null) => {
    const { name } = born(null)
    const who = await world.addPerson({ name })
    await world.db.write.updateTable('user_profile').set({ date_of_birth: dateOfBirth }).where('id', '=', who.id).execute()
    return who
  }
  const load = async (shift: number, { limit = 'minor_accompanied' as LimitKind, givenUp = [] as number[] } = {}) => {
    const settings = readSettings({}, [{ kind: limit, value: 1, blocks: true }] as never)
    const [found] = await loadShifts(world.db.read, { kind: 'local', id: ANN.id }, [shift], { ...settings, givenUp })
    return found!.shift.hasAdult
  }
  const addShift = async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: '2031-05-04T08:00:00+02:00' }, {}] })
    return shifts
  }
  // The shift is on 4 May 2031.
  const CASES: [what: string, who: () => Promise<ParticipationOptions['who']>, state: 0 | 1 | 2 | 3, hasAdult: boolean][] = [
    ['an adult', () => person('1990-01-01'), 1, true],
    ['an adult who asked for a place', () => person('1990-01-01'), 0, false],
    ['an adult who declined', () => person('1990-01-01'), 2, false],
    ['an adult who was refused', () => person('1990-01-01'), 3, false],
    ['somebody who becomes 18 on this day', () => person('2013-05-04'), 1, true],
    ['somebody who becomes 18 on the next day', () => person('2013-05-05'), 1, false],
    ['somebody whose age is not known', () => person(null), 1, true],
    ['a visitor who is an adult', async () => ({ visitor: born('1990-01-01'), of: NORD }), 1, true],
    ['a visitor who is a minor', async () => ({ visitor: born('2015-01-01'), of: NORD }), 1, false],
    ['a guest who is an adult', async () => ({ guest: born('1990-01-01') }), 1, true],
    ['a guest who is a minor', async () => ({ guest: born('2015-01-01') }), 1, false],
  ]
  for (const [what, who, state, hasAdult] of CASES)
    test(`${what}, in state ${state}: ${hasAdult}`, async () => {
      const [shift, other] = await addShift()
      await world.addParticipation({ who: await who(), shift: shift!, state })
      assert.deepEqual([await load(shift!), await load(other!)], [hasAdult, false])
    })

  test('one adult among minors is enough', async () => {
    const [shift] = await addShift()
    for (const date of ['2015-01-01', '1990-01-01', '2015-01-01'])
      await world.addParticipation({ who: await person(date), shift: shift! })
    assert.equal(await load(shift!), true)
  })

  test('an adult who would leave does not count', async () => {
    const [shift] = await addShift()
    const leaving = await world.addParticipation({ who: await person('1990-01-01'), shift: shift! })
    assert.equal(await load(shift!, { givenUp: [leaving] }), false)
    await world.addParticipation({ who: await person('1991-01-01'), shift: shift! })
    assert.equal(await load(shift!, { givenUp: [leaving] }), true)
  })

  test('does not matter where no limit asks for it', async () => {
    const [shift] = await addShift()
    assert.deepEqual([await load(shift!), await load(shift!, { limit: 'rest_hours' })], [false, true])
  })
})
