import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, BEN, HELPERS, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'

const times = { start_time: '2031-06-01T08:00:00+02:00', end_time: '2031-06-01T12:00:00+02:00' }

describe('what planners write is read back', async () => {
  const { world, write } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const values = { name: 'Q', text: 'Lunch?', kind: 'text' }
  const question = (await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id

  test('only by those who may change the event', async () => {
    const { id, shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    for (const [who, status] of [
      [PAUL, 200],
      [ANN, 403],
      [VERA, 404],
    ] as const) {
      const caller = world.as(who, 'PUBLIC_READ', 'PUBLIC_WRITE')
      for (const path of [`/api/events/${id}/planning/`, `/api/shifts/${shifts[0]}/planning/`])
        assert.equal(await caller.status(path), status, `${who.name} ${path}`)
    }
    for (const path of ['/api/events/999999/planning/', '/api/shifts/999999/planning/'])
      assert.equal(await paul.status(path), 404, path)
  })

  test('groups and responsible people of an event, and the questions of a shift', async () => {
    const people = [PAUL.id, BEN.id].sort((a, b) => a - b)
    const written = { groups: [HELPERS.id], responsible_groups: [PLANNERS.id], responsible_users: people }
    const shifts = [{ ...times, questions: [question] }, times]
    const { body } = await paul.post('/api/events/', {
      title: 'Run',
      location: 'Pier',
      type: 1,
      ...written,
      responsible_users: people.toReversed(),
      shifts,
    })
    const path = `/api/events/${body.id}/planning/`
    assert.deepEqual((await paul.get(path)).body, { id: body.id, state: 'draft', ...written })
    await paul.post(`/api/events/${body.id}/publish/`)
    assert.equal((await paul.get(path)).body.state, 'published')
    await paul.post(`/api/events/${body.id}/cancel/`, { reason: 'Storm' })
    assert.equal((await paul.get(path)).body.state, 'cancelled')
    const read = await Promise.all(body.shifts.map(({ id }: { id: number }) => paul.get(`/api/shifts/${id}/planning/`)))
    assert.deepEqual(
      read.map((answer) => answer.body),
      body.shifts.map(({ id }: { id: number }, index: number) => ({ id, questions: index === 0 ? [question] : [] })),
    )
  })
})
