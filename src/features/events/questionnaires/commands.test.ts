import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { contextAs, contextOf, GUEST } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  archiveQuestion,
  changeQuestion,
  changeSavedAnswers,
  createQuestion,
  deleteAnswers,
  deleteQuestion,
  deleteSavedAnswers,
  saveAnswers,
  setQuestions,
  writeAnswers,
} from './commands.ts'
import {
  answersOf,
  findQuestionChoices,
  findQuestions,
  findSavedAnswers,
  getQuestion,
  namedAnswersOf,
  questionsOfShift,
  savedAnswersOf,
} from './queries.ts'
import type { QuestionForm } from './schema.ts'

describe('questions in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const olga = contextAs(world, OLGA)
  const FORM: QuestionForm = {
    name: 'Size',
    text: 'Which size?',
    description: 'For the vest',
    required: true,
    kind: 'single',
    choices: 'S\nM',
    use_saved_answers: true,
    version: 0,
  }
  const add = async (name: string, more: Partial<QuestionForm> = {}) => {
    assert.deepEqual(await createQuestion(olga, { ...FORM, name, ...more }), { ok: true, isChanged: true })
    return (await write.selectFrom('question').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
  }
  const row = (id: number) => write.selectFrom('question').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { shifts } = await world.addEvent({ shifts: [{}, {}] })
  const [first, second] = shifts as [number, number]
  const [ann, ben] = [
    await world.addParticipation({ who: ANN, shift: first }),
    await world.addParticipation({ who: BEN, shift: first }),
  ]
  const size = await add('Size')
  const travel = await add('travel', { kind: 'text', choices: '', required: false, use_saved_answers: false, description: '' })
  const meal = await add('Meal', { kind: 'multiple', choices: 'vegan\nno nuts' })
  const journal = async (id: number) =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('subject_kind', '=', 'question')
        .where('subject_id', '=', id)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, changes])
  const readValue = async <T>(column: ReturnType<typeof sql>): Promise<T> =>
    (await sql<{ value: T }>`select ${column} as value`.execute(write)).rows[0]!.value

  test('are stored as given, and listed by name, the archived ones last', async () => {
    const stored = {
      id: size,
      name: 'Size',
      text: 'Which size?',
      description: 'For the vest',
      isRequired: true,
      kind: 'single',
      choices: ['S', 'M'],
      usesSavedAnswers: true,
      isArchived: false,
      version: (await row(size)).version,
      shifts: 0,
      answers: 0,
      saved: 0,
    }
    assert.deepEqual(await getQuestion(write, size), stored)
    assert.equal(await getQuestion(write, 999_999), undefined)
    const names = async () => (await findQuestions(write)).map(({ name }) => name)
    assert.deepEqual(await names(), ['Meal', 'Size', 'travel'])
    assert.deepEqual(await archiveQuestion(olga, meal, true).then((found) => found?.name), 'Meal')
    await archiveQuestion(olga, meal, true)
    assert.deepEqual(await names(), ['Size', 'travel', 'Meal'])
    assert.deepEqual(
      (await findQuestionChoices(write)).map(({ id, isArchived }) => [id, isArchived]),
      [
        [meal, true],
        [size, false],
        [travel, false],
      ],
    )
    await archiveQuestion(olga, meal, false)
    assert.equal(await archiveQuestion(olga, 999_999, true), undefined)
    assert.deepEqual((await journal(meal)).slice(1), [
      ['question.archived', { archived: [false, true] }],
      ['question.restored', { archived: [true, false] }],
    ])
    assert.deepEqual([(await row(size)).archived, (await row(meal)).archived], [false, false])
  })

  test('are changed by a current form, and the log has what changed', async () => {
    const { version } = await row(travel)
    const same = { ...FORM, name: 'travel', kind: 'text' as const, choices: '', required: false, use_saved_answers: false }
    const form = { ...same, description: '', version }
    assert.deepEqual(await changeQuestion(olga, travel, form), { ok: true, isChanged: false })
    assert.deepEqual(await changeQuestion(olga, travel, { ...form, text: 'How?', version: version + 1 }), {
      ok: false,
      reason: 'outdated',
    })
    assert.equal(await changeQuestion(olga, 999_999, form), undefined)
    const bad = await changeQuestion(olga, travel, { ...form, kind: 'single' })
    assert.equal(bad?.ok, false, 'a choice without choices')
    assert.equal((await createQuestion(olga, { ...FORM, choices: '' })).ok, false)
    const others = [await row(size), await row(meal)]
    assert.deepEqual(await changeQuestion(olga, travel, { ...form, text: 'How?', required: true }), { ok: true, isChanged: true })
    assert.deepEqual((await journal(travel)).slice(1), [
      ['question.changed', { text: ['Which size?', 'How?'], required: [false, true] }],
    ])
    assert.deepEqual([await row(size), await row(meal)], others)
    for (const refused of [
      () => createQuestion(contextAs(world, PAUL), FORM),
      () => changeQuestion(contextAs(world, PAUL), travel, form),
      () => archiveQuestion(contextAs(world, PAUL), travel, true),
      () => deleteQuestion(contextAs(world, PAUL), travel),
    ])
      await assert.rejects(refused, { code: 'permission_denied' })
  })

  test('of a shift are replaced, those of other shifts stay', async () => {
    const asked = async (shift: number) =>
      (await readValue<{ id: number }[]>(questionsOfShift(sql`${shift}`))).map(({ id }) => id)
    const set = (shift: number, ids: number[]) => transact(write, (tx) => setQuestions(tx, [shift], ids))
    await set(first, [meal, size])
    await set(second, [size, travel])
    assert.deepEqual(
      [await asked(first), await asked(second)],
      [
        [size, meal],
        [size, travel],
      ],
    )
    await set(first, [travel, size, 999_999])
    assert.deepEqual(await asked(first), [size, travel])
    await set(first, [])
    assert.deepEqual([await asked(first), await asked(second)], [[], [size, travel]])
    assert.deepEqual((await readValue<unknown[]>(questionsOfShift(sql`${second}`)))[0], {
      id: size,
      name: 'Size',
      text: 'Which size?',
      description: 'For the vest',
      isRequired: true,
      kind: 'single',
      choices: ['S', 'M'],
      usesSavedAnswers: true,
    })
  })

  test('have answers of participations, which are written, changed and deleted one by one', async () => {
    const change = (id: number, before: Record<string, string | string[]>, after: Record<string, string | string[]>) =>
      transact(write, (tx) => writeAnswers(tx, id, [before, after]))
    const of = (id: number) => readValue<object>(answersOf(sql`${id}`))
    await change(ann, {}, { [size]: 'S', [meal]: ['vegan'] })
    await change(ben, {}, { [size]: 'M', [travel]: 'by bike' })
    await change(ann, { [size]: 'S', [meal]: ['vegan'] }, { [size]: 'M' })
    assert.deepEqual([await of(ann), await of(ben)], [{ [size]: 'M' }, { [size]: 'M', [travel]: 'by bike' }])
    assert.deepEqual(await readValue(namedAnswersOf(sql`${ben}`)), [
      { questionId: size, name: 'Size', answer: 'M' },
      { questionId: travel, name: 'travel', answer: 'by bike' },
    ])
    assert.deepEqual((({ shifts: inShifts, answers }) => [inShifts, answers])((await getQuestion(write, size))!), [1, 2])
    assert.equal(await deleteQuestion(olga, travel), 'in_use', 'asked and answered')
    await transact(write, (tx) => setQuestions(tx, [second], [size]))
    assert.equal(await deleteQuestion(olga, travel), 'in_use', 'answered')
    await transact(write, (tx) => deleteAnswers(tx, [ben]))
    assert.deepEqual([await of(ann), await of(ben)], [{ [size]: 'M' }, {}])
  })

  test('have saved answers, which people change and delete, each their own', async () => {
    const given = (answers: Record<number, string[]>) =>
      new Map(Object.entries(answers).map(([id, value]) => [Number(id), value]))
    const save = (person: Person, answers: Record<string, string | string[]>, ids: number[]) =>
      transact(write, (tx) => saveAnswers(tx, person.id, answers, ids))
    const of = ({ id }: Person) => readValue<object>(savedAnswersOf(sql`${id}`))
    await save(ANN, { [size]: 'S', [meal]: ['vegan'], [travel]: 'bus' }, [size, meal, travel])
    await save(BEN, { [size]: 'M' }, [size])
    await save(ANN, { [size]: 'M' }, [size])
    assert.deepEqual([await of(ANN), await of(BEN)], [{ [size]: 'M', [meal]: ['vegan'], [travel]: 'bus' }, { [size]: 'M' }])
    assert.deepEqual(
      (await findSavedAnswers(write, ANN.id)).map(({ id, answer, kind }) => [id, answer, kind]),
      [
        [size, 'M', 'single'],
        [travel, 'bus', 'text'],
        [meal, ['vegan'], 'multiple'],
      ],
    )
    const as = contextAs(world, ANN)
    assert.deepEqual(await changeSavedAnswers(as, given({ [size]: ['XL'], [travel]: ['x'.repeat(100_000)] })), {
      ok: false,
      faults: [
        { questionId: size, fault: 'not_offered' },
        { questionId: travel, fault: 'too_long' },
      ],
    })
    assert.deepEqual(await changeSavedAnswers(as, given({ [size]: ['M'] })), { ok: true, isChanged: false })
    assert.deepEqual(await changeSavedAnswers(as, given({ [size]: ['S'], [travel]: [''] })), { ok: true, isChanged: true })
    assert.deepEqual([await of(ANN), await of(BEN)], [{ [size]: 'S', [meal]: ['vegan'] }, { [size]: 'M' }])
    assert.deepEqual(await changeSavedAnswers(as, given({ [travel]: ['train'] })), { ok: true, isChanged: false }, 'not saved')
    await assert.rejects(changeSavedAnswers(contextOf(world, GUEST), given({})), { code: 'permission_denied' })
    await transact(write, (tx) => deleteSavedAnswers(tx, ANN.id))
    assert.deepEqual([await of(ANN), await of(BEN)], [{}, { [size]: 'M' }])
    assert.equal((await getQuestion(write, size))!.saved, 1)
  })

  test('are deleted once nothing refers to them, with saved answers', async () => {
    assert.equal(await deleteQuestion(olga, size), 'in_use')
    assert.equal(await deleteQuestion(olga, meal), 'deleted')
    assert.equal(await deleteQuestion(olga, meal), 'gone')
    assert.deepEqual((await journal(meal)).at(-1), ['question.deleted', { name: 'Meal', text: ['Which size?', null] }])
    assert.deepEqual(
      (await findQuestions(write)).map(({ id }) => id),
      [size, travel],
    )
  })
})
