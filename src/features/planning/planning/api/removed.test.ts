import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'

const codes = ({ body }: Answer) => body.errors.map(({ code }: { code: string }) => code)
const DAY_MS = 24 * 3_600_000

describe('what was cancelled is read by the API', async () => {
  const { world, write } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const ann = world.as(ANN, 'PUBLIC_READ', 'ME_READ')
  const addEvent = (more = {}) =>
    world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}, { label: 'Late' }], ...more })

  test('a cancelled event has its record, the state and the reason, for those who could see it', async () => {
    const event = await addEvent()
    const [shift] = event.shifts as [number]
    const own = await world.addParticipation({ who: ANN, shift, state: 1 })
    const path = `/api/events/cancelled/${event.id}/`
    const before = (await ann.get(`/api/events/${event.id}/`)).body
    assert.equal(await ann.status(path), 404, 'not before it is cancelled')
    const { next } = (await ann.get('/api/changes/')).body
    await paul.post(`/api/events/${event.id}/cancel/`, { reason: 'Storm' })
    const { body } = await ann.get(path)
    const told = { state: 'cancelled', cancelled_at: '2031-05-01T12:00:00+02:00', cancellation_reason: 'Storm' }
    assert.deepEqual(body, { ...before, ...told })
    assert.equal(body.shifts.length, 2)
    assert.equal((await ann.ids('/api/events/cancelled/'))[0], event.id)
    const gone = (await ann.get('/api/changes/', { query: { after: next } })).body.results
    const ofEvent = gone.find(({ kind }: { kind: string }) => kind === 'event')
    assert.deepEqual([ofEvent.id, ofEvent.what, ofEvent.cause], [event.id, 'gone', 'event.cancelled'])
    assert.equal(await world.as(VERA, 'PUBLIC_READ').status(path), 404)
    assert.equal(await world.as(OLGA, 'PUBLIC_READ').status(path), 200)

    const mine = `/api/users/me/participations/cancelled/`
    assert.equal(await ann.status(`/api/users/me/participations/${own}/`), 404)
    const participation = await ann.get(`${mine}${own}/`)
    assert.deepEqual([participation.body.event, participation.body.shift, participation.body.state.value], [event.id, shift, 1])
    assert.ok((await ann.ids(mine)).includes(own))
    assert.equal(await world.as(BEN, 'ME_READ').status(`${mine}${own}/`), 404)
    await paul.post(`/api/events/${event.id}/reopen/`)
    assert.deepEqual([await ann.status(path), await ann.status(`${mine}${own}/`)], [404, 404])
  })

  test('a shift that is restored is visible again in the feed, with its participations, and not created', async () => {
    const { shifts } = await addEvent()
    const shift = shifts[1]!
    const own = await world.addParticipation({ who: ANN, shift, state: 1 })
    for (const remove of [
      () => paul.post(`/api/shifts/${shift}/cancel/`, { reason: 'Storm' }),
      () => paul.delete(`/api/shifts/${shift}/`, '*'),
    ]) {
      assert.ok((await remove()).status < 300)
      const { next } = (await ann.get('/api/changes/')).body
      assert.equal((await paul.post(`/api/shifts/${shift}/restore/`)).status, 200)
      const { results } = (await ann.get('/api/changes/', { query: { after: next } })).body
      const back = results
        .filter(({ kind }: { kind: string }) => kind !== 'event')
        .map(({ kind, id, what }: Record<string, unknown>) => `${kind} ${id} ${what}`)
      assert.deepEqual(back.sort(), [`participation ${own} visible`, `shift ${shift} visible`])
    }
  })

  test('drafts and deleted events that were cancelled are in no list', async () => {
    const values = { cancelled_at: world.now, cancellation_reason: 'Storm' }
    for (const more of [{ draft: true }, { deleted: true }]) {
      const { id, shifts } = await addEvent(more)
      const own = await world.addParticipation({ who: ANN, shift: shifts[0]! })
      await write.updateTable('event').set(values).where('id', '=', id).execute()
      for (const caller of [ann, paul]) assert.equal(await caller.status(`/api/events/cancelled/${id}/`), 404)
      assert.equal(await ann.status(`/api/users/me/participations/cancelled/${own}/`), 404)
    }
  })

  test('a cancelled shift is shown to planners and to those who were on it, and comes back', async () => {
    const { shifts, id: eventId } = await addEvent({ shifts: [{ label: 'Early' }, { label: 'Late' }] })
    const [shift, last] = shifts as [number, number]
    const before = (await paul.get(`/api/shifts/${shift}/`)).body
    const own = await world.addParticipation({ who: ANN, shift, state: 0 })
    const removed = `/api/shifts/removed/${shift}/`
    const { next } = (await ann.get('/api/changes/')).body
    const cancelled = await paul.post(`/api/shifts/${shift}/cancel/`, { reason: ' Too few \r\npeople ' })
    assert.equal(cancelled.status, 200, cancelled.text)
    const { start_time, end_time } = before
    assert.deepEqual(cancelled.body, {
      id: shift,
      event_id: eventId,
      event_title: 'Harbour run',
      label: 'Early',
      start_time,
      end_time,
      state: 'cancelled',
      reason: 'Too few \npeople',
      removed_at: '2031-05-01T12:00:00+02:00',
      restorable_until: null,
    })
    const changes = (await ann.get('/api/changes/', { query: { after: next } })).body.results
    const ofShift = changes.find(({ kind }: { kind: string }) => kind === 'shift')
    assert.deepEqual([ofShift.id, ofShift.what, ofShift.cause], [shift, 'gone', 'shift.cancelled'])
    assert.deepEqual((await ann.get(removed)).body, cancelled.body)
    assert.deepEqual((await paul.get(removed)).body, cancelled.body)
    assert.deepEqual(await ann.ids('/api/shifts/removed/'), [shift])
    assert.equal(await world.as(BEN, 'PUBLIC_READ').status(removed), 404, 'sees the event and was not on the shift')
    assert.equal(await paul.status(`/api/shifts/${shift}/`), 404)

    const refused = await paul.post(`/api/shifts/${last}/cancel/`, { reason: 'x' })
    assert.deepEqual([refused.status, codes(refused)], [409, ['last_shift']])
    const restored = await paul.post(`/api/shifts/${shift}/restore/`)
    assert.deepEqual([restored.status, restored.body], [200, (await paul.get(`/api/shifts/${shift}/`)).body])
    assert.equal(await ann.status(`/api/users/me/participations/${own}/`), 200)
    assert.equal(await paul.status(removed), 404)
    assert.equal((await paul.post(`/api/shifts/${shift}/restore/`)).status, 200, 'a second time changes nothing')
  })

  test('a deleted shift can be restored for a day, and only planners see it', async () => {
    const { shifts } = await addEvent()
    const [shift] = shifts as [number]
    await world.addParticipation({ who: ANN, shift })
    assert.equal((await paul.delete(`/api/shifts/${shift}/`, '*')).status, 204)
    const { body } = await paul.get(`/api/shifts/removed/${shift}/`)
    assert.deepEqual([body.state, body.reason, body.restorable_until], ['deleted', null, '2031-05-02T12:00:00+02:00'])
    assert.equal(await ann.status(`/api/shifts/removed/${shift}/`), 404)
    const removeAt = (ms: number) =>
      write
        .updateTable('removed_shift')
        .set({ removed_at: new Date(world.now.getTime() + ms) })
        .where('id', '=', shift)
        .execute()
    await removeAt(1 - DAY_MS)
    assert.equal(await paul.status(`/api/shifts/removed/${shift}/`), 200)
    await removeAt(-DAY_MS)
    assert.equal(await paul.status(`/api/shifts/removed/${shift}/`), 404)
    const late = await paul.post(`/api/shifts/${shift}/restore/`)
    assert.deepEqual([late.status, codes(late)], [409, ['too_late']])
  })

  test('others can neither cancel nor restore a shift', async () => {
    const { shifts } = await addEvent()
    const [shift] = shifts as [number]
    const callers = [
      [world.as(BEN, 'PUBLIC_WRITE'), 403],
      [world.as(VERA, 'PUBLIC_WRITE'), 404],
    ] as const
    for (const [caller, status] of callers)
      for (const [action, body] of [
        ['cancel', { reason: 'x' }],
        ['restore', undefined],
      ] as const)
        assert.equal((await caller.post(`/api/shifts/${shift}/${action}/`, body)).status, status)
    await paul.post(`/api/shifts/${shift}/cancel/`, { reason: 'x' })
    for (const [caller] of callers) assert.equal((await caller.post(`/api/shifts/${shift}/restore/`)).status, 404)
  })
})
