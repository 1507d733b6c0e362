import { missing, type PersonalTable, STEP } from '#platform/db/personal-table.ts'

const QUESTION_TEXT = '(select q.text from question q where q.id = t.question_id)'

export const questionnairesPersonalData: readonly PersonalTable[] = [
  {
    table: 'answer',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'answers', adds: { question: QUESTION_TEXT } },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'saved_answer',
    column: 'user_id',
    export: { section: 'saved_answers', adds: { question: QUESTION_TEXT } },
    merge: missing('question_id'),
    erased: 'deleted',
  },
]
