import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, HELPERS, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const OWN = '/api/users/me/inquiries/'

describe('asking people by the API', async () => {
  const world = await openWorld()
  const paul = world.as(PAUL, 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE')
  const own = (who: Person) => world.as(who, 'ME_READ', 'ME_WRITE')
  const codes = ({ body }: { body: { errors: { code: string }[] } }) => body.errors.map(({ code }) => code)
  let day = 3
  const addShift = async (flow = 'instant_confirmation') => {
    const date = `2031-06-${String(day++).padStart(2, '0')}`
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { start: `${date}T08:00:00Z`, end: `${date}T12:00:00Z`, flow, configuration: { minimum_number_of_participants: 2 } },
      ],
    })
    await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
    return { shift: shifts[0]!, path: `/api/shifts/${shifts[0]!}/inquiries/` }
  }
  const questionTo = async (who: Person, shift: number) =>
    (await own(who).get(OWN)).body.inquiries.find((one: { shift: number }) => one.shift === shift)

  test('planners ask, and those who were asked answer', async () => {
    const { shift, path } = await addShift()
    const tried = await paul.post(path, { people: [ANN.id] }, { query: 'dry_run=1' })
    assert.deepEqual([tried.status, tried.body.inquiries.length, await questionTo(ANN, shift)], [200, 1, undefined])
    const { status, body } = await paul.post(path, { people: [ANN.id, BEN.id], wanted: 2, message: 'Please' })
    assert.deepEqual([status, body.id, body.inquiries[0].message, body.inquiries[0].people.length], [200, shift, 'Please', 2])
    const question = await questionTo(ANN, shift)
    assert.deepEqual([question.message, question.asked_by], ['Please', 'Paul'])
    const answer = `${OWN}${question.id}/answer/`
    assert.equal((await own(BEN).post(answer, { answer: 'can' })).status, 404, 'of another person')
    assert.deepEqual((await own(ANN).post(answer, { answer: 'can' })).body, { inquiries: [] })
    assert.equal((await own(ANN).post(answer, { answer: 'can' })).status, 200, 'the same answer again')
    const other = await questionTo(BEN, shift)
    await own(BEN).post(`${OWN}${other.id}/answer/`, { answer: 'cannot', reason: 'Away' })
    const [{ people }] = (await paul.get(path)).body.inquiries
    assert.deepEqual(people.map(({ user, answer, reason }: Record<string, unknown>) => [user, answer, reason]).sort(), [
      [ANN.id, 'can', ''],
      [BEN.id, 'cannot', 'Away'],
    ])
  })

  test('who has to choose a team is told to sign up with details instead', async () => {
    const { shift, path } = await addShift()
    const teams = ['red', 'blue'].map((uuid) => ({ uuid, title: uuid, min_count: 1, max_count: 1 }))
    await world.db.write
      .updateTable('shift')
      .set({ structure_slug: 'named_teams', structure_configuration: { choose_preferred_team: true, teams } })
      .where('id', '=', shift)
      .execute()
    await paul.post(path, { people: [ANN.id] })
    const { id } = await questionTo(ANN, shift)
    const { status, body } = await own(ANN).post(`${OWN}${id}/answer/`, { answer: 'can' })
    assert.deepEqual([status, codes({ body })], [409, ['needs_form']])
    assert.match(JSON.stringify(body), /sign up with them/)
  })

  test('the next people are asked in waves until somebody stops it', async () => {
    const { shift, path } = await addShift()
    const { body } = await paul.post(path, { count: 2, waves: { size: 1, hours: 2 } })
    const [{ id, next_wave_at, people }] = body.inquiries
    assert.deepEqual([people.length, people.filter((one: { asked_at: unknown }) => one.asked_at).length], [2, 1])
    assert.ok(next_wave_at)
    const stop = `/api/shifts/${shift}/inquiries/${id}/stop/`
    assert.equal((await paul.post(stop)).body.inquiries[0].end_reason, 'stopped')
    assert.deepEqual(codes(await paul.post(stop)), ['ended'])
  })

  test('it needs the right to plan the shift, people who can, and an open sign-up', async () => {
    const { path } = await addShift()
    assert.equal((await world.as(ANN, 'CONFIDENTIAL_WRITE').post(path, {})).status, 403)
    assert.equal((await world.as(VERA, 'CONFIDENTIAL_WRITE').post(path, {})).status, 404)
    assert.deepEqual(codes(await paul.post(path, { people: [PAUL.id] })), ['nobody'], 'not oneself')
    assert.deepEqual(codes(await paul.post(path, { people: [ANN.id], count: 1 })), ['custom'])
    const { path: manual } = await addShift('manual')
    assert.deepEqual(codes(await paul.post(manual, {})), ['not_open'])
  })
})
