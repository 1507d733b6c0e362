import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ANN, BEN } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const ASK = '/api/users/me/working-hours/'
const LIST = '/api/users/me/working-hours-requests/'
const BODY = { date: '2031-04-30', hours: 2.5, reason: 'Cleaned the vehicles' }

describe('requests for working hours over the API', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  beforeEach(async () => {
    await write.deleteFrom('decision_request').execute()
    await write.deleteFrom('journal').execute()
  })
  const entries = async (userId: number) =>
    (await read.selectFrom('journal').selectAll().where('subject_id', '=', userId).orderBy('id').execute()).map(
      ({ kind, subject_kind, changes, personal }) => ({
        kind,
        subject_kind,
        personal,
        changes: { ...(changes as object), request: 0 },
      }),
    )

  test('wrong types and broken rules are answered at once', async () => {
    const { body } = await ann.post(ASK, { date: '2199-01-01', hours: 'many', reason: '' })
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/hours', 'invalid_type'],
        ['/reason', 'too_small'],
        ['/date', 'date_future'],
      ],
    )
    assert.deepEqual((await ann.get(LIST)).body.results, [])
  })

  test('a request is created as by the form, and listed', async () => {
    const { status, body, headers } = await ann.post(ASK, BODY)
    assert.deepEqual([status, headers.location], [201, `https://a.example${LIST}${body.id}/`])
    assert.deepEqual(
      [body.date, body.hours, body.reason, body.state, body.decided_at],
      ['2031-04-30', 2.5, BODY.reason, 'open', null],
    )
    assert.deepEqual((await ann.get(headers.location!)).body, body)
    assert.deepEqual((await ann.get(LIST)).body.results, [body])
    const ben = await browserOf(world, BEN)
    await ben.post('/my-shifts/request/', { form: { ...BODY, hours: '2,5' } })
    assert.deepEqual(await entries(BEN.id), await entries(ANN.id))
  })

  for (const [body, pointer, code] of [
    [{ ...BODY, date: '2031-05-02' }, '/date', 'date_future'],
    [{ ...BODY, date: '2031-02-30' }, '/date', 'invalid_format'],
    [{ ...BODY, hours: 0 }, '/hours', 'too_small'],
    [{ ...BODY, hours: 1000.5 }, '/hours', 'too_big'],
    [{ ...BODY, hours: 0.125 }, '/hours', 'amount_invalid'],
    [{ ...BODY, date: '1899-12-31' }, '/date', 'custom'],
    [{ ...BODY, reason: ' ' }, '/reason', 'too_small'],
    [{ ...BODY, reason: 'two\nlines' }, '/reason', 'invalid_format'],
  ] as const)
    test(`${JSON.stringify(body)} is invalid`, async () => {
      const answer = await ann.post(ASK, body)
      assert.deepEqual([answer.status, answer.body.errors[0].pointer, answer.body.errors[0].code], [400, pointer, code])
      assert.deepEqual((await ann.get(LIST)).body.results, [])
    })

  test('an own request can be withdrawn once', async () => {
    const { body } = await ann.post(ASK, BODY)
    const withdraw = `${LIST}${body.id}/withdraw/`
    assert.equal((await world.as(BEN, 'ME_WRITE').post(withdraw, {})).status, 404)
    assert.equal((await ann.post(withdraw, {}, { headers: { 'if-match': 'W/"x"' } })).status, 412)
    assert.equal((await ann.post(withdraw, {}, { query: 'dry_run=1' })).body.state, 'withdrawn')
    const done = await ann.post(withdraw, {})
    assert.deepEqual([done.status, done.body.state], [200, 'withdrawn'])
    const again = await ann.post(withdraw, {})
    assert.deepEqual([again.status, again.body.errors[0].code], [409, 'decided'])
    assert.deepEqual(
      (await entries(ANN.id)).map(({ kind }) => kind),
      ['request.created', 'request.withdrawn'],
    )
  })

  test('imported requests without valid hours are listed', async () => {
    const values = { user_id: ANN.id, kind: 'working_hours', data: '{"date":"soon","hours":"many"}', created_at: world.now }
    await write.insertInto('decision_request').values(values).execute()
    const [found] = (await ann.get(LIST)).body.results
    assert.deepEqual([found.date, found.hours, found.reason], [null, null, ''])
  })
})
