import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'

const mistakes = ({ body }: Answer) => body.errors.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`)

describe('copies by the API', async () => {
  const { world, create, kinds, eventRow, shiftsOf } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')

  test('an event is duplicated to dates and to those of a rule, as drafts', async () => {
    const { eventId } = await create([input()])
    const path = `/api/events/${eventId}/duplicate/`
    const body = { dates: ['2031-07-03'], recurrence: { first: '2031-07-01', every: 'day', times: 2 } }
    const answer = await paul.post(path, body)
    assert.equal(answer.status, 201)
    const starts = await Promise.all(
      answer.body.ids.map(async (id: number) => (await shiftsOf(id))[0]!.start_time.toISOString().slice(0, 10)),
    )
    assert.deepEqual(starts, ['2031-07-01', '2031-07-02', '2031-07-03'])
    const [first] = answer.body.ids
    assert.deepEqual([await kinds(first), (await eventRow(first)).active], [['event.duplicated'], false])
    assert.ok((await paul.ids('/api/events/drafts/')).includes(first))
  })

  test('mistakes name the dates or the rule', async () => {
    const { eventId } = await create([input()])
    const post = async (body: object) => mistakes(await paul.post(`/api/events/${eventId}/duplicate/`, body))
    assert.deepEqual(await post({}), ['/dates no_dates'])
    assert.deepEqual(await post({ dates: ['2031-02-30'] }), ['/dates/0 invalid_format'])
    assert.deepEqual(await post({ dates: ['2031-07-01', '0000-01-01'] }), ['/dates/1 unreadable'])
    for (const first of ['1031-07-01', '9998-12-01'])
      assert.deepEqual(await post({ recurrence: { first, every: 'month', times: 3 } }), ['/recurrence too_many_dates'])
    assert.deepEqual(await post({ recurrence: { first: '2031-07-01', every: 'day', times: 1001 } }), [
      '/recurrence too_many_dates',
    ])
    assert.deepEqual(await post({ recurrence: { first: '2031-07-01', every: 'day', until: '2031-06-01' } }), [
      '/recurrence no_dates',
    ])
    assert.deepEqual(await post({ recurrence: { first: '2031-07-01', every: 'day' } }), ['/recurrence custom'])
  })

  test('a shift is copied within its event, by those who may change it', async () => {
    const { eventId, shiftIds } = await create([input()])
    const path = `/api/shifts/${shiftIds[0]}/duplicate/`
    const answer = await paul.post(path, { dates: ['2031-06-08'] })
    assert.deepEqual([answer.status, answer.body.ids.length, (await shiftsOf(eventId)).length], [201, 1, 2])
    assert.equal((await kinds(eventId)).at(-1), 'shift.created')
    assert.equal((await world.as(ANN, 'PUBLIC_WRITE').post(path, { dates: ['2031-06-09'] })).status, 403)
    const stale = await paul.post(path, { dates: ['2031-06-09'] }, { headers: { 'if-match': '"x"' } })
    assert.equal(stale.status, 412)
    assert.equal((await paul.post(path, { dates: ['2031-06-09'] }, { query: 'dry_run=1' })).status, 200)
    assert.equal((await shiftsOf(eventId)).length, 2)
  })
})
