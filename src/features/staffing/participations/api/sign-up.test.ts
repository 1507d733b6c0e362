import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { ReasonCode } from '#features/staffing/staffing/rules/model.ts'
import type { Answer } from '#test/support/api-response.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, HELPERS, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const day = (hour: number, date = 4) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00+02:00`
const LEAVES = { user_can_decline_confirmed: true }
const INSTANT: ShiftOptions = { flow: 'instant_confirmation', flowConfiguration: LEAVES }
const TEAMS = {
  structure: 'named_teams',
  configuration: {
    choose_preferred_team: true,
    teams: [
      { uuid: 'red', title: 'Red', max_count: 1 },
      { uuid: 'blue', title: 'Blue' },
    ],
  },
}
const codesOf = ({ body }: Answer): [string | undefined, string][] =>
  body.errors.map(({ pointer, code }: { pointer?: string; code: string }) => [pointer, code])

describe('own sign-ups over the API', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const { now } = world
  const ann = world.as(ANN, 'ME_WRITE', 'ME_READ')
  beforeEach(async () => {
    world.now = now
    await write.deleteFrom('participation').execute()
    await write.deleteFrom('setting').execute()
  })

  type Wish = ShiftOptions & { cancelled?: boolean; type?: number; questions?: number[]; others?: ShiftOptions[] }
  async function addShifts({ cancelled = false, type = 1, questions = [], others = [], ...shift }: Wish = {}): Promise<number[]> {
    const usual = { start: day(8), end: day(12), meeting: day(7) }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], cancelled, type, shifts: [{ ...usual, ...shift }, ...others] })
    for (const question_id of questions)
      await write.insertInto('shift_question').values({ shift_id: shifts[0]!, question_id }).execute()
    return shifts
  }
  const addShift = async (wish: Wish = {}): Promise<number> => (await addShifts(wish))[0]!
  const addQuestion = async (more: object = {}): Promise<number> => {
    const values = { name: 'Size', text: 'Size?', kind: 'single', choices: JSON.stringify(['S', 'M']), ...more }
    return (await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const signUp = (shift: number, body: object = {}, options = {}) => ann.post(`/api/shifts/${shift}/signup/`, body, options)
  const decline = (shift: number, body: object = {}) => ann.post(`/api/shifts/${shift}/decline/`, body)
  const pathOf = ({ body }: Answer) => `/api/users/me/participations/${body.id}/`
  const change = async (path: string, body: object) => ann.patch(path, body, (await ann.get(path)).headers.etag!)
  const stored = (shift: number, person: Person = ANN) =>
    read.selectFrom('participation').selectAll().where('user_id', '=', person.id).where('shift_id', '=', shift).executeTakeFirst()
  const answersOf = async (participationId: number) =>
    (await read.selectFrom('answer').select('value').where('participation_id', '=', participationId).execute()).map(
      ({ value }) => value,
    )

  for (const [flow, state] of [
    ['request_confirm', { value: 0, label: 'requested' }],
    ['instant_confirmation', { value: 1, label: 'confirmed' }],
  ] as const)
    test(`an empty object signs up with the defaults: ${flow}`, async () => {
      const shift = await addShift({ flow })
      const answer = await signUp(shift)
      assert.equal(answer.status, 201)
      assert.deepEqual([answer.body.shift, answer.body.state], [shift, state])
      assert.equal(answer.headers.location, `https://a.example${pathOf(answer)}`)
      const found = await ann.get(pathOf(answer))
      assert.deepEqual([found.body, found.headers.etag], [answer.body, answer.headers.etag])
    })

  test('times, wish, answers and comment are stored', async () => {
    const size = await addQuestion({ required: true, use_saved_answers: true })
    const shift = await addShift({ ...TEAMS, questions: [size] })
    const answer = await signUp(shift, {
      start_time: day(9),
      end_time: null,
      wish: 'blue',
      answers: { [size]: 'M' },
      save_answers: true,
      comment: ' one\r\ntwo ',
      comment_is_public: true,
    })
    assert.equal(answer.status, 201, answer.text)
    const { start_time, end_time, structure_data, comments } = answer.body
    assert.deepEqual([start_time, end_time, structure_data], [day(9), day(12), { preferred_team_uuid: 'blue' }])
    assert.deepEqual(
      comments.map(({ text }: { text: string }) => text),
      ['one\ntwo'],
    )
    assert.deepEqual(await answersOf(answer.body.id), ['M'])
    const next = await signUp(await addShift({ questions: [size], start: day(8, 6), end: day(9, 6) }))
    assert.equal(next.status, 201, 'the saved answer is used')
    await write.deleteFrom('saved_answer').execute()
  })

  const needed = await world.addQualification('Medic')
  const ofType = await world.addType({ title: 'Race' })
  await write
    .insertInto('event_type_required_qualification')
    .values({ event_type_id: ofType, qualification_id: needed.id })
    .execute()
  const size = await addQuestion({ required: true })
  const travel = await addQuestion({ name: 'Travel', kind: 'text', choices: '[]' })

  type Case = {
    shift?: Wish
    state?: 0 | 1 | 2 | 3
    /** Another shift at which the person is confirmed. */
    busy?: [start: string, end: string]
    prepare?: () => Promise<unknown>
    limit?: [kind: string, value: number]
    by?: 'signup' | 'decline' | 'change'
    body?: object
    pointer?: string
    detail: RegExp
  }
  const withoutBirthday = await world.addPerson({ name: 'Zoe' })
  const minor = await world.addPerson({ name: 'Mia', dateOfBirth: '2016-01-01' })
  // Rules of extensions: `operations/extensions/rules-and-forms.test.ts`.
  const REASONS: Record<Exclude<ReasonCode, 'answers_needed' | 'event_not_active' | 'added_rule'>, Case & { who?: Person }> = {
    event_cancelled: { shift: { cancelled: true }, detail: /^This event is cancelled\.$/ },
    configuration_broken: { shift: { flow: 'unheard_of' }, detail: /not set up correctly/ },
    already_in: { state: 0, detail: /already signed up/ },
    already_declined: { state: 2, by: 'decline', detail: /already declined/ },
    rejected: { state: 3, detail: /was rejected/ },
    may_not_leave: { state: 1, by: 'decline', detail: /can’t change that here/ },
    not_in: { state: 2, by: 'change', detail: /not signed up for this shift/ },
    no_self_service: {
      shift: { flow: 'manual', flowConfiguration: { no_selfservice_explanation: 'Call Ada' } },
      detail: /^Call Ada$/,
    },
    follows_other_shift: { shift: { flow: 'coupled', flowConfiguration: { leader_shift_id: 1 } }, detail: /linked to another/ },
    leader_missing: { shift: { flow: 'coupled' }, detail: /no longer exists/ },
    not_open_yet: { shift: { flowConfiguration: { signup_from: day(0, 3) } }, detail: /opens on .*3 May/ },
    closed: { shift: { flowConfiguration: { signup_until: day(0, 1) } }, by: 'decline', detail: /closed on .*1 May/ },
    type_not_qualified: { shift: { type: ofType }, detail: /you need Medic/ },
    not_qualified: {
      shift: {
        structure: 'qualification_mix',
        configuration: { qualification_requirements: [{ qualification: needed.id, min_count: 1, max_count: 2 }] },
      },
      detail: /you need Medic/,
    },
    age_unknown: {
      who: withoutBirthday,
      shift: { configuration: { minimum_age: 16 } },
      prepare: () => write.insertInto('setting').values({ name: 'unknown_age_blocks', value: 'true' }).execute(),
      detail: /at least 16 years old/,
    },
    too_young: { shift: { configuration: { minimum_age: 60 } }, detail: /60/ },
    qualified_until: {
      shift: { type: ofType },
      prepare: () => world.holds(ANN, needed, new Date(day(10))),
      pointer: '/end_time',
      detail: /valid until .*10:00/,
    },
    conflict: { busy: [day(7), day(13)], detail: /confirmed for another shift/ },
    partial_conflict: { busy: [day(11), day(13)], pointer: '/start_time', detail: /overlaps with/ },
    full: {
      shift: { ...INSTANT, configuration: { maximum_number_of_participants: 0 } },
      detail: /All places/,
    },
    wish_needed: { shift: TEAMS, pointer: '/wish', detail: /Choose where/ },
    wish_not_offered: { shift: TEAMS, body: { wish: 'green' }, pointer: '/wish', detail: /no longer available/ },
    answer_missing: { shift: { questions: [size] }, body: {}, pointer: `/answers/${size}`, detail: /answer this question/ },
    answer_too_long: {
      shift: { questions: [travel] },
      body: { answers: { [travel]: 'x'.repeat(101) } },
      pointer: `/answers/${travel}`,
      detail: /at most 100/,
    },
    answer_not_offered: {
      shift: { questions: [size] },
      body: { answers: { [size]: 'XXL' } },
      pointer: `/answers/${size}`,
      detail: /no longer offered/,
    },
    times_fixed: {
      shift: { flowConfiguration: { user_can_customize_signup_times: false } },
      body: { start_time: day(9) },
      pointer: '/start_time',
      detail: /can’t be changed/,
    },
    times_in_wrong_order: {
      body: { start_time: day(11), end_time: day(10) },
      pointer: '/end_time',
      detail: /must not be before/,
    },
    times_outside: { body: { start_time: day(6) }, pointer: '/start_time', detail: /between .*07:00 and .*12:00/ },
    limit_rest: { limit: ['rest_hours', 11], busy: [day(14), day(16)], detail: /Only 2 hours of rest .* At least 11/ },
    limit_week: { limit: ['hours_per_week', 5], busy: [day(14), day(16)], detail: /6 hours in one week\. The limit is 5/ },
    limit_nights: {
      limit: ['nights_in_row', 0],
      shift: { start: day(1), meeting: day(1), end: day(6) },
      detail: /1 nights in a row/,
    },
    limit_minor_day: { who: minor, limit: ['minor_hours_per_day', 3], detail: /4 hours in one day/ },
    limit_minor_hour: { who: minor, limit: ['minor_latest_hour', 12], shift: { end: day(13) }, detail: /between 6:00 and 12:00/ },
    limit_minor_alone: { who: minor, limit: ['minor_accompanied', 1], detail: /together with an adult/ },
  }
  for (const [
    code,
    { who = ANN, shift: wish = {}, state, busy, prepare, limit, by = 'signup', body = {}, pointer, detail },
  ] of Object.entries(REASONS))
    test(`the reason ${code} has a code and a text, and nothing is written`, async () => {
      await prepare?.()
      if (limit) await write.insertInto('work_limit').values({ kind: limit[0], value: limit[1], blocks: true }).execute()
      const others = busy ? [{ start: busy[0], end: busy[1] }] : []
      const shifts = await addShifts({ ...wish, others })
      const shift = shifts[0]!
      const member = { group_id: HELPERS.id, user_id: who.id }
      if (who !== ANN)
        await write
          .insertInto('user_group_member')
          .values(member)
          .onConflict((already) => already.doNothing())
          .execute()
      if (busy) await world.addParticipation({ who, shift: shifts[1]!, state: 1 })
      const id = state === undefined ? undefined : await world.addParticipation({ who, shift, state })
      const before = await stored(shift, who)
      const caller = world.as(who, 'ME_WRITE', 'ME_READ')
      const answer =
        by === 'change'
          ? await caller.patch(`/api/users/me/participations/${id}/`, body, '*')
          : await caller.post(`/api/shifts/${shift}/${by}/`, body)
      assert.deepEqual([answer.status, answer.body.code], [409, 'refused'], answer.text)
      assert.deepEqual(codesOf(answer), [[pointer, code]])
      assert.match(answer.body.errors[0].detail, detail)
      assert.deepEqual(await stored(shift, who), before)
      await write.deleteFrom('work_limit').execute()
    })

  test('all reasons are listed at once, in the language of the caller', async () => {
    const shift = await addShift({ type: ofType, configuration: { minimum_age: 60 }, questions: [size] })
    await write.deleteFrom('qualification_grant').execute()
    const { body } = await signUp(
      shift,
      { start_time: day(6), answers: { [size]: 'L', [travel]: 'by bike' } },
      { headers: { 'accept-language': 'de' } },
    )
    assert.deepEqual(
      body.errors.map(({ code }: { code: string }) => code),
      ['type_not_qualified', 'too_young', 'times_outside', 'answer_not_offered', 'answer_not_asked'],
    )
    assert.match(body.errors.at(-1).detail, /nicht gestellt/)
  })

  test('hidden shifts, drafts and participations of others are not found', async () => {
    const hidden = await world.addEvent({ seenBy: [BEN], shifts: [{}] })
    const draft = await world.addEvent({ seenBy: [HELPERS], draft: true, shifts: [{}] })
    const others = await world.addParticipation({ who: BEN, shift: hidden.shifts[0]!, state: 0 })
    for (const shift of [hidden.shifts[0]!, draft.shifts[0]!, 999_999]) {
      assert.equal((await signUp(shift)).status, 404)
      assert.equal((await signUp(shift, { answers: { 1: 'x' } })).status, 404)
      assert.equal((await decline(shift)).status, 404)
    }
    assert.equal((await ann.patch(`/api/users/me/participations/${others}/`, {}, '*')).status, 404)
  })

  test('a second sign-up is refused and changes nothing', async () => {
    const shift = await addShift(INSTANT)
    const first = await signUp(shift)
    const before = await stored(shift)
    assert.deepEqual(codesOf(await signUp(shift)), [[undefined, 'already_in']])
    assert.deepEqual(await stored(shift), before)
    assert.equal((await journalOf(world, 'participation', first.body.id)).length, 1)
  })

  test('decline with a reason, and sign up again with times as before', async () => {
    const shift = await addShift(INSTANT)
    await signUp(shift, { start_time: day(9) })
    const declined = await decline(shift, { comment: 'ill' })
    assert.deepEqual([declined.status, declined.body.state.value, declined.body.comments[0].text], [200, 2, 'ill'])
    const again = await signUp(shift, { end_time: day(11) })
    assert.deepEqual([again.body.start_time, again.body.end_time, again.body.state.value], [day(9), day(11), 1])
  })

  test('a change keeps what is absent, and clears what is null', async () => {
    const questions = [size, travel]
    const shift = await addShift({ ...TEAMS, configuration: { ...TEAMS.configuration, choose_preferred_team: false }, questions })
    const signed = await signUp(shift, {
      start_time: day(9),
      end_time: day(11),
      wish: 'red',
      answers: { [size]: 'S', [travel]: 'by bike' },
    })
    const path = pathOf(signed)
    const times = ({ body }: Answer) => [body.start_time, body.end_time]
    const commented = await change(path, { comment: 'late' })
    assert.deepEqual(
      [commented.status, times(commented), commented.body.structure_data],
      [200, [day(9), day(11)], { preferred_team_uuid: 'red' }],
    )
    assert.deepEqual((await answersOf(signed.body.id)).sort(), ['S', 'by bike'])
    assert.deepEqual(times(await change(path, { end_time: null })), [day(9), day(12)])
    assert.deepEqual(times(await change(path, { start_time: day(10) })), [day(10), day(12)])
    await change(path, { answers: { [size]: 'M' } })
    assert.deepEqual((await answersOf(signed.body.id)).sort(), ['M', 'by bike'])
    await change(path, { answers: { [travel]: null } })
    assert.deepEqual(await answersOf(signed.body.id), ['M'])
    assert.deepEqual((await change(path, { wish: null })).body.structure_data, {})
  })

  test('a change of other details keeps a wish that is no longer offered', async () => {
    const medics = {
      ...TEAMS.configuration,
      teams: [
        { uuid: 'red', title: 'Red', qualification: needed.id },
        { uuid: 'b', title: 'B' },
      ],
    }
    const shift = await addShift({ structure: 'named_teams', configuration: { ...medics, choose_preferred_team: false } })
    const id = await world.addParticipation({ who: ANN, shift, state: 0, data: { preferred_team_uuid: 'red' } })
    await write.deleteFrom('qualification_grant').execute()
    const { status, body } = await change(`/api/users/me/participations/${id}/`, { comment: 'late' })
    assert.deepEqual([status, body.structure_data], [200, { preferred_team_uuid: 'red' }])
  })

  test('a late change of a confirmed participation is a request, a comment is not a change', async () => {
    const shift = await addShift({ flowConfiguration: { ...LEAVES, late_change_asks_again: 'P5D' } })
    const id = await world.addParticipation({ who: ANN, shift, state: 1 })
    const path = `/api/users/me/participations/${id}/`
    assert.equal((await change(path, { comment: 'on my bike' })).body.state.value, 1)
    assert.equal((await change(path, { start_time: day(9) })).body.state.value, 0)
  })

  test('a change must be based on the present version', async () => {
    const signed = await signUp(await addShift())
    const path = pathOf(signed)
    const { etag } = signed.headers
    assert.equal((await ann.send('PATCH', path, { comment: 'a' })).status, 428)
    assert.equal((await ann.patch(path, { comment: 'a' }, 'W/"other"')).status, 412)
    const changed = await ann.patch(path, { comment: 'a' }, etag!)
    assert.equal(changed.status, 200)
    assert.equal((await ann.patch(path, { comment: 'b' }, etag!)).status, 412)
    assert.equal((await ann.patch(path, { comment: 'b' }, changed.headers.etag!)).status, 200)
  })

  test('a dry run judges and writes nothing', async () => {
    const shift = await addShift(INSTANT)
    const entries = () => read.selectFrom('journal').select('id').execute()
    const before = await entries()
    const dry = await signUp(shift, {}, { query: 'dry_run=1' })
    assert.deepEqual([dry.status, dry.body.state.value, await stored(shift)], [200, 1, undefined])
    const signed = await signUp(shift)
    const after = await entries()
    assert.deepEqual(codesOf(await signUp(shift, {}, { query: 'dry_run=1' })), [[undefined, 'already_in']])
    const options = { query: 'dry_run=true', headers: { 'if-match': signed.headers.etag! } }
    assert.equal((await ann.send('PATCH', pathOf(signed), { start_time: day(9) }, options)).body.start_time, day(9))
    assert.equal((await ann.post(`/api/shifts/${shift}/decline/`, {}, { query: 'dry_run=1' })).body.state.value, 2)
    assert.deepEqual((await ann.get(pathOf(signed))).body, signed.body)
    assert.deepEqual([after.length - before.length, (await entries()).length], [1, after.length])
  })

  for (const [body, pointer, code] of [
    [{ wisch: 'red' }, '/wisch', 'unrecognized_keys'],
    [{ start_time: '2031-05-04T09:00' }, '/start_time', 'invalid_format'],
    [{ start_time: 'soon' }, '/start_time', 'invalid_format'],
    [{ start_time: '0001-01-01T00:00:00+14:00' }, '/start_time', 'invalid_format'],
    [{ comment: 'x'.repeat(256) }, '/comment', 'too_big'],
    [{ comment: 'a\0b' }, '/comment', 'invalid_text'],
    [{ answers: { 1: ['a', '\ud800'] } }, '/answers/1/1', 'invalid_text'],
    [{ answers: { '01': 'a' } }, '/answers/01', 'invalid_key'],
    [{ answers: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [n + 1, 'a'])) }, '/answers', 'custom'],
  ] as const)
    test(`${JSON.stringify(body).slice(0, 50)} is invalid`, async () => {
      const answer = await signUp(await addShift(), body)
      assert.deepEqual([answer.status, codesOf(answer)], [400, [[pointer, code]]])
    })

  test('a comment may have 255 characters, whatever their size', async () => {
    assert.equal((await signUp(await addShift(), { comment: '👩‍🚒'.repeat(85) })).status, 201)
  })

  test('the journal has the same entries as after the forms', async () => {
    const ben = await browserOf(world, BEN)
    const wish = { ...INSTANT, ...TEAMS }
    const entriesOf = async (shift: number, person: Person) => {
      const { id } = (await stored(shift, person))!
      return (await journalOf(world, 'participation', id)).map(({ kind, actor_kind, actor_id, changes, event_id: _event }) => {
        const { comment_id, ...rest } = changes as Record<string, unknown>
        return { kind, actor_kind, isOwn: actor_id === person.id, changes: rest, hasComment: comment_id !== undefined }
      })
    }
    const [byApi, byForm] = [await addShift(wish), await addShift(wish)]
    const signed = await signUp(byApi, { start_time: day(9), wish: 'blue', comment: 'hello' })
    await change(pathOf(signed), { end_time: day(11) })
    await decline(byApi, { comment: 'ill' })
    const form = { doing: 'sign-up', start: '2031-05-04T09:00', end: '2031-05-04T12:00', wish: 'blue', comment: 'hello' }
    await ben.post(`/shifts/${byForm}/signup/`, { form })
    await ben.post(`/shifts/${byForm}/signup/`, { form: { ...form, doing: 'customize', end: '2031-05-04T11:00', comment: '' } })
    await ben.post(`/shifts/${byForm}/decline/`, { form: { sure: '1', comment: 'ill' } })
    const entries = await entriesOf(byApi, ANN)
    assert.equal(entries.length, 3)
    assert.deepEqual(entries, await entriesOf(byForm, BEN))
  })
})
