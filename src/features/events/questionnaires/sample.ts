import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'

const QUESTIONS = [
  {
    name: 'T-Shirt',
    text: 'Welche T-Shirt-Größe trägst du?',
    description: 'Du bekommst es am Einlass.',
    kind: 'single',
    required: true,
    choices: ['S', 'M', 'L', 'XL'],
    use_saved_answers: true,
  },
  {
    name: 'Verpflegung',
    text: 'Was isst du?',
    description: '',
    kind: 'multiple',
    required: false,
    choices: ['vegetarisch', 'vegan', 'ohne Gluten', 'ohne Laktose'],
    use_saved_answers: true,
  },
  {
    name: 'Anreise',
    text: 'Wie kommst du, und nimmst du jemanden mit?',
    description: '',
    kind: 'text',
    required: false,
    choices: [],
    use_saved_answers: false,
  },
]
const TRAVEL = ['mit dem Rad', 'Auto, drei Plätze frei', 'mit der Bahn um 9:12 Uhr']

/** Questions, asked where people set up the festival. Most of them have answered; the first two keep their answers in the profile. */
export async function loadQuestions({ tx, now }: SampleContext): Promise<void> {
  const ids: number[] = []
  for (const { choices, ...question } of QUESTIONS) {
    const values = { ...question, choices: JSON.stringify(choices) }
    ids.push((await tx.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id)
  }
  const { rows: shifts } = await sql<{ id: number }>`
    select id from shift where start_time > ${now} and label = 'Aufbau' order by start_time, id limit 1`.execute(tx)
  const [shift] = shifts
  if (!shift) return
  await tx
    .insertInto('shift_question')
    .values(ids.map((question_id) => ({ shift_id: shift.id, question_id })))
    .execute()
  const people = await tx
    .selectFrom('participation')
    .select(['id', 'user_id'])
    .where('shift_id', '=', shift.id)
    .where('state', 'in', [0, 1])
    .orderBy('id')
    .execute()
  for (const [index, { id, user_id }] of people.entries()) {
    if (index % 5 === 4) continue
    const [sizes, meals] = [QUESTIONS[0]!.choices, QUESTIONS[1]!.choices]
    const answers = [
      { question_id: ids[0]!, value: JSON.stringify(sizes[(index + 1) % sizes.length]) },
      ...(index % 3 === 2 ? [] : [{ question_id: ids[1]!, value: JSON.stringify([meals[index % meals.length]]) }]),
      ...(index % 2 ? [{ question_id: ids[2]!, value: JSON.stringify(TRAVEL[index % TRAVEL.length]) }] : []),
    ]
    await tx
      .insertInto('answer')
      .values(answers.map((answer) => ({ ...answer, participation_id: id })))
      .execute()
    if (index < 2 && user_id !== null)
      await tx
        .insertInto('saved_answer')
        .values(answers.filter(({ question_id }) => question_id !== ids[2]).map((answer) => ({ ...answer, user_id })))
        .execute()
  }
}
