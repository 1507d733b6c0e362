import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LimitKind } from '#features/staffing/working-time-limits/rules.ts'
import type { ParticipationOptions } from '#test/support/fixtures.ts'
import { ANN, HELPERS, NORD } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { AGE_UNKNOWN } from '../rules/eligibility.ts'
import { basisOf } from './person-facts.ts'
import { loadShifts } from './shift-facts.ts'

describe('the oldest person of a shift', async () => {
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
    await world.db.write.deleteFrom('work_limit').execute()
    await world.db.write.insertInto('work_limit').values({ kind: limit, value: 1, blocks: true }).execute()
    const who = { kind: 'local', id: ANN.id } as const
    const asked = { givenUp, basis: basisOf(world.db.read, who, [shift]), reached: undefined }
    const { found } = await loadShifts(world.db.read, who, [shift], asked)
    return found[0]!.shift.oldestBirth
  }
  const addShift = async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: '2031-05-04T08:00:00+02:00' }, {}] })
    return shifts
  }
  const CASES: [what: string, who: () => Promise<ParticipationOptions['who']>, state: 0 | 1 | 2 | 3, birth: string | null][] = [
    ['a confirmed person', () => person('1990-01-01'), 1, '1990-01-01'],
    ['a person who asked for a place', () => person('1990-01-01'), 0, null],
    ['a person who declined', () => person('1990-01-01'), 2, null],
    ['a person who was refused', () => person('1990-01-01'), 3, null],
    ['somebody whose age is not known', () => person(null), 1, AGE_UNKNOWN],
    ['a visitor', async () => ({ visitor: born('2015-01-01'), of: NORD }), 1, '2015-01-01'],
    ['a guest', async () => ({ guest: born('2015-01-01') }), 1, '2015-01-01'],
  ]
  for (const [what, who, state, birth] of CASES)
    test(`${what}, in state ${state}: ${birth}`, async () => {
      const [shift, other] = await addShift()
      await world.addParticipation({ who: await who(), shift: shift!, state })
      assert.deepEqual([await load(shift!), await load(other!)], [birth, null])
    })

  test('is the one who was born first', async () => {
    const [shift] = await addShift()
    for (const date of ['2015-01-01', '1990-01-01', '2015-01-01'])
      await world.addParticipation({ who: await person(date), shift: shift! })
    assert.equal(await load(shift!), '1990-01-01')
  })

  test('is not one who would leave', async () => {
    const [shift] = await addShift()
    const leaving = await world.addParticipation({ who: await person('1990-01-01'), shift: shift! })
    assert.equal(await load(shift!, { givenUp: [leaving] }), null)
    await world.addParticipation({ who: await person('1991-01-01'), shift: shift! })
    assert.equal(await load(shift!, { givenUp: [leaving] }), '1991-01-01')
  })

  test('is not loaded where no limit asks for it', async () => {
    const [shift] = await addShift()
    await world.addParticipation({ who: await person('1990-01-01'), shift: shift! })
    assert.deepEqual([await load(shift!), await load(shift!, { limit: 'rest_hours' })], ['1990-01-01', null])
  })

  test('is not loaded while limits are switched off', async () => {
    const [shift] = await addShift()
    await world.addParticipation({ who: await person('1990-01-01'), shift: shift! })
    assert.equal(await load(shift!), '1990-01-01')
    await world.db.write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify(['waiting_list']) })
      .execute()
    assert.equal(await load(shift!), null)
  })
})
