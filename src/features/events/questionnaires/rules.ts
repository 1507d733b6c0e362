export const KINDS = ['text', 'single', 'multiple'] as const
export type QuestionKind = (typeof KINDS)[number]

/** A text, or the chosen texts of a question with multiple choices. */
export type Answer = string | readonly string[]
/** Answers by the id of the question. */
export type Answers = Readonly<Record<string, Answer>>

/** A question as participants see it. */
export type Question = {
  id: number
  /** Short, for planners. */
  name: string
  text: string
  description: string
  isRequired: boolean
  kind: QuestionKind
  choices: readonly string[]
  usesSavedAnswers: boolean
  /** What people read instead of the choices, in their order. Absent: the choices. */
  labels?: readonly string[]
}

export const MAX_ANSWER_LENGTH = 100
export const MAX_CHOICES = 50
export const MAX_QUESTIONS_PER_SHIFT = 30

const lengthOf = (text: string): number => [...text].length

/** One choice per line; empty lines and repetitions are left out. */
export const readChoices = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  ),
]

type ChoicesFault = 'choices_missing' | 'choices_many' | 'choice_long'

/** Whether people can choose from these choices. */
export function judgeChoices(kind: QuestionKind, choices: readonly string[]): ChoicesFault | undefined {
  if (kind === 'text') return undefined
  if (choices.length < 2) return 'choices_missing'
  if (choices.length > MAX_CHOICES) return 'choices_many'
  return choices.some((choice) => lengthOf(choice) > MAX_ANSWER_LENGTH) ? 'choice_long' : undefined
}

/**
 * A stored answer as the question accepts it today: a single choice becomes a list and the other way round, and choices that are no
 * longer offered are dropped. Undefined if nothing is left.
 */
export function fitAnswer({ kind, choices }: Question, stored: Answer | undefined): Answer | undefined {
  const values = [stored ?? []].flat().filter((value) => value !== '')
  if (kind === 'text') {
    const text = values.join(', ')
    return text === '' || lengthOf(text) > MAX_ANSWER_LENGTH ? undefined : text
  }
  const offered = choices.filter((choice) => values.includes(choice))
  if (kind === 'single') return offered.length === 1 ? offered[0] : undefined
  return offered.length ? offered : undefined
}

/** A question with the answer that the form shows at first. */
export type AskedQuestion = Question & { initial: Answer | undefined }

/** The existing answer, or else the saved one. `saved` is empty for people without a profile here. */
export function askQuestions(
  questions: readonly Question[],
  { given, saved }: { given: Answers; saved: Answers },
): AskedQuestion[] {
  return questions.map((question) => ({
    ...question,
    initial:
      fitAnswer(question, given[question.id]) ??
      (question.usesSavedAnswers ? fitAnswer(question, saved[question.id]) : undefined),
  }))
}

/** Questions that have to be answered on the form, so that one click is not enough. */
export const findUnanswered = (asked: readonly AskedQuestion[]): AskedQuestion[] =>
  asked.filter(({ isRequired, initial }) => isRequired && initial === undefined)

type AnswerFault = 'missing' | 'too_long' | 'not_offered'
/** Values of the form by the id of the question. Questions that the form did not show are absent. */
export type GivenAnswers = ReadonlyMap<number, readonly string[]>

/** `answer` undefined: the question was left empty. */
export function judgeAnswer(
  question: Question,
  given: readonly string[],
): { ok: true; answer: Answer | undefined } | { ok: false; fault: AnswerFault } {
  const values = given.map((value) => value.replaceAll(/\p{Cc}+/gu, ' ').trim()).filter(Boolean)
  if (!values.length) return question.isRequired ? { ok: false, fault: 'missing' } : { ok: true, answer: undefined }
  if (question.kind === 'text') {
    const text = values.at(-1)!
    return lengthOf(text) > MAX_ANSWER_LENGTH ? { ok: false, fault: 'too_long' } : { ok: true, answer: text }
  }
  const isOffered = values.every((value) => question.choices.includes(value))
  if (!isOffered || (question.kind === 'single' && values.length > 1)) return { ok: false, fault: 'not_offered' }
  if (question.kind === 'single') return { ok: true, answer: values[0]! }
  return { ok: true, answer: question.choices.filter((choice) => values.includes(choice)) }
}

/** Answers to all questions, or what is wrong with them. Questions that the form did not show keep their initial answer. */
export function judgeAnswers(
  asked: readonly AskedQuestion[],
  given: GivenAnswers | undefined,
): { answers: Answers; faults: { question: Question; fault: AnswerFault }[] } {
  const judged = asked.map((question) => {
    const values = given?.get(question.id)
    return { question, result: judgeAnswer(question, values ?? [question.initial ?? []].flat()) }
  })
  return {
    answers: Object.fromEntries(
      judged.flatMap(({ question, result }) =>
        result.ok && result.answer !== undefined ? [[String(question.id), result.answer]] : [],
      ),
    ),
    faults: judged.flatMap(({ question, result }) => (result.ok ? [] : [{ question, fault: result.fault }])),
  }
}

const isSame = (a: Answer | undefined, b: Answer | undefined): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The changed answers before and after, as the journal stores them; undefined if nothing changed. */
export function changedAnswers(
  before: Answers,
  after: Answers,
  questionIds: readonly number[],
): [before: Answers, after: Answers] | undefined {
  const changed = questionIds.map(String).filter((id) => !isSame(before[id], after[id]))
  const pick = (answers: Answers): Answers =>
    Object.fromEntries(changed.flatMap((id) => (answers[id] === undefined ? [] : [[id, answers[id]]])))
  return changed.length ? [pick(before), pick(after)] : undefined
}

export const questionField = (id: number): string => `question-${id}`

/** The ids of the questions that a form shows, in the field `asked`. */
export const writeAsked = (questions: readonly { id: number }[]): string => questions.map(({ id }) => id).join(' ')

/** What a form sent, by the id of the question. Undefined: more than a form can show. */
export function readGiven(values: Readonly<Record<string, unknown>>): GivenAnswers | undefined {
  const ids = [...new Set(String([values.asked ?? ''].flat().at(-1)).split(' '))].filter((id) => /^\d{1,15}$/.test(id))
  const sent = Object.keys(values).filter((name) => /^question-\d+$/.test(name))
  if (ids.length > MAX_QUESTIONS_PER_SHIFT || sent.length > MAX_QUESTIONS_PER_SHIFT) return undefined
  const textsOf = (id: string) => [values[questionField(Number(id))] ?? []].flat().map(String)
  const given = new Map(ids.map((id) => [Number(id), textsOf(id)]))
  return [...given.values()].every((texts) => texts.length <= MAX_CHOICES) ? given : undefined
}

export type AnsweredQuestion = Pick<Question, 'id' | 'name' | 'text' | 'kind' | 'choices'>
export type GivenBy = { name: string; answers: Answers }

export type Total = {
  question: AnsweredQuestion
  /** Choices with the number of people, in the order of the question; chosen texts that are no longer offered come last. */
  counts: { choice: string; count: number }[]
  /** Answers to a text question, by person. */
  texts: { name: string; text: string }[]
  /** People who have not answered. */
  unanswered: string[]
}

export function sumAnswers(questions: readonly AnsweredQuestion[], people: readonly GivenBy[]): Total[] {
  return questions.map((question) => {
    const given = people.map(({ name, answers }) => ({ name, values: [answers[question.id] ?? []].flat() }))
    const values = given.flatMap((one) => one.values)
    const choices = question.kind === 'text' ? [] : [...new Set([...question.choices, ...values])]
    return {
      question,
      counts: choices.map((choice) => ({ choice, count: values.filter((value) => value === choice).length })),
      texts:
        question.kind === 'text'
          ? given.flatMap((one) => (one.values.length ? [{ name: one.name, text: one.values.join(', ') }] : []))
          : [],
      unanswered: given.filter((one) => !one.values.length).map(({ name }) => name),
    }
  })
}

export const answerText = (answer: Answer | undefined): string => [answer ?? []].flat().join(', ')
