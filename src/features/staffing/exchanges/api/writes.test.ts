import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ANN, BEN, PAUL, type Person } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'

const OWN = '/api/users/me/exchanges/'
type Refused = { body: { errors: { code: string }[] } }
const codes = ({ body }: Refused) => body.errors.map(({ code }) => code)

describe('exchanges by the API', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, pia } = swaps
  const as = (who: Person) => world.as(who, 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE')
  const [ann, other] = [as(ANN), as(cem)]
  beforeEach(() => swaps.clear())

  test('a person looks for a stand-in, and one of those who were asked takes the place', async () => {
    const { shift } = await swaps.addShift(ANN)
    const path = `/api/shifts/${shift}/stand-in/`
    assert.deepEqual(codes(await other.post(path, {})), ['no_place'])
    assert.equal((await as(BEN).post(path, {})).status, 404, 'who does not see the shift')
    assert.deepEqual(codes(await ann.post(path, { size: 101, message: 'x'.repeat(256) })), ['too_big', 'message_long'])
    const tried = await ann.post(path, { message: 'ill' }, { query: 'dry_run=1' })
    assert.deepEqual([tried.status, (await ann.get(OWN)).body.stand_ins], [200, []])
    const { status, body } = await ann.post(path, { message: 'ill' })
    assert.deepEqual([status, body.stand_ins.length, body.stand_ins[0].state], [200, 1, 'open'])
    assert.deepEqual(codes(await ann.post(path, {})), ['searching'])

    const { asked } = (await other.get(OWN)).body
    assert.deepEqual([asked.length, asked[0].shift, asked[0].seeker, asked[0].message], [1, shift, 'Ann', 'ill'])
    const answer = `/api/users/me/stand-ins/${asked[0].id}/answer/`
    assert.equal((await ann.post(answer, { answer: 'yes' })).status, 404, 'who was not asked')
    const taken = await other.post(answer, { answer: 'yes' })
    assert.deepEqual([taken.status, taken.body.asked], [200, []])
    assert.deepEqual(await swaps.confirmed(shift), [[cem.id]])
    assert.equal((await other.post(answer, { answer: 'yes' })).status, 200, 'the same answer again')
    assert.deepEqual(codes(await as(swaps.dora).post(answer, { answer: 'yes' })), ['filled'])
  })

  test('a search is stopped by the person who began it', async () => {
    const { shift } = await swaps.addShift(ANN)
    await ann.post(`/api/shifts/${shift}/stand-in/`, {})
    const { status, body } = await ann.post(`/api/shifts/${shift}/stand-in/cancel/`)
    assert.deepEqual([status, body.stand_ins], [200, []])
    assert.deepEqual(codes(await ann.post(`/api/shifts/${shift}/stand-in/cancel/`)), ['not_searching'])
    assert.deepEqual(await swaps.confirmed(shift), [[ANN.id]])
  })

  test('planners decide, where they have to agree', async () => {
    await swaps.clear('planner')
    const { shift } = await swaps.addShift(ANN)
    await ann.post(`/api/shifts/${shift}/stand-in/`, {})
    const [{ id }] = (await other.get(OWN)).body.asked
    await other.post(`/api/users/me/stand-ins/${id}/answer/`, { answer: 'yes' })
    assert.deepEqual(await swaps.confirmed(shift), [[ANN.id]])
    const decide = `/api/shifts/${shift}/stand-ins/${id}/decide/`
    assert.equal((await ann.post(decide, { agrees: true })).status, 403)
    assert.equal((await as(pia).post(decide, { agrees: true })).status, 404, 'the planner of another event')
    const { status, body } = await as(PAUL).post(decide, { agrees: true })
    assert.deepEqual([status, body.id, body.stand_ins[0].state, body.stand_ins[0].taken_by], [200, shift, 'done', 'Cem'])
    assert.deepEqual(codes(await as(PAUL).post(decide, { agrees: false })), ['gone'])
  })

  test('two people swap their places', async () => {
    const { ann: mine, cem: theirs } = await swaps.addPair()
    const { places } = (await ann.get(`/api/shifts/${mine.shift}/swap-places/`)).body
    assert.deepEqual(
      places.map(({ id, display_name, shift }: Record<string, unknown>) => [id, display_name, shift]),
      [[theirs.place, 'Cem', theirs.shift]],
    )
    assert.equal(await world.as(ANN, 'ME_READ').status(`/api/shifts/${mine.shift}/swap-places/`), 403, 'it names others')
    assert.deepEqual((await other.get(`/api/shifts/${mine.shift}/swap-places/`)).body.places, [], 'without a place')
    const path = `/api/shifts/${mine.shift}/swap/`
    assert.deepEqual(codes(await ann.post(path, { place: 999_999_999 })), ['gone'])
    const { body } = await ann.post(path, { place: theirs.place, message: 'Please' })
    const [{ id }] = body.swaps
    const answer = `/api/users/me/swaps/${id}/answer/`
    assert.equal((await as(swaps.dora).post(answer, { answer: 'yes' })).status, 404)
    assert.deepEqual(codes(await ann.post(answer, { answer: 'yes' })), ['swap_gone'], 'the proposer cannot agree')
    assert.equal((await other.post(answer, { answer: 'yes' })).status, 200)
    assert.deepEqual(await swaps.confirmed(mine.shift, theirs.shift), [[cem.id], [ANN.id]])
  })

  test('a swap is declined, withdrawn, and decided by the planners of both events', async () => {
    await swaps.clear('planner')
    const { ann: mine, cem: theirs } = await swaps.addPair()
    const propose = async () => (await ann.post(`/api/shifts/${mine.shift}/swap/`, { place: theirs.place })).body.swaps[0].id
    const first = await propose()
    const withdraw = `/api/users/me/swaps/${first}/withdraw/`
    assert.equal((await other.post(withdraw)).status, 404, 'only the proposer')
    assert.deepEqual((await ann.post(withdraw)).body.swaps, [])
    const second = await propose()
    assert.deepEqual((await other.post(`/api/users/me/swaps/${second}/answer/`, { answer: 'no' })).body.swaps, [])
    const third = await propose()
    await other.post(`/api/users/me/swaps/${third}/answer/`, { answer: 'yes' })
    const decide = (shift: number) => `/api/shifts/${shift}/swaps/${third}/decide/`
    assert.equal((await as(PAUL).post(decide(mine.shift), { agrees: true })).body.swaps[0].state, 'accepted')
    assert.equal((await as(pia).post(decide(theirs.shift), { agrees: true })).body.swaps[0].state, 'done')
    assert.deepEqual(await swaps.confirmed(mine.shift, theirs.shift), [[cem.id], [ANN.id]])
  })
})
