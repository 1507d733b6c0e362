import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { deletePerson } from '#features/accounts/users/commands/account-state.ts'
import { copyShift, duplicateEvent } from '#features/planning/series/commands/copies.ts'
import { replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { customize, decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { undo } from '#features/staffing/participations/commands/undo.ts'
import { makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import type { GivenAnswers } from './rules.ts'

const QUESTIONS = '/manage/questions/'
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

describe('questionnaires', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const olga = await browserOf(world, OLGA)
  const paul = await browserOf(world, PAUL)
  const ann = await browserOf(world, ANN)
  const add = async (name: string, more: object = {}): Promise<number> => {
    const values = { name, text: `${name}?`, kind: 'single', choices: JSON.stringify(['S', 'M', 'L']), ...more }
    return (await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const size = await add('Size', { required: true, use_saved_answers: true })
  const meal = await add('Meal', { kind: 'multiple', choices: JSON.stringify(['vegan', 'no nuts']), use_saved_answers: true })
  const travel = await add('Travel', { kind: 'text', choices: '[]' })
  beforeEach(async () => {
    world.now = new Date('2031-05-01T10:00:00Z')
    await write.deleteFrom('participation').execute()
    await write.deleteFrom('saved_answer').execute()
  })
  async function addShift(questions: number[]): Promise<{ eventId: number; shiftId: number; page: string; signup: string }> {
    const { id, shifts } = await world.addEvent({
      title: 'Fair',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: '2031-05-06T08:00:00+02:00', end: '2031-05-06T12:00:00+02:00', ...INSTANT }],
    })
    const shiftId = shifts[0]!
    if (questions.length)
      await write
        .insertInto('shift_question')
        .values(questions.map((question_id) => ({ shift_id: shiftId, question_id })))
        .execute()
    return { eventId: id, shiftId, page: `/events/${id}-fair/`, signup: `/shifts/${shiftId}/signup/` }
  }
  const answersIn = async (shiftId: number) => {
    const rows = await read
      .selectFrom('answer')
      .innerJoin('participation', 'participation.id', 'answer.participation_id')
      .select(['question_id', 'value'])
      .where('shift_id', '=', shiftId)
      .orderBy('question_id')
      .execute()
    return Object.fromEntries(rows.map(({ question_id, value }) => [question_id, value]))
  }
  const savedOf = async ({ id }: Person) =>
    Object.fromEntries(
      (await read.selectFrom('saved_answer').selectAll().where('user_id', '=', id).orderBy('question_id').execute()).map(
        ({ question_id, value }) => [question_id, value],
      ),
    )
  const given = (answers: Record<number, readonly string[]>): GivenAnswers =>
    new Map(Object.entries(answers).map(([id, values]) => [Number(id), values]))
  const asked = [size, meal, travel].join(' ')
  const plain = (body: string) =>
    body
      .replace(/^[\s\S]*<main/, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')

  test('are managed by people with the permission, with errors at the fields', async () => {
    assert.equal((await ann.get(QUESTIONS)).statusCode, 403)
    const list = await olga.get(QUESTIONS)
    assert.deepEqual(checkMarkup(list.body), [])
    const form = { name: 'x'.repeat(51), text: '', kind: 'single', choices: 'only one', description: 'kept' }
    const refused = await olga.post(`${QUESTIONS}new/`, { form })
    assert.equal(refused.statusCode, 422)
    assert.match(plain(refused.body), /Short name: This text is too long\. .*Question: /)
    assert.match(refused.body, /kept<\/textarea>/)
    const few = await olga.post(`${QUESTIONS}new/`, { form: { ...form, name: 'Shoe', text: 'Shoe size?' } })
    assert.match(plain(few.body), /Choices: Please enter at least two choices/)
    const made = await olga.post(`${QUESTIONS}new/`, {
      form: { ...form, name: 'Shoe', text: 'Shoe size?', choices: '40\n41\n41' },
    })
    assert.equal(made.statusCode, 303)
    const shoe = await read.selectFrom('question').selectAll().where('name', '=', 'Shoe').executeTakeFirstOrThrow()
    assert.deepEqual(shoe.choices, ['40', '41'])
    const path = `${QUESTIONS}${shoe.id}/`
    const change = { ...form, name: 'Shoe', text: 'Shoe size?', choices: '40\n42', version: '1' }
    assert.equal((await olga.post(path, { form: change })).statusCode, 303)
    assert.equal((await olga.post(path, { form: change })).statusCode, 409)
    assert.equal((await olga.post(`${path}archive/`, { form: { archived: '1' } })).statusCode, 303)
    assert.match(plain((await olga.get(QUESTIONS)).body), /Shoe archived/)
    assert.match(plain((await olga.get(`${path}delete/`)).body), /No shift asks this question/)
    assert.equal((await olga.post(`${path}delete/`)).statusCode, 303)
    const kinds = await read.selectFrom('journal').select('kind').where('subject_kind', '=', 'question').orderBy('id').execute()
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['question.created', 'question.changed', 'question.archived', 'question.deleted'],
    )
  })

  test('of a shift are chosen on its form, previewed, and copied with shifts and events', async () => {
    const { shiftId, eventId } = await addShift([])
    const old = await add('Old', { archived: true })
    const form = await paul.get(`/shifts/${shiftId}/edit/`)
    assert.deepEqual(checkMarkup(form.body), [])
    assert.match(form.body, new RegExp(`name="s0-questions" value="${size}"`))
    assert.doesNotMatch(form.body, new RegExp(`name="s0-questions" value="${old}"`))
    const fields = Object.fromEntries(
      [...form.body.matchAll(/<input[^>]* name="(s0-(?:on|date|meeting|start|end|label)|seen)"[^>]*/g)].map(([input, name]) => [
        name!,
        (/ value="([^"]*)"/.exec(input)?.[1] ?? '').replaceAll('&quot;', '"'),
      ]),
    )
    const values = { ...fields, 's0-flow': 'instant_confirmation', 's0-structure': 'uniform', do: 'save' }
    const many = Array.from({ length: 31 }, (_, n) => String(n + 1))
    const refused = await paul.post(`/shifts/${shiftId}/edit/`, { form: { ...values, 's0-questions': many } })
    assert.match(refused.body, /Choose at most 30 questions/)
    const preview = await paul.post(`/shifts/${shiftId}/edit/`, {
      form: { ...values, 's0-questions': [String(size), String(meal)], do: 'refresh' },
    })
    assert.match(plain(preview.body), /Questions: Meal · Size/)
    const chosen = [String(size), String(meal), '999999']
    const saved = await paul.post(`/shifts/${shiftId}/edit/`, { form: { ...values, 's0-questions': chosen } })
    assert.equal(saved.statusCode, 303, plain(saved.body))
    const idsOf = async (id: number) =>
      (
        await read.selectFrom('shift_question').select('question_id').where('shift_id', '=', id).orderBy('question_id').execute()
      ).map(({ question_id }) => question_id)
    assert.deepEqual(await idsOf(shiftId), [size, meal])
    const [copy] = await copyShift(contextAs(world, PAUL), { shiftId, dates: ['2031-05-08'] })
    assert.deepEqual(await idsOf(copy!), [size, meal])
    const [event] = await duplicateEvent(contextAs(world, OLGA), { eventId, dates: ['2031-06-01'] })
    const shifts = await read.selectFrom('shift').select('id').where('event_id', '=', event!).execute()
    assert.deepEqual(await idsOf(shifts[0]!.id), [size, meal])
    assert.match((await paul.get(`/shifts/${shiftId}/edit/`)).body, /Questions at sign-up \(2\)/)
  })

  test('lead to the form if a required question has no answer yet, and one click is refused with a hint', async () => {
    const { shiftId, page, signup } = await addShift([size, meal, travel])
    const before = plain((await ann.get(page)).body)
    assert.match(before, /Please answer when you sign up: Size\./)
    assert.match(before, /Sign up…/)
    const refused = await ann.post(signup, { form: { quick: '1' } })
    assert.equal(refused.statusCode, 409)
    assert.match(plain(refused.body), /Size\?: Please answer this question/)
    assert.deepEqual(await answersIn(shiftId), {})
    const form = await ann.get(signup)
    assert.deepEqual(checkMarkup(form.body), [])
    assert.match(plain(form.body), /Save my answers for the next time/)
    const wrong = await ann.post(signup, {
      form: { asked, [`question-${size}`]: 'XXL', [`question-${travel}`]: 'x'.repeat(101), comment: 'still here' },
    })
    assert.equal(wrong.statusCode, 422)
    assert.match(plain(wrong.body), /Size\?: This answer is no longer offered.*Travel\?: Use at most 100 characters/)
    assert.match(wrong.body, /still here/)
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`question-${n + 1}`, 'S']))
    const flooded = await ann.post(signup, { form: { asked, ...many } })
    assert.deepEqual([flooded.statusCode, /too many answers/.test(flooded.body)], [422, true])
    const signed = await ann.post(signup, {
      form: { asked, [`question-${size}`]: 'M', [`question-${meal}`]: ['no nuts', 'vegan'], [`question-${travel}`]: '' },
    })
    assert.equal(signed.statusCode, 303, plain(signed.body))
    assert.deepEqual(await answersIn(shiftId), { [size]: 'M', [meal]: ['vegan', 'no nuts'] })
    assert.deepEqual(await savedOf(ANN), {})
    assert.match((await ann.get(signup)).body, /checked[^>]* value="M"/)
  })

  test('are answered by one click with saved answers, which people see, change and delete', async () => {
    const first = await addShift([size, meal, travel])
    const form = { asked, [`question-${size}`]: 'M', [`question-${travel}`]: 'by bike', save_answers: 'on' }
    assert.equal((await ann.post(first.signup, { form })).statusCode, 303)
    // Only of questions that use saved answers.
    assert.deepEqual(await savedOf(ANN), { [size]: 'M' })
    await write.deleteFrom('participation').execute()
    const second = await addShift([size, travel])
    assert.doesNotMatch(plain((await ann.get(second.page)).body), /Please answer when you sign up|Sign up…/)
    assert.equal((await ann.post(second.signup, { form: { quick: '1' } })).statusCode, 303)
    assert.deepEqual(await answersIn(second.shiftId), { [size]: 'M' })
    const settings = await ann.get('/settings/answers/')
    assert.deepEqual(checkMarkup(settings.body), [])
    assert.match(plain(settings.body), /Size\?/)
    const change = (value: string) =>
      ann.post('/settings/answers/', { form: { asked: String(size), [`question-${size}`]: value } })
    assert.equal((await change('XXL')).statusCode, 422)
    await change('L')
    assert.deepEqual(await savedOf(ANN), { [size]: 'L' })
    await change('')
    assert.deepEqual(await savedOf(ANN), {})
    assert.match(plain((await ann.get('/settings/answers/')).body), /You have not saved any answers yet/)
    // Answers of a shift do not follow the profile.
    assert.deepEqual(await answersIn(second.shiftId), { [size]: 'M' })
  })

  test('are not asked of people who decline, nor of planners who add people', async () => {
    const { shiftId, page } = await addShift([size])
    assert.ok((await decline(contextAs(world, ANN), { shiftId })).ok)
    const moved = await moveOnBoard(contextAs(world, PAUL), { shiftId, who: { kind: 'local', id: BEN.id }, to: 1 })
    assert.ok(moved.ok)
    const ben = await browserOf(world, BEN)
    assert.match(plain((await ben.get(page)).body), /Please answer when you sign up: Size/)
  })

  test('are changed later, with a journal entry in words, and planners notice', async () => {
    const { shiftId, eventId } = await addShift([size, travel])
    const context = contextAs(world, ANN)
    await signUp(context, { shiftId, details: { answers: given({ [size]: ['M'] }) } })
    const state = async () => (await paul.get(`/shifts/${shiftId}/disposition/state/`)).body
    const before = await state()
    const answers = given({ [size]: ['L'], [travel]: ['by bike'] })
    const changed = await customize(context, { shiftId, details: { answers } })
    assert.ok(changed.ok && changed.hasChanged && changed.to === 1)
    const unchanged = await customize(context, { shiftId, details: { answers } })
    assert.ok(unchanged.ok && !unchanged.hasChanged)
    assert.notEqual(await state(), before)
    const { changes, personal, person_id } = await read
      .selectFrom('journal')
      .selectAll()
      .where('id', '=', changed.entryId!)
      .executeTakeFirstOrThrow()
    const pair = [{ [size]: 'M' }, { [size]: 'L', [travel]: 'by bike' }]
    assert.deepEqual([changes, personal, person_id], [{}, { answers: pair }, ANN.id])
    const log = plain((await paul.get(`/events/${eventId}/log/`)).body)
    assert.match(log, /Ann changed details of .*Size: M → to L .*Travel: by bike/)
  })

  test('are restored by undo', async () => {
    const { shiftId } = await addShift([size, travel])
    const context = contextAs(world, ANN)
    const first = await signUp(context, { shiftId, details: { answers: given({ [size]: ['M'], [travel]: ['by bike'] }) } })
    const second = await customize(context, { shiftId, details: { answers: given({ [size]: ['L'], [travel]: [''] }) } })
    assert.ok(first.ok && second.ok)
    assert.deepEqual(await answersIn(shiftId), { [size]: 'L' })
    assert.ok((await undo(context, { shiftId, entryId: second.entryId! })).ok)
    assert.deepEqual(await answersIn(shiftId), { [size]: 'M', [travel]: 'by bike' })
  })

  test('that are answered or asked cannot be deleted, not even past the page', async () => {
    const { shiftId } = await addShift([size])
    await signUp(contextAs(world, ANN), { shiftId, details: { answers: given({ [size]: ['M'] }) } })
    assert.equal((await olga.post(`${QUESTIONS}${size}/delete/`)).statusCode, 409)
    assert.match((await olga.get(`${QUESTIONS}${size}/delete/`)).body, /Archive it instead/)
    await write.deleteFrom('shift_question').where('question_id', '=', size).execute()
    assert.equal((await olga.post(`${QUESTIONS}${size}/delete/`)).statusCode, 409)
    await assert.rejects(write.deleteFrom('question').where('id', '=', size).execute(), /violates .*foreign key constraint/)
  })

  test('show their answers to responsible people only: board, totals, roster and CSV', async () => {
    const { shiftId, eventId, page } = await addShift([size, meal, travel])
    for (const [person, answers] of [
      [ANN, { [size]: ['M'], [meal]: ['vegan'], [travel]: ['by bike'] }],
      [BEN, { [size]: ['M'] }],
    ] as const)
      await signUp(contextAs(world, person), { shiftId, details: { answers: given(answers) } })
    await decline(contextAs(world, BEN), { shiftId })
    const board = await paul.get(`/shifts/${shiftId}/disposition/`)
    assert.match(plain(board.body), /Size: M · Meal: vegan · Travel: by bike/)
    assert.match(board.body, new RegExp(`href="/shifts/${shiftId}/answers/"`))
    const totals = await paul.get(`/shifts/${shiftId}/answers/`)
    assert.deepEqual(checkMarkup(totals.body), [])
    // Ben has declined.
    assert.match(plain(totals.body), /Size .*S 0 M 1 L 0 .*Meal .*vegan 1 no nuts 0 .*Travel .*Ann by bike/)
    assert.match((await paul.get(page)).body, new RegExp(`/shifts/${shiftId}/answers/`))
    assert.match(plain((await paul.get(`/events/${eventId}/roster/`)).body), /Size Meal Travel .*Ann .*M vegan by bike/)
    const csv = (await paul.get(`/events/${eventId}/roster.csv`)).body
    assert.match(csv, /Size,Meal,Travel\r?\n.*Ann.*M,vegan,by bike/)
    assert.equal((await ann.get(`/shifts/${shiftId}/answers/`)).statusCode, 403)
    for (const path of [page, `/events/${eventId}/roster/`, `/events/${eventId}/roster.csv`])
      assert.doesNotMatch((await ann.get(path)).body, /by bike|vegan|shifts\/\d+\/answers/, path)
  })

  test('are asked of visitors of partner instances, without saved answers, and their answers disappear with them', async () => {
    const { shiftId, eventId } = await addShift([size])
    const { id } = await write
      .insertInto('visitor')
      .values({ federated_guest_id: NORD.id, display_name: 'Vic', email: 'vic@nord.example' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await write.insertInto('event_share').values({ event_id: eventId, federated_guest_id: NORD.id }).execute()
    const actor = makeActor<VisitorActor>({
      kind: 'visitor',
      visitorId: id,
      federatedGuestId: NORD.id,
      displayName: 'Vic',
      language: 'en',
    })
    const context = { ...contextAs(world, PAUL), actor }
    const quick = await signUp(context, { shiftId })
    assert.deepEqual([quick.ok, !quick.ok && quick.reasons.map(({ code }) => code)], [false, ['answer_missing']])
    const details = { answers: given({ [size]: ['S'] }), savesAnswers: true }
    const signed = await signUp(context, { shiftId, details })
    assert.ok(signed.ok)
    assert.deepEqual(await answersIn(shiftId), { [size]: 'S' })
    assert.equal((await read.selectFrom('saved_answer').selectAll().execute()).length, 0)
    await transact(write, (tx) => replaceByPlaceholders(tx, { kind: 'visitor', ids: [id], name: 'Nord' }))
    assert.deepEqual(await answersIn(shiftId), {})
    const entry = await read.selectFrom('journal').select('personal').where('id', '=', signed.entryId!).executeTakeFirstOrThrow()
    assert.equal(entry.personal, null)
  })

  test('disappear with the person: answers, saved answers and their journal', async () => {
    const { shiftId } = await addShift([size])
    const details = { answers: given({ [size]: ['S'] }), savesAnswers: true }
    const signed = await signUp(contextAs(world, BEN), { shiftId, details })
    assert.ok(signed.ok)
    const other = await addShift([size])
    assert.ok((await signUp(contextAs(world, ANN), { shiftId: other.shiftId, details })).ok)
    assert.deepEqual(await savedOf(BEN), { [size]: 'S' })
    assert.ok((await deletePerson(contextAs(world, OLGA), BEN.id, {})).ok)
    assert.deepEqual([await answersIn(shiftId), await savedOf(BEN)], [{}, {}])
    assert.deepEqual([await answersIn(other.shiftId), await savedOf(ANN)], [{ [size]: 'S' }, { [size]: 'S' }])
    const entry = await read.selectFrom('journal').select('personal').where('id', '=', signed.entryId!).executeTakeFirstOrThrow()
    assert.equal(entry.personal, null)
  })
})
