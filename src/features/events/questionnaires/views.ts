import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxField, checkboxGroup, hiddenField, radioGroup, selectField, textField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormValues, fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { type Answer, answerText, MAX_ANSWER_LENGTH, type Question, questionField, writeAsked } from './rules.ts'

export const QUESTIONS = '/manage/questions/'
export const questionPath = (id: number): string => `${QUESTIONS}${id}/`

type ListedQuestion = Question & { isArchived: boolean; shifts: number; answers: number }

export function questionsView({
  words,
  questions,
  may,
  csrfToken,
}: {
  words: Words
  questions: readonly ListedQuestion[]
  may: { add: boolean; change: boolean }
  csrfToken: string
}): Html {
  const add =
    may.add && linkButtonView({ href: `${QUESTIONS}new/`, label: words.t('questions.new'), icon: 'plus', kind: 'primary' })
  if (!questions.length)
    return html`${pageHeadView({ title: words.t('questions.list'), facts: words.t('questions.intro') })}${emptyView({ icon: 'circle-question-mark', text: words.t('questions.none'), action: add })}`
  return html`${pageHeadView({ title: words.t('questions.list'), facts: words.t('questions.intro'), actions: [add] })}
${tableView<ListedQuestion>({
  caption: words.t('questions.list'),
  rows: questions,
  columns: [
    {
      label: words.t('questions.name'),
      main: true,
      cell: ({ id, name, isArchived, isRequired }) =>
        html`${may.change ? html`<a href="${questionPath(id)}">${name}</a>` : name}${isRequired && html` ${badgeView({ tone: 'info', text: words.t('questions.badge_required') })}`}${isArchived && html` ${badgeView({ tone: 'quiet', text: words.t('questions.badge_archived') })}`}`,
    },
    { label: words.t('questions.text'), cell: ({ text }) => text },
    { label: words.t('questions.kind'), cell: ({ kind }) => words.t(`questions.kind_${kind}`) },
    {
      label: words.t('questions.count'),
      cell: ({ shifts }) => (shifts ? words.t('questions.in_shifts', { count: shifts }) : words.t('questions.unused')),
    },
    {
      label: words.t('questions.archive'),
      actions: true,
      cell: ({ id, name, isArchived }) => {
        const label = words.t(isArchived ? 'questions.unarchive' : 'questions.archive')
        return (
          may.change &&
          postButtonView({
            action: `${questionPath(id)}archive/`,
            csrfToken,
            label,
            kind: 'quiet',
            small: true,
            fields: { archived: isArchived ? '0' : '1' },
            attributes: { 'aria-label': `${label}: ${name}` },
            id: `archive-${id}`,
          })
        )
      },
    },
  ],
})}`
}

/** Choices up to this number are shown as buttons, more as a list to open. */
const MAX_BUTTONS = 6

type FieldsData = { words: Words; questions: readonly Question[]; values: FormValues; errors: readonly FormError[] }

function answerField({ words, values, errors }: FieldsData, question: Question): Html {
  const name = questionField(question.id)
  const data = {
    words,
    name,
    label: question.text,
    help: question.description,
    error: errorOf(errors, name),
    required: question.isRequired,
    value: fieldValue(values, name),
  }
  const options = question.choices.map((choice, index) => ({ value: choice, label: question.labels?.[index] ?? choice }))
  if (question.kind === 'text') return textField({ ...data, attributes: { maxlength: MAX_ANSWER_LENGTH } })
  if (question.kind === 'multiple') return checkboxGroup({ ...data, values: fieldValues(values, name), options })
  if (options.length > MAX_BUTTONS)
    return selectField({ ...data, options, placeholder: question.isRequired ? undefined : words.t('questions.no_answer') })
  const none = question.isRequired ? [] : [{ value: '', label: words.t('questions.no_answer') }]
  return radioGroup({ ...data, options: [...none, ...options] })
}

/** A field per question, and a hidden field that names the questions that are shown. */
export const answerFieldsView = (data: FieldsData): Html =>
  html`${hiddenField('asked', writeAsked(data.questions))}${data.questions.map((question) => answerField(data, question))}`

/** `offersSaving`: the person has a profile here, and a question uses saved answers. */
export function askedView(data: FieldsData & { offersSaving: boolean }): Html | false {
  const { words, questions, values, offersSaving } = data
  if (!questions.length) return false
  const saving =
    offersSaving &&
    checkboxField({
      words,
      name: 'save_answers',
      label: words.t('questions.save_answers'),
      help: words.t('questions.save_answers_help'),
      checked: isChecked(values, 'save_answers'),
    })
  return fieldsetView({ legend: words.t('questions.asked'), fields: html`${answerFieldsView(data)}${saving}` })
}

/** “T-shirt: M · Meal: vegan”, for cards and lists of planners. */
export const answersText = (answers: readonly { name: string; answer: Answer }[]): string =>
  answers.map(({ name, answer }) => `${name}: ${answerText(answer)}`).join(' · ')
