import { type RawBuilder, sql } from 'kysely'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { type Change, pairChanges } from '#platform/journal/kinds.ts'
import { findSavedAnswers, getQuestion, type StoredQuestion } from './queries.ts'
import { type Answers, changedAnswers, type GivenAnswers, judgeAnswer, judgeChoices, readChoices } from './rules.ts'
import type { QuestionForm } from './schema.ts'

function requirePermission({ actor }: CommandContext, permission: Permission): void {
  if (!hasPermission(actor, permission)) throw new Problem('permission_denied')
}

type ChoicesFault = NonNullable<ReturnType<typeof judgeChoices>>
type Outcome = { ok: true; isChanged: boolean } | { ok: false; reason: 'outdated' | ChoicesFault }

const valuesOf = ({ name, text, description, required, kind, choices, use_saved_answers }: QuestionForm) => ({
  name,
  text,
  description,
  required,
  kind,
  // A text question keeps what was typed, in case the type is changed back.
  choices: readChoices(choices),
  use_saved_answers,
})
type Values = ReturnType<typeof valuesOf>

const storedValues = (question: StoredQuestion): Values => ({
  name: question.name,
  text: question.text,
  description: question.description,
  required: question.isRequired,
  kind: question.kind,
  choices: [...question.choices],
  use_saved_answers: question.usesSavedAnswers,
})

const columnsOf = ({ choices, ...values }: Values) => ({ ...values, choices: JSON.stringify(choices) })

export async function createQuestion(context: CommandContext, form: QuestionForm): Promise<Outcome> {
  requirePermission(context, 'add_question')
  const values = valuesOf(form)
  const fault = judgeChoices(values.kind, values.choices)
  if (fault) return { ok: false, reason: fault }
  return transact(context.db, async (tx) => {
    const { id } = await tx.insertInto('question').values(columnsOf(values)).returning('id').executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'question.created',
      subject: { kind: 'question', id },
      changes: Object.fromEntries(Object.entries(values).map(([name, value]): [string, Change] => [name, [null, value]])),
    })
    return { ok: true, isChanged: true }
  })
}

/** Undefined: there is no such question. */
export async function changeQuestion(context: CommandContext, id: number, form: QuestionForm): Promise<Outcome | undefined> {
  requirePermission(context, 'change_question')
  const values = valuesOf(form)
  const fault = judgeChoices(values.kind, values.choices)
  if (fault) return { ok: false, reason: fault }
  return transact(context.db, async (tx): Promise<Outcome | undefined> => {
    const before = await lockQuestion(tx, id)
    if (!before) return undefined
    if (before.version !== form.version) return { ok: false, reason: 'outdated' }
    const stored = storedValues(before)
    const names = (Object.keys(values) as (keyof Values)[]).filter(
      (name) => JSON.stringify(stored[name]) !== JSON.stringify(values[name]),
    )
    if (!names.length) return { ok: true, isChanged: false }
    await tx.updateTable('question').set(columnsOf(values)).where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'question.changed',
      subject: { kind: 'question', id },
      changes: pairChanges(names, stored, values),
    })
    return { ok: true, isChanged: true }
  })
}

/** Shifts that ask an archived question continue to do so. Undefined: there is no such question. */
export async function archiveQuestion(
  context: CommandContext,
  id: number,
  archived: boolean,
): Promise<{ name: string } | undefined> {
  requirePermission(context, 'change_question')
  return transact(context.db, async (tx) => {
    const question = await lockQuestion(tx, id)
    if (!question || question.isArchived === archived) return question
    await tx.updateTable('question').set({ archived }).where('id', '=', id).execute()
    await record(tx, context, {
      kind: archived ? 'question.archived' : 'question.restored',
      subject: { kind: 'question', id },
      changes: { archived: [!archived, archived] },
    })
    return question
  })
}

/** Questions that a shift asks or somebody has answered cannot be deleted. Saved answers are deleted with the question. */
export async function deleteQuestion(context: CommandContext, id: number): Promise<'deleted' | 'in_use' | 'gone'> {
  requirePermission(context, 'delete_question')
  return transact(context.db, async (tx) => {
    const question = await lockQuestion(tx, id)
    if (!question) return 'gone'
    if (question.shifts || question.answers) return 'in_use'
    await tx.deleteFrom('question').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'question.deleted',
      subject: { kind: 'question', id },
      changes: { name: question.name, text: [question.text, null] },
    })
    return 'deleted'
  })
}

/** `for update` waits for shifts and answers that refer to the question, and keeps new ones out. */
async function lockQuestion(tx: Tx, id: number): Promise<StoredQuestion | undefined> {
  await tx.selectFrom('question').select('id').where('id', '=', id).forUpdate().execute()
  return getQuestion(tx, id)
}

/** Replaces the questions of a shift; questions that were deleted meanwhile are left out. The caller holds the lock of the event. */
export async function setQuestions(tx: Tx, shiftIds: readonly number[], questionIds: readonly number[]): Promise<void> {
  await sql`
    delete from shift_question where shift_id = any (${shiftIds}::bigint[]) and question_id <> all (${questionIds}::bigint[])`.execute(
    tx,
  )
  if (!questionIds.length) return
  await sql`
    insert into shift_question (shift_id, question_id)
    select s.id, q.id from unnest(${shiftIds}::bigint[]) as s (id),
      (select id from question where id = any (${questionIds}::bigint[]) for key share) q
    on conflict do nothing`.execute(tx)
}

/** Writes changed answers of a participation; an answer that is absent in `after` is deleted. */
export async function writeAnswers(tx: Tx, participationId: number, [before, after]: readonly [Answers, Answers]): Promise<void> {
  await replaceAnswers(tx, sql`answer`, { column: sql`participation_id`, id: participationId }, [before, after])
}

/** Saves answers to the profile of a person, for the next sign-up. */
export async function saveAnswers(tx: Tx, userId: number, answers: Answers, questionIds: readonly number[]): Promise<void> {
  const before = Object.fromEntries((await findSavedAnswers(tx, userId)).map(({ id, answer }) => [String(id), answer]))
  const changed = changedAnswers(before, answers, questionIds)
  if (changed) await replaceAnswers(tx, sql`saved_answer`, { column: sql`user_id`, id: userId }, changed)
}

type Owner = { column: RawBuilder<unknown>; id: number }

async function replaceAnswers(
  tx: Tx,
  table: RawBuilder<unknown>,
  { column, id }: Owner,
  [before, after]: readonly [Answers, Answers],
): Promise<void> {
  const gone = Object.keys(before).filter((question) => after[question] === undefined)
  if (gone.length) await sql`delete from ${table} where ${column} = ${id} and question_id = any (${gone}::bigint[])`.execute(tx)
  if (Object.keys(after).length)
    await sql`
      insert into ${table} (${column}, question_id, value)
      select ${id}, q.id, given.value from jsonb_each(${JSON.stringify(after)}::jsonb) given
        join question q on q.id = given.key::bigint
      on conflict (${column}, question_id) do update set value = excluded.value`.execute(tx)
}

type SavedFault = { questionId: number; fault: 'too_long' | 'not_offered' }

/** Changes own saved answers; an empty answer deletes it. */
export async function changeSavedAnswers(
  context: CommandContext,
  given: GivenAnswers,
): Promise<{ ok: true; isChanged: boolean } | { ok: false; faults: SavedFault[] }> {
  const { actor } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  const { userId } = actor
  return transact(context.db, async (tx) => {
    await tx.selectFrom('user_profile').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    const shown = (await findSavedAnswers(tx, userId)).filter(({ id }) => given.has(id))
    const judged = shown.map((question) => ({
      question,
      result: judgeAnswer({ ...question, isRequired: false }, given.get(question.id)!),
    }))
    const faults = judged.flatMap(({ question, result }): SavedFault[] =>
      result.ok || result.fault === 'missing' ? [] : [{ questionId: question.id, fault: result.fault }],
    )
    if (faults.length) return { ok: false, faults }
    const before = Object.fromEntries(shown.map(({ id, answer }) => [String(id), answer]))
    const after = Object.fromEntries(
      judged.flatMap(({ question, result }) => (result.ok && result.answer ? [[String(question.id), result.answer]] : [])),
    )
    const changed = changedAnswers(
      before,
      after,
      shown.map(({ id }) => id),
    )
    if (!changed) return { ok: true, isChanged: false }
    await replaceAnswers(tx, sql`saved_answer`, { column: sql`user_id`, id: userId }, changed)
    await record(tx, context, {
      kind: 'user.saved_answers_changed',
      subject: { kind: 'user', id: userId },
      personal: { personId: userId, values: { answers: changed } },
    })
    return { ok: true, isChanged: true }
  })
}

/** Called when a person is erased. */
export async function deleteSavedAnswers(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('saved_answer').where('user_id', '=', userId).execute()
}

export async function deleteAnswers(tx: Tx, participationIds: readonly number[]): Promise<void> {
  await sql`delete from answer where participation_id = any (${participationIds}::bigint[])`.execute(tx)
}
