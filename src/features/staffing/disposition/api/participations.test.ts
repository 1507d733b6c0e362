import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { csrfToken } from '#platform/http/csrf.ts'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { saveBoard } from '../commands/board.ts'

const TEAMS = { teams: ['north', 'south'].map((uuid) => ({ uuid, title: uuid, min_count: 1, max_count: 2 })) }
const START = '2031-05-04T08:00:00+02:00'
const END = '2031-05-04T12:00:00+02:00'
const local = ({ id }: Person) => ({ kind: 'local', id }) as const

describe('participations of others by the API', async () => {
  const world = await openWorld()
  beforeEach(() => world.db.write.deleteFrom('participation').execute())
  const paul = world.as(PAUL, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const event = (shift: object = {}, more: object = {}) =>
    world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{ start: START, end: END, ...shift }], ...more })
  const addShift = async (shift: object = {}, more: object = {}) => (await event(shift, more)).shifts[0]!
  const listOf = (shift: number) => `/api/shifts/${shift}/participations/`
  const addressOf = (id: number) => `/api/participations/${id}/`
  const stateOf = async (id: number) =>
    (await world.db.read.selectFrom('participation').select('state').where('id', '=', id).executeTakeFirst())?.state
  const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
    body.errors?.map(({ pointer, code }) => [pointer, code])
  const lastEntry = async (id: number) => {
    const { kind, event_id, actor_id, changes } = (await journalOf(world, 'participation', id)).at(-1)!
    return { kind, event_id, actor_id, changes }
  }

  test('a responsible adds a person, who is then what the list shows', async () => {
    const shift = await addShift()
    const { status, body, headers } = await paul.post(listOf(shift), {
      user: ANN.id,
      state: 1,
      start_time: '2031-05-04T09:00:00+02:00',
    })
    assert.equal(status, 201)
    assert.deepEqual([body.user, body.state.value, body.start_time, body.end_time], [ANN.id, 1, '2031-05-04T09:00:00+02:00', END])
    assert.equal(headers.location, `https://a.example${addressOf(body.id)}`)
    const read = await paul.get(headers.location)
    assert.deepEqual(read.body, body)
    assert.equal(read.headers.etag, headers.etag)
  })

  test('a confirmation beyond a limit that refuses needs a comment', async (t) => {
    await world.db.write.insertInto('work_limit').values({ kind: 'hours_per_week', value: 3, blocks: true }).execute()
    t.after(() => world.db.write.deleteFrom('work_limit').execute())
    const shift = await addShift()
    const refused = await paul.post(listOf(shift), { user: ANN.id, state: 1 })
    assert.equal(refused.status, 409)
    assert.deepEqual(codesOf(refused.body), [
      [undefined, 'limit_week'],
      ['/comment', 'reason_needed'],
    ])
    const { status, body } = await paul.post(listOf(shift), { user: ANN.id, state: 1, comment: 'Agreed with the board' })
    assert.deepEqual([status, body.state?.value], [201, 1])
  })

  test('a responsible adds a placeholder, as a request unless told otherwise', async () => {
    const { status, body } = await paul.post(listOf(await addShift()), { placeholder: ' Somebody ' })
    assert.equal(status, 201)
    assert.deepEqual(
      [body.participant.display_name, body.participant.type, body.state.value],
      ['Somebody', 'PlaceholderParticipant', 0],
    )
  })

  test('the journal entry is that of the board', async () => {
    const [one, two] = [await event(), await event()]
    const onBoard = await saveBoard(contextAs(world, PAUL), {
      shiftId: one.shifts[0]!,
      cards: [{ who: local(ANN), version: null, to: 1, times: {}, place: undefined }],
    })
    const { body } = await paul.post(listOf(two.shifts[0]!), { user: ANN.id, state: 1 })
    assert.ok(onBoard[0]?.kind === 'saved')
    const expected = await lastEntry(onBoard[0].participationId)
    assert.deepEqual(await lastEntry(body.id), { ...expected, event_id: two.id })
    assert.equal(expected.kind, 'participation.moved')
  })

  test('confirm, reject and back to requested; a rejected participation stays reachable', async () => {
    const shift = await addShift()
    const id = await world.addParticipation({ who: ANN, shift, state: 0 })
    let { etag } = (await paul.get(addressOf(id))).headers
    for (const state of [1, 3, 0, 2]) {
      const changed = await paul.patch(addressOf(id), { state }, etag!)
      assert.deepEqual([changed.status, changed.body.state.value], [200, state])
      etag = changed.headers.etag
    }
  })

  test('times and place change alone, and the rest stays', async () => {
    const shift = await addShift({ structure: 'named_teams', configuration: TEAMS })
    const { body, headers } = await paul.post(listOf(shift), {
      user: ANN.id,
      state: 1,
      place: 'north',
      end_time: '2031-05-04T11:00:00+02:00',
    })
    assert.deepEqual(body.structure_data, { dispatched_team_uuid: 'north' })
    const moved = await paul.patch(addressOf(body.id), { place: 'south' }, headers.etag!)
    assert.deepEqual(
      [moved.body.structure_data, moved.body.end_time, moved.body.state.value],
      [{ dispatched_team_uuid: 'south' }, '2031-05-04T11:00:00+02:00', 1],
    )
    const reset = await paul.patch(addressOf(body.id), { end_time: null }, moved.headers.etag!)
    assert.deepEqual([reset.body.structure_data, reset.body.end_time], [{ dispatched_team_uuid: 'south' }, END])
  })

  test('a comment is added with its level', async () => {
    const id = await world.addParticipation({ who: ANN, shift: await addShift(), state: 0 })
    const open = await paul.post(`${addressOf(id)}comments/`, { text: 'Please bring the keys' })
    assert.deepEqual([open.status, open.body.author, open.body.text], [201, 'Paul', 'Please bring the keys'])
    await paul.post(`${addressOf(id)}comments/`, { text: 'Forgot them twice', hide_from_participant: true })
    const own = await world.as(ANN, 'ME_READ').get('/api/users/me/participations/')
    assert.deepEqual(
      own.body.results[0].comments.map(({ text }: { text: string }) => text),
      ['Please bring the keys'],
    )
  })

  test('a person who no longer meets what the place needs can be kept', async () => {
    const shift = await addShift()
    const id = await world.addParticipation({ who: ANN, shift, state: 1 })
    await world.db.write
      .insertInto('place_basis')
      .values({ participation_id: id, was_qualified: true, has_left_group: true })
      .execute()
    const { status, body } = await paul.post(`${addressOf(id)}keep/`)
    assert.deepEqual([status, body.id], [200, id])
    assert.equal((await lastEntry(id)).kind, 'participation.kept')
  })

  test('drafts and cancelled events can be staffed, as on the board', async () => {
    for (const more of [{ draft: true }, { cancelled: true }]) {
      const { body, headers } = await paul.post(listOf(await addShift({}, more)), { user: ANN.id })
      assert.equal((await paul.patch(addressOf(body.id), { state: 1 }, headers.etag!)).body.state.value, 1)
    }
  })

  describe('is refused', () => {
    for (const [what, shift, value, errors] of [
      ['nobody', {}, {}, [['/user', 'who_unclear']]],
      ['a person and a placeholder', {}, { user: ANN.id, placeholder: 'X' }, [['/user', 'who_unclear']]],
      ['a person who does not exist', {}, { user: 99_999 }, [['/user', 'person_unknown']]],
      ['a placeholder without a name', {}, { placeholder: '  ' }, [['/placeholder', 'name_empty']]],
      ['a placeholder with a long name', {}, { placeholder: 'x'.repeat(255) }, [['/placeholder', 'name_long']]],
      [
        'an end before the start',
        {},
        { user: ANN.id, end_time: '2031-05-04T07:00:00+02:00' },
        [['/end_time', 'times_in_wrong_order']],
      ],
      ['a long comment', {}, { user: ANN.id, comment: 'x'.repeat(256) }, [['/comment', 'comment_long']]],
      ['the state of imported rows', {}, { user: ANN.id, state: 4 }, [['/state', 'invalid_value']]],
      [
        'two mistakes at once',
        {},
        { user: 'Ann', start_time: 'soon' },
        [
          ['/user', 'invalid_type'],
          ['/start_time', 'invalid_format'],
        ],
      ],
      [
        'a team that does not exist',
        { structure: 'named_teams', configuration: TEAMS },
        { user: ANN.id, state: 1, place: 'west' },
        [['/place', 'wish_needed']],
      ],
    ] as const)
      test(what, async () => {
        const shiftId = await addShift(shift)
        const { status, body } = await paul.post(listOf(shiftId), value)
        assert.ok(status === 400 || status === 409, `${status}`)
        assert.deepEqual(codesOf(body), errors)
        assert.deepEqual(
          await world.db.read.selectFrom('participation').select('id').where('shift_id', '=', shiftId).execute(),
          [],
        )
      })

    test('a person who has a participation already, in any state', async () => {
      const shift = await addShift()
      await world.addParticipation({ who: ANN, shift, state: 2 })
      const { status, body } = await paul.post(listOf(shift), { user: ANN.id, state: 1 })
      assert.deepEqual([status, codesOf(body)], [409, [['/user', 'already_there']]])
      assert.match(body.errors[0].detail, /Ann/)
    })
  })

  describe('who may', () => {
    const attempts = async (person: Person, permitted: Person[] = []) => {
      const shift = await addShift({}, { responsible: [PAUL, ...permitted] })
      const id = await world.addParticipation({ who: ANN, shift, state: 0 })
      const caller = world.as(person, 'CONFIDENTIAL_WRITE')
      return [
        (await caller.post(listOf(shift), { user: VERA.id })).status,
        (await caller.patch(addressOf(id), { state: 1 }, '*')).status,
        (await caller.post(`${addressOf(id)}comments/`, { text: 'x' })).status,
        (await caller.post(`${addressOf(id)}keep/`)).status,
      ]
    }
    for (const [who, person, permitted, expected] of [
      ['the responsible', BEN, [BEN], [201, 200, 201, 200]],
      ['an administrator', OLGA, [], [201, 200, 201, 200]],
      ['a participant who sees the others', BEN, [], [403, 403, 403, 403]],
      ['a person who does not see the event', VERA, [], [404, 404, 404, 404]],
    ] as const)
      test(`${who}: ${expected}`, async () => assert.deepEqual(await attempts(person, [...permitted]), expected))

    test('a participant who does not see the others cannot tell whether a participation exists', async () => {
      const shift = await addShift({}, { type: await world.addType({ showParticipantData: 2 }) })
      const id = await world.addParticipation({ who: ANN, shift, state: 0 })
      const ben = world.as(BEN, 'CONFIDENTIAL_WRITE')
      assert.equal((await ben.patch(addressOf(id), { state: 1 }, '*')).status, 404)
      assert.equal((await ben.post(`${addressOf(id)}comments/`, { text: 'x' })).status, 404)
    })

    test('a session with the CSRF token, and none without', async () => {
      const shift = await addShift()
      const cookie = await world.sessionCookie(PAUL)
      const sessionHash = hashSecret(cookie.slice(cookie.indexOf('=') + 1))
      const token = csrfToken(world.app.site.keyring, '', sessionHash)
      const browser = world.with({ cookie })
      const headers = { 'x-csrf-token': token }
      assert.equal((await browser.post(listOf(shift), { user: ANN.id })).body.code, 'csrf_failed')
      const foreign = { ...headers, origin: 'https://elsewhere.example' }
      assert.equal((await browser.post(listOf(shift), { user: ANN.id }, { headers: foreign })).body.code, 'csrf_failed')
      assert.equal((await browser.post(listOf(shift), { user: ANN.id }, { headers })).status, 201)
    })
  })

  describe('and somebody else at the board', () => {
    const boardSave = (shiftId: number, to: 0 | 1 | 3) =>
      saveBoard(contextAs(world, OLGA), { shiftId, cards: [{ who: local(ANN), version: undefined, to }] })

    test('a change based on an older version is 412, and without a version 428', async () => {
      const shift = await addShift()
      const id = await world.addParticipation({ who: ANN, shift, state: 0 })
      const { etag } = (await paul.get(addressOf(id))).headers
      await boardSave(shift, 3)
      assert.equal((await paul.patch(addressOf(id), { state: 1 }, etag!)).status, 412)
      assert.equal((await paul.send('PATCH', addressOf(id), { state: 1 })).status, 428)
      assert.equal(await stateOf(id), 3)
    })

    test('a board that was opened before a change by the API is stale', async () => {
      const shift = await addShift()
      const id = await world.addParticipation({ who: ANN, shift, state: 0 })
      await paul.patch(addressOf(id), { state: 1 }, '*')
      const [outcome] = await saveBoard(contextAs(world, OLGA), {
        shiftId: shift,
        cards: [{ who: local(ANN), version: 1, to: 3 }],
      })
      assert.equal(outcome?.kind, 'stale')
      assert.equal(await stateOf(id), 1)
    })

    test('of many who add the same person at once, one succeeds and the others are told', async () => {
      const shift = await addShift()
      const answers = await Promise.all(Array.from({ length: 6 }, () => paul.post(listOf(shift), { user: ANN.id, state: 1 })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    })

    test('of many changes based on the same version, one is carried out', async () => {
      const shift = await addShift()
      const id = await world.addParticipation({ who: ANN, shift, state: 0 })
      const { etag } = (await paul.get(addressOf(id))).headers
      const answers = await Promise.all([1, 3, 1, 3, 2].map((state) => paul.patch(addressOf(id), { state }, etag!)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
      assert.equal(await stateOf(id), answers.find(({ status }) => status === 200)!.body.state.value)
    })
  })

  test('a dry run answers as if, and writes nothing', async () => {
    const shift = await addShift()
    const { status, body } = await paul.post(listOf(shift), { user: ANN.id, state: 1 }, { query: 'dry_run=true' })
    assert.deepEqual([status, body.state.value], [200, 1])
    assert.equal(await stateOf(body.id), undefined)
    assert.deepEqual(await journalOf(world, 'participation', body.id), [])
  })
})
