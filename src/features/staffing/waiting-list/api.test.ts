import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Answer } from '#test/support/api-response.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { offerDuePlaces } from './commands/offer.ts'

const codes = ({ body }: Answer) => body.errors.map(({ code }: { code: string }) => code)

describe('waiting lists by the API', async () => {
  const world = await openWorld()
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  const ben = world.as(BEN, 'ME_READ', 'ME_WRITE')
  const paul = world.as(PAUL, 'CONFIDENTIAL_READ')
  const own = '/api/users/me/waiting-list/'
  /** With one place. */
  const addShift = async (day = '2031-05-20') => {
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        {
          start: `${day}T08:00:00Z`,
          end: `${day}T14:00:00Z`,
          flow: 'instant_confirmation',
          flowConfiguration: { user_can_decline_confirmed: true },
          configuration: { maximum_number_of_participants: 1 },
        },
      ],
    })
    await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
    return shifts[0]!
  }
  const lineOf = (shift: number) => `/api/shifts/${shift}/waiting-list/`
  const offer = () => offerDuePlaces({ ...contextAs(world, PAUL), actor: ANONYMOUS })

  test('people join, are listed, leave, and get a place', async () => {
    const shift = await addShift()
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}join/`)), ['not_full'])
    assert.equal((await ann.post(`/api/shifts/${shift}/signup/`, {})).status, 201)
    const joined = await ben.post(`${lineOf(shift)}join/`)
    assert.deepEqual([joined.status, joined.body.shift, joined.body.state, joined.body.position], [201, shift, 'waiting', 1])
    assert.equal(joined.headers.location, `https://a.example${own}${joined.body.id}/`)
    assert.deepEqual((await ben.get(`${own}${joined.body.id}/`)).body, joined.body)
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}join/`)), ['waiting_already'])
    const line = (await paul.get(lineOf(shift))).body
    assert.deepEqual([line.id, line.mode, line.entries.length], [shift, 'automatic', 1])
    assert.deepEqual([line.entries[0].user, line.entries[0].display_name, line.entries[0].state], [BEN.id, BEN.name, 'waiting'])

    const left = await ben.post(`${lineOf(shift)}leave/`)
    assert.deepEqual([left.status, left.body.state, left.body.position], [200, 'withdrawn', null])
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}leave/`)), ['not_waiting'])

    const again = (await ben.post(`${lineOf(shift)}join/`)).body.id
    const answer = (value: string) => ben.post(`${own}${again}/answer/`, { answer: value })
    assert.deepEqual(codes(await answer('yes')), ['withdrawn'], 'nothing is offered yet')
    await ann.post(`/api/shifts/${shift}/decline/`, {})
    await offer()
    const offered = (await ben.get(`${own}${again}/`)).body
    assert.equal(offered.state, 'offered')
    assert.ok(offered.offered_until)
    assert.equal((await ann.post(`${own}${again}/answer/`, { answer: 'yes' })).status, 404, 'of another person')
    const accepted = await answer('yes')
    assert.deepEqual([accepted.status, accepted.body.state], [200, 'accepted'])
    assert.equal((await answer('yes')).status, 200, 'the same answer again')
  })

  test('who does not see the shift cannot wait, and others do not see who waits', async () => {
    const shift = await addShift()
    const vera = world.as(VERA, 'ME_WRITE', 'CONFIDENTIAL_READ')
    for (const step of ['join', 'leave']) assert.equal((await vera.post(`${lineOf(shift)}${step}/`)).status, 404)
    assert.equal(await vera.status(lineOf(shift)), 404)
    assert.equal(await world.as(BEN, 'CONFIDENTIAL_READ').status(lineOf(shift)), 403)
  })

  test('a dry run writes nothing', async () => {
    const shift = await addShift('2031-05-21')
    await ann.post(`/api/shifts/${shift}/signup/`, {})
    const tried = await ben.post(`${lineOf(shift)}join/`, undefined, { query: 'dry_run=true' })
    assert.deepEqual([tried.status, tried.body.position], [200, 1])
    assert.equal((await paul.get(lineOf(shift))).body.entries.length, 0)
  })
})
