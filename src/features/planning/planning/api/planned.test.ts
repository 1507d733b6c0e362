import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HELPERS, PAUL, PLANNERS } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'

const times = { start_time: '2031-06-01T08:00:00+02:00', end_time: '2031-06-01T12:00:00+02:00' }

describe('what planners write is read back', async () => {
  const { world, write } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const values = { name: 'Q', text: 'Lunch?', kind: 'text' }
  const question = (await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id

  test('groups and responsible people of an event, and the questions of a shift', async () => {
    const written = { groups: [HELPERS.id], responsible_groups: [PLANNERS.id], responsible_users: [PAUL.id] }
    const shifts = [{ ...times, questions: [question] }, times]
    const { body } = await paul.post('/api/events/', { title: 'Run', location: 'Pier', type: 1, ...written, shifts })
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
