import { type Kysely, type RawBuilder, sql } from 'kysely'
import { moduleIsOn } from '#features/operations/settings/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'
import type { Question, QuestionKind } from './rules.ts'

/** JSON columns for queries of other features, so that answers need no query of their own. */

/** Questions of the shift with this id, in the order of their creation; none while the module is off. */
export const questionsOfShift = (shiftId: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('id', q.id, 'name', q.name, 'text', q.text, 'description', q.description, 'isRequired', q.required,
    'kind', q.kind, 'choices', q.choices, 'usesSavedAnswers', q.use_saved_answers) order by q.id)
  from shift_question a join question q on q.id = a.question_id where a.shift_id = ${shiftId} and ${moduleIsOn('questionnaires')}), '[]')`

/** Answers of the participation with this id, by question. */
export const answersOf = (participationId: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_object_agg(a.question_id, a.value) from answer a where a.participation_id = ${participationId}), '{}')`

/** Saved answers of the user with this id, by question. */
export const savedAnswersOf = (userId: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_object_agg(a.question_id, a.value) from saved_answer a where a.user_id = ${userId}), '{}')`

/** Answers of the participation with this id, with the names of the questions, also of those that the shift no longer asks. */
export const namedAnswersOf = (participationId: RawBuilder<unknown>): RawBuilder<unknown> => sql`coalesce((
  select json_agg(json_build_object('questionId', q.id, 'name', q.name, 'answer', a.value) order by q.id)
  from answer a join question q on q.id = a.question_id where a.participation_id = ${participationId} and ${moduleIsOn('questionnaires')}), '[]')`

export type StoredQuestion = Question & { isArchived: boolean; version: number; shifts: number; answers: number; saved: number }

type Row = Omit<StoredQuestion, 'kind'> & { kind: QuestionKind }

const storedQuestions = sql`
  select q.id, q.name, q.text, q.description, q.required as "isRequired", q.kind, q.choices,
    q.use_saved_answers as "usesSavedAnswers", q.archived as "isArchived", q.version,
    (select count(*) from shift_question a where a.question_id = q.id)::int as shifts,
    (select count(*) from answer a where a.question_id = q.id)::int as answers,
    (select count(*) from saved_answer a where a.question_id = q.id)::int as saved
  from question q`

/** Archived ones last. */
export async function findQuestions(db: Kysely<DB>): Promise<StoredQuestion[]> {
  return rowsOf(db).all(sql<Row>`${storedQuestions} order by q.archived, lower(q.name), q.id`)
}

export async function getQuestion(db: Kysely<DB>, id: number): Promise<StoredQuestion | undefined> {
  return rowsOf(db).first(sql<Row>`${storedQuestions} where q.id = ${id}`)
}

type QuestionChoice = { id: number; name: string; text: string; isArchived: boolean }

/** For the shift form: archived ones are offered only to shifts that already ask them. */
export async function findQuestionChoices(db: Kysely<DB>): Promise<QuestionChoice[]> {
  return rowsOf(db).all(sql<QuestionChoice>`
    select id, name, text, archived as "isArchived" from question order by lower(name), id`)
}

/** Questions as the reader sees them. Answers stay those of the original choices. */
export async function inReadersLanguage<Asked extends Question>(
  context: RequestContext,
  questions: readonly Asked[],
): Promise<Asked[]> {
  const textOf = await findOwnTexts(
    context,
    'question',
    questions.map(({ id }) => id),
  )
  return questions.map((question) => {
    const { id, text, description, choices } = question
    const written = choices.join('\n')
    const labels = textOf(id, 'choices', written)
    return {
      ...question,
      text: textOf(id, 'text', text),
      description: textOf(id, 'explanation', description),
      ...(labels === written ? {} : { labels: labels.split('\n') }),
    }
  })
}

export type SavedAnswer = Question & { answer: string | string[] }

export async function findSavedAnswers(db: Kysely<DB>, userId: number): Promise<SavedAnswer[]> {
  return rowsOf(db).all(sql<SavedAnswer>`
    select q.id, q.name, q.text, q.description, q.required as "isRequired", q.kind, q.choices,
      q.use_saved_answers as "usesSavedAnswers", a.value as answer
    from saved_answer a join question q on q.id = a.question_id where a.user_id = ${userId} order by q.id`)
}
