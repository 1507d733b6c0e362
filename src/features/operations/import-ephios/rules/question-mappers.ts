import type { TableMapper } from './import-context.ts'
import { clean, cut, type SourceRow, text, toStorableJson } from './values.ts'

const KINDS = new Set(['text', 'single', 'multiple'])

/** `shiftOfQuestionnaire`: shift ids by the id of the questionnaire. */
export const makeQuestionMappers = (shiftOfQuestionnaire: ReadonlyMap<number, number>): TableMapper[] => [
  {
    source: 'questionnaires_question',
    map: (row, context) => {
      const table = 'questionnaires_question'
      context.add(table, row.id as number)
      const name = cut(clean(row.name).trim(), 50) || `Question ${row.id}`
      const isKnown = KINDS.has(text(row.type))
      if (!isKnown) context.noteRepaired(table, row.id, `unknown type ${text(row.type) || '(empty)'} replaced by text`)
      const values = {
        id: row.id!,
        name,
        text: cut(clean(row.question_text).trim(), 250) || name,
        description: clean(row.description),
        required: row.required === true,
        kind: isKnown ? text(row.type) : 'text',
        choices: { json: JSON.stringify(parseTexts(row.choices) ?? []) },
        archived: row.archived === true,
        use_saved_answers: row.use_saved_answers === true,
      }
      return [{ table: 'question', values }]
    },
  },
  {
    source: 'questionnaires_questionnaire',
    map: (row, context) => {
      context.hasReferences('questionnaires_questionnaire', row, [['shift', row.shift_id]])
      return []
    },
  },
  {
    source: 'questionnaires_questionnaire_questions',
    map: (row, context) => {
      const table = 'questionnaires_questionnaire_questions'
      const shift = shiftOfQuestionnaire.get(row.questionnaire_id as number) ?? null
      const isComplete = context.hasReferences(table, row, [
        ['shift', shift],
        ['questionnaires_question', row.question_id],
      ])
      if (!isComplete || !context.isUnique(table, row, text(shift), text(row.question_id))) return []
      return [{ table: 'shift_question', values: { shift_id: shift!, question_id: row.question_id! } }]
    },
  },
  makeAnswerMapper('questionnaires_answer', {
    owner: 'abstractparticipation',
    from: 'participation_id',
    table: 'answer',
    to: 'participation_id',
  }),
  makeAnswerMapper('questionnaires_savedanswer', {
    owner: 'userprofile',
    from: 'user_id',
    table: 'saved_answer',
    to: 'user_id',
  }),
]

type AnswerTable = { owner: string; from: string; table: string; to: string }

function makeAnswerMapper(source: string, { owner, from, table, to }: AnswerTable): TableMapper {
  return {
    source,
    map: (row, context) => {
      const isComplete = context.hasReferences(source, row, [
        [owner, row[from]],
        ['questionnaires_question', row.question_id],
      ])
      if (!isComplete || !context.isUnique(source, row, text(row[from]), text(row.question_id))) return []
      const texts = parseTexts(row.answer)
      const isList = text(row.answer).trim().startsWith('[')
      if (!texts?.length) {
        context.noteSkipped(source, row.id, 'is empty')
        return []
      }
      const value = { json: JSON.stringify(isList ? texts : texts[0]) }
      return [{ table, values: { [to]: row[from]!, question_id: row.question_id!, value } }]
    },
  }
}

/** The texts of a JSON list, or one JSON text; undefined if it is neither. Empty texts are left out. */
function parseTexts(value: SourceRow[string] | undefined): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(toStorableJson(text(value)))
    if (!Array.isArray(parsed) && typeof parsed !== 'string') return undefined
    return [parsed].flat().map(String).filter(Boolean)
  } catch {
    return undefined
  }
}
