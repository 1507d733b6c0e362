import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer } from '#test/support/api-response.ts'
import { ANN, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'

const times = { start_time: '2031-06-01T08:00:00+02:00', end_time: '2031-06-01T12:00:00+02:00' }
const mistakes = ({ body }: Answer) =>
  body.errors.map(({ pointer, code }: { pointer?: string; code: string }) => [pointer, code].filter(Boolean).join(' '))

describe('shifts are written by the API', async () => {
  const { world, write, create, kinds, lastChanges, shiftRow, shiftsOf } = await openPlanning()
  const paul = world.as(PAUL, 'PUBLIC_READ', 'PUBLIC_WRITE')
  const make = async (more: object = {}) => {
    const { eventId } = await create([input()])
    const { status, body, headers } = await paul.post(`/api/events/${eventId}/shifts/`, { ...times, ...more })
    assert.equal(status, 201, JSON.stringify(body))
    return { eventId, id: body.id as number, body, path: `/api/shifts/${body.id}/`, etag: headers.etag!, headers }
  }

  test('a new shift has the settings of the form', async () => {
    const { eventId, id, body, headers } = await make({ label: ' Boats ', meeting_time: null })
    assert.equal(headers.location, `https://a.example/api/shifts/${id}/`)
    assert.deepEqual((await paul.get(`/api/shifts/${id}/`)).body, body)
    assert.deepEqual(
      [body.label, body.meeting_time, body.signup_flow_configuration, body.structure_configuration],
      [
        'Boats',
        times.start_time,
        { signup_until: null, user_can_decline_confirmed: false, user_can_customize_signup_times: true },
        {
          minimum_age: null,
          required_qualification_ids: [],
          minimum_number_of_participants: null,
          maximum_number_of_participants: null,
        },
      ],
    )
    assert.deepEqual((await kinds(eventId)).at(-1), 'shift.created')
  })

  test('absent keys keep their values, also those of configurations; another slug starts anew', async () => {
    const { eventId, path, etag, id } = await make({
      signup_flow_configuration: { signup_until: 'P2D', user_can_decline_confirmed: true },
      structure_configuration: { minimum_number_of_participants: 2 },
    })
    const changed = await paul.patch(
      path,
      {
        end_time: '2031-06-01T13:00:00+02:00',
        signup_flow_configuration: { user_can_customize_signup_times: false },
        structure_configuration: { maximum_number_of_participants: 3 },
      },
      etag,
    )
    assert.equal(changed.status, 200)
    assert.deepEqual((await shiftRow(id)).signup_flow_configuration, {
      signup_until: 'P2D',
      user_can_decline_confirmed: true,
      user_can_customize_signup_times: false,
    })
    assert.deepEqual([changed.body.signup_stats.min_count, changed.body.signup_stats.max_count], [2, 3])
    assert.deepEqual(Object.keys(await lastChanges(eventId, 'shift.changed')).sort(), [
      'end_time',
      'signup_flow_configuration',
      'structure_configuration',
    ])
    const other = await paul.patch(
      path,
      { signup_flow_slug: 'manual', structure_slug: 'named_teams', structure_configuration: { teams: [{ title: 'A' }] } },
      changed.headers.etag!,
    )
    assert.deepEqual(other.body.signup_flow_configuration, { no_selfservice_explanation: '' })
    const [team] = other.body.structure_configuration.teams
    assert.match(team.uuid, /^[0-9a-f-]{36}$/)
    assert.deepEqual({ ...team, uuid: '' }, { uuid: '', title: 'A', qualification: null, min_count: 0, max_count: null })
  })

  test('the record as it was read can be sent back: a rule stays a rule', async () => {
    const { path, etag, id, eventId } = await make({ signup_flow_configuration: { signup_from: 'P9D', signup_until: 'P2D' } })
    const { signup_flow_configuration, structure_configuration } = (await paul.get(path)).body
    assert.equal(signup_flow_configuration.signup_until_rule, 'P2D')
    const again = await paul.patch(path, { signup_flow_configuration, structure_configuration }, etag)
    assert.deepEqual([again.status, again.headers.etag], [200, etag])
    assert.ok(!(await kinds(eventId)).includes('shift.changed'))
    await paul.patch(path, { signup_flow_configuration: { signup_until: '2031-05-30T10:00:00Z', signup_from: '' } }, '*')
    const stored = (await shiftRow(id)).signup_flow_configuration as Record<string, unknown>
    assert.deepEqual([stored.signup_until, stored.signup_from], ['2031-05-30T12:00:00+02:00', null])
  })

  test('imported settings that are not known stay, and do not stop other changes', async () => {
    const { path, id } = await make()
    const imported = { colour: 'red', required_qualification_ids: [999], teams: 5 }
    await write
      .updateTable('shift')
      .set({ structure_configuration: JSON.stringify(imported) })
      .where('id', '=', id)
      .execute()
    assert.equal((await paul.patch(path, { label: 'Boats' }, '*')).status, 200)
    assert.deepEqual((await shiftRow(id)).structure_configuration, imported)
    assert.deepEqual(mistakes(await paul.patch(path, { structure_configuration: { color: 'red', colour: 'red' } }, '*')), [
      '/structure_configuration/required_qualification_ids/0 unknown_qualification',
      '/structure_configuration/color unrecognized_keys',
    ])
  })

  test('new times must fit deadlines that stay', async () => {
    const { path } = await make({ signup_flow_configuration: { signup_from: '2031-05-31T08:00:00+02:00' } })
    const earlier = { start_time: '2031-05-30T08:00:00+02:00', end_time: '2031-05-30T12:00:00+02:00' }
    assert.deepEqual(mistakes(await paul.patch(path, earlier, '*')), [
      '/meeting_time meeting_after_start',
      '/signup_flow_configuration/signup_from opens_after_closing',
    ])
    const moved = await paul.patch(
      path,
      { ...earlier, meeting_time: null, signup_flow_configuration: { signup_from: 'P1D' } },
      '*',
    )
    assert.deepEqual([moved.status, moved.body.meeting_time], [200, earlier.start_time])
  })

  test('years that cannot be planned are mistakes', async () => {
    const { eventId } = await create([input()])
    const far = { start_time: '0000-01-01T00:00:00Z', end_time: '9999-12-31T23:59:59-12:00' }
    assert.deepEqual(mistakes(await paul.post(`/api/events/${eventId}/shifts/`, far)), [
      '/meeting_time unreadable',
      '/start_time unreadable',
      '/end_time unreadable',
    ])
  })

  test('a coupled shift follows another shift of the event, also one of the same request', async () => {
    const shifts = [
      { ...times, signup_flow_slug: 'coupled', signup_flow_configuration: { leader_shift_index: 1 } },
      { ...times, label: 'Leader' },
    ]
    const event = { title: 'Harbour run', location: 'Pier 3', type: 1, shifts }
    const { body } = await paul.post('/api/events/', event)
    const rows = await shiftsOf(body.id)
    const leader = rows.find(({ label }) => label === 'Leader')!
    const follower = rows.find(({ label }) => label === '')!
    assert.deepEqual(follower.signup_flow_configuration, { leader_shift_id: leader.id })
    const path = `/api/shifts/${leader.id}/`
    const couple = (id: number) => ({ signup_flow_slug: 'coupled', signup_flow_configuration: { leader_shift_id: id } })
    assert.deepEqual(mistakes(await paul.patch(path, couple(follower.id), '*')), [
      '/signup_flow_configuration/leader_shift_id no_leader',
    ])
    const third = await paul.post(`/api/events/${body.id}/shifts/`, times)
    const refused = await paul.patch(path, couple(third.body.id), '*')
    assert.deepEqual([refused.status, mistakes(refused)], [409, ['/signup_flow_slug leads_others']])
    const wrong = [{ ...shifts[0], signup_flow_configuration: { leader_shift_index: 0 } }]
    assert.deepEqual(mistakes(await paul.post('/api/events/', { ...event, shifts: wrong })), [
      '/shifts/0/signup_flow_configuration/leader_shift_index no_leader',
    ])
  })

  test('questions are asked at sign-up; archived ones only where they are asked already', async () => {
    const add = async (archived: boolean) => {
      const values = { name: 'Q', text: 'Lunch?', kind: 'text', archived }
      return (await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const [current, archived] = [await add(false), await add(true)]
    const { path, eventId, id } = await make({ questions: [current, current] })
    assert.deepEqual((await lastChanges(eventId, 'shift.created')).questions, [null, [current]])
    assert.deepEqual(mistakes(await paul.patch(path, { questions: [current, archived] }, '*')), ['/questions/1 unknown_question'])
    await write.insertInto('shift_question').values({ shift_id: id, question_id: archived }).execute()
    assert.equal((await paul.patch(path, { questions: [archived] }, '*')).status, 200)
    assert.deepEqual((await lastChanges(eventId, 'shift.changed')).questions, [[current, archived], [archived]])
  })

  test('a change and a deletion need the current version; the last shift stays', async () => {
    const { path, etag, eventId } = await make()
    assert.equal((await paul.send('PATCH', path, { label: 'A' })).status, 428)
    assert.equal((await paul.patch(path, { label: 'A' }, etag)).status, 200)
    assert.equal((await paul.patch(path, { label: 'B' }, etag)).status, 412)
    assert.equal((await paul.delete(path, etag)).status, 412)
    assert.equal((await paul.delete(path, '*', { query: 'dry_run=1' })).status, 204)
    const { headers } = await paul.get(path)
    assert.equal((await paul.delete(path, headers.etag!)).status, 204)
    assert.deepEqual([(await kinds(eventId)).at(-1), await paul.status(path)], ['shift.deleted', 404])
    const [last] = await shiftsOf(eventId)
    const refused = await paul.delete(`/api/shifts/${last!.id}/`, '*')
    assert.deepEqual([refused.status, refused.body.code, mistakes(refused)], [409, 'refused', ['last_shift']])
  })

  test('a shift with sign-ups is deleted with them', async () => {
    const { path, id, eventId } = await make()
    await world.addParticipation({ who: ANN, shift: id })
    assert.equal((await paul.delete(path, '*')).status, 204)
    assert.deepEqual((await lastChanges(eventId, 'shift.deleted')).confirmed_user_ids, [[ANN.id], []])
  })
})
