import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'
import { inLanguage } from '#platform/sample-data/language.ts'

const QUESTIONS = [
  {
    name: { en: 'T-shirt', de: 'T-Shirt' },
    text: { en: 'What is your T-shirt size?', de: 'Welche T-Shirt-Größe trägst du?' },
    description: { en: 'You get it at the entrance.', de: 'Du bekommst es am Einlass.' },
    kind: 'single',
    required: true,
    choices: ['S', 'M', 'L', 'XL'],
    use_saved_answers: true,
  },
  {
    name: { en: 'Food', de: 'Verpflegung' },
    text: { en: 'What do you eat?', de: 'Was isst du?' },
    description: '',
    kind: 'multiple',
    required: false,
    choices: [
      { en: 'vegetarian', de: 'vegetarisch' },
      { en: 'vegan', de: 'vegan' },
      { en: 'no gluten', de: 'ohne Gluten' },
      { en: 'no lactose', de: 'ohne Laktose' },
    ],
    use_saved_answers: true,
  },
  {
    name: { en: 'Travel', de: 'Anreise' },
    text: { en: 'How do you get there, and can you give others a lift?', de: 'Wie kommst du, und nimmst du jemanden mit?' },
    description: '',
    kind: 'text',
    required: false,
    choices: [],
    use_saved_answers: false,
  },
]
const TRAVEL = [
  { en: 'by bicycle', de: 'mit dem Rad' },
  { en: 'by car, three seats free', de: 'Auto, drei Plätze frei' },
  { en: 'by train at 9:12', de: 'mit der Bahn um 9:12 Uhr' },
]
const SET_UP = { en: 'Set-up', de: 'Aufbau' }

/** Questions, asked where people set up the festival. Most of them have answered; the first two keep their answers in the profile. */
export async function loadQuestions({ language, tx, now }: SampleContext): Promise<void> {
  const [questions, travel] = [inLanguage(QUESTIONS, language), inLanguage(TRAVEL, language)]
  const ids: number[] = []
  for (const { choices, ...question } of questions) {
    const values = { ...question, choices: JSON.stringify(choices) }
    ids.push((await tx.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()).id)
  }
  const { rows: shifts } = await sql<{ id: number }>`
    select id from shift where start_time > ${now} and label = ${SET_UP[language]} order by start_time, id limit 1`.execute(tx)
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
    const [sizes, meals] = [questions[0]!.choices, questions[1]!.choices]
    const answers = [
      { question_id: ids[0]!, value: JSON.stringify(sizes[(index + 1) % sizes.length]) },
      ...(index % 3 === 2 ? [] : [{ question_id: ids[1]!, value: JSON.stringify([meals[index % meals.length]]) }]),
      ...(index % 2 ? [{ question_id: ids[2]!, value: JSON.stringify(travel[index % travel.length]) }] : []),
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
