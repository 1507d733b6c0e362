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

  test('own entries are the newest first, with the place in their own list, while the shift is there', async () => {
    const first = await addShift('2031-06-10')
    const second = await addShift('2031-06-11')
    for (const shift of [first, second]) await ann.post(`/api/shifts/${shift}/signup/`, {})
    const cem = await world.addPerson({ name: 'Cem', email: 'cem@a.example' })
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: cem.id }).execute()
    const other = world.as(cem, 'ME_READ', 'ME_WRITE')
    const join = async (caller: typeof ben, shift: number) => (await caller.post(`${lineOf(shift)}join/`)).body
    const [cems, bens] = [await join(other, first), await join(ben, first)]
    assert.deepEqual([cems.position, bens.position], [1, 2])
    const later = await join(ben, second)
    assert.equal(later.position, 1)
    const { event, event_title, label, start_time, end_time, since, offered_until } = later
    const stored = await world.db.read
      .selectFrom('shift')
      .innerJoin('event', 'event.id', 'shift.event_id')
      .select(['event.id', 'event.title', 'shift.label'])
      .where('shift.id', '=', second)
      .executeTakeFirstOrThrow()
    assert.deepEqual([event, event_title, label], [stored.id, stored.title, stored.label])
    assert.deepEqual([start_time, end_time, offered_until], ['2031-06-11T10:00:00+02:00', '2031-06-11T16:00:00+02:00', null])
    assert.equal(new Date(since).getTime(), world.now.getTime())
    const ids = async (caller: typeof ben) =>
      (await caller.get(own)).body.results
        .map(({ id }: { id: number }) => id)
        .filter((id: number) => [cems.id, bens.id, later.id].includes(id))
    assert.deepEqual([await ids(ben), await ids(other)], [[later.id, bens.id], [cems.id]])
    assert.equal((await other.get(`${own}${bens.id}/`, { unchecked: true })).status, 404)

    await ann.post(`/api/shifts/${first}/decline/`, {})
    await offer()
    const offered = (await other.get(`${own}${cems.id}/`)).body
    assert.deepEqual([offered.state, offered.position], ['offered', 1])
    const entries = (await paul.get(lineOf(first))).body.entries
    assert.deepEqual(
      entries.map((entry: Record<string, unknown>) => [entry.user, entry.state, entry.offered_until, entry.passed_over]),
      [
        [cem.id, 'offered', offered.offered_until, null],
        [BEN.id, 'waiting', null, null],
      ],
    )
    assert.deepEqual([entries[0].since, entries[1].since], [cems.since, bens.since])
    const declined = await other.post(`${own}${cems.id}/answer/`, { answer: 'no' })
    assert.deepEqual(
      [declined.status, declined.body.state, declined.body.position, declined.body.offered_until],
      [200, 'declined', null, null],
    )
    assert.deepEqual(
      (await paul.get(lineOf(first))).body.entries.map((entry: { user: number }) => entry.user),
      [BEN.id, cem.id],
    )
    assert.equal((await ben.get(`${own}${bens.id}/`)).body.position, 1)

    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', event).execute()
    assert.deepEqual(await ids(ben), [bens.id])
    assert.equal((await ben.get(`${own}${later.id}/`, { unchecked: true })).status, 404)
  })

  test('joining and answering are refused with the reasons', async () => {
    const shift = await addShift('2031-07-01')
    await ann.post(`/api/shifts/${shift}/signup/`, {})
    const set = (name: string, value: unknown) =>
      world.db.write
        .insertInto('setting')
        .values({ name, value: JSON.stringify(value) })
        .execute()
    await set('waiting_list', false)
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}join/`)), ['line_off'])
    await world.db.write.deleteFrom('setting').where('name', '=', 'waiting_list').execute()
    await world.db.write.insertInto('waiting_line').values({ shift_id: shift, mode: 'closed', is_due: false }).execute()
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}join/`)), ['line_closed'])
    assert.equal((await paul.get(lineOf(shift))).body.mode, 'closed')
    await world.db.write.updateTable('waiting_line').set({ mode: 'automatic' }).execute()
    const busy = await addShift('2031-07-01')
    await ben.post(`/api/shifts/${busy}/signup/`, {})
    assert.deepEqual(codes(await ben.post(`${lineOf(shift)}join/`)), ['full', 'conflict'])
    await ben.post(`/api/shifts/${busy}/decline/`, {})
    const { id } = (await ben.post(`${lineOf(shift)}join/`)).body
    await ann.post(`/api/shifts/${shift}/decline/`, {})
    await offer()
    const answer = (value: string) => ben.post(`${own}${id}/answer/`, { answer: value })
    const until = new Date((await ben.get(`${own}${id}/`)).body.offered_until)
    const past = (time: Date) =>
      world.db.write.updateTable('waiting_entry').set({ offered_until: time }).where('id', '=', id).execute()
    await past(world.now)
    assert.deepEqual(codes(await answer('yes')), ['expired'])
    await past(until)
    await world.db.write.updateTable('participation').set({ state: 1 }).where('shift_id', '=', busy).execute()
    assert.deepEqual(codes(await answer('yes')), ['conflict'])
    assert.equal((await ben.get(`${own}${id}/`)).body.state, 'offered')
    assert.equal((await answer('maybe')).status, 400)
  })
})
