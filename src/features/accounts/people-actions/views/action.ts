import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { Option } from '#platform/ui/fields.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { progressView } from '#platform/ui/progress.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ActionKind, ActionState, SkipReason } from '../rules.ts'
import { detailsForm } from '../schema.ts'

export const ACTIONS = '/manage/people/actions/'
export const actionPath = (id: number, what = ''): string => `${ACTIONS}${id}/${what && `${what}/`}`

export type ActionHead = { kind: ActionKind; group: string | null; qualification: string | null; people: number }
type ActionPerson = { id: number; name: string; outcome: string | null; reason: SkipReason | null }

export function headingOf(words: Words, { kind, group, qualification }: ActionHead): string {
  switch (kind) {
    case 'add_to_group':
    case 'remove_from_group':
      return words.t(`people_actions.heading_${kind}`, { group: group ?? words.t('people_actions.deleted_group') })
    case 'grant':
      return words.t('people_actions.heading_grant', {
        qualification: qualification ?? words.t('people_actions.deleted_qualification'),
      })
    default:
      return words.t(`people_actions.heading_${kind}`)
  }
}

export const questionOf = (words: Words, { kind, people }: ActionHead): string =>
  words.t(`people_actions.ask_${kind}`, { count: people })

function consequencesOf(words: Words, kind: ActionKind): string[] {
  const does = words.t(`people_actions.does_${kind}`)
  if (kind === 'invite') return [does, words.t('people_actions.undo_impossible')]
  if (kind === 'deactivate')
    return [does, words.t('people_actions.does_deactivate_more'), words.t('people_actions.undo_not_places')]
  return [does, words.t('people_actions.undo_possible')]
}

type AskData = {
  words: Words
  csrfToken: string
  action: ActionHead & { id: number }
  state: FormState
  people: readonly ActionPerson[]
  groups: readonly Option[]
  qualifications: readonly Option[]
  cancel: string
}

export function askView({ words, csrfToken, action, state, people, groups, qualifications, cancel }: AskData): Html {
  const field = detailsForm.fields(words, state)
  const { kind } = action
  const problems = state.errors.filter((error) => error.field === undefined)
  const inputs = html`${problems.map(({ text }) => html`<p class="error" role="alert">${text}</p>`)}${
    kind === 'add_to_group' || kind === 'remove_from_group'
      ? field('group', { options: groups })
      : kind === 'grant' && html`${field('qualification', { options: qualifications })}${field('until')}`
  }`
  return confirmView({
    words,
    title: questionOf(words, action),
    consequences: consequencesOf(words, kind),
    details: namesView(words, people, action.people),
    action: actionPath(action.id),
    csrfToken,
    submit: words.t(`people_actions.kind_${kind}`),
    danger: false,
    cancel: { href: cancel },
    inputs,
  })
}

function namesView(words: Words, people: readonly ActionPerson[], count: number): Html {
  const more = count - people.length
  return html`<details class="more-fields"><summary>${words.t('people_actions.names', { count })}</summary><p>${people.map(({ name }) => name).join(', ')}${more > 0 && ` ${words.t('people_actions.names_more', { count: more })}`}</p></details>`
}

type ProgressData = { words: Words; action: ActionHead & { id: number; state: ActionState; done: number } }

export function actionProgressView({ words, action }: ProgressData): Html {
  const label = words.t(action.state === 'undo_waiting' ? 'people_actions.progress_undo' : 'people_actions.progress')
  return html`${pageHeadView({ title: headingOf(words, action) })}
${cardView({
  body: html`${progressView({ words, label, done: action.done, total: action.people })}<p class="help">${words.t('people_actions.progress_help')}</p>${linkButtonView({ href: actionPath(action.id), label: words.t('people_actions.reload'), icon: 'refresh-cw' })}`,
})}`
}

type ResultData = {
  words: Words
  csrfToken: string
  action: ActionHead & { id: number; state: ActionState }
  done: number
  /** Those who were left out, or not undone. */
  others: readonly ActionPerson[]
  undoUntil: Date | undefined
}

export function actionResultView({ words, csrfToken, action, done, others, undoUntil }: ResultData): Html {
  const isUndone = action.state === 'undone'
  const said = isUndone ? 'undone' : action.kind === 'invite' ? 'invited' : 'done'
  const line = done
    ? words.t(`people_actions.${said}`, { count: done })
    : words.t(isUndone ? 'people_actions.undone_nobody' : 'people_actions.done_nobody')
  const undo =
    undoUntil &&
    html`<p class="help">${words.t('people_actions.undo_until', { time: words.dateTime(undoUntil) })}</p>${postButtonView({
      action: actionPath(action.id, 'undo'),
      csrfToken,
      label: words.t('people_actions.undo'),
      kind: 'secondary',
      icon: 'undo-2',
    })}`
  const title = words.t(isUndone ? 'people_actions.kept' : 'people_actions.skipped')
  return html`${pageHeadView({ title: headingOf(words, action), actions: [linkButtonView({ href: '/manage/people/', label: words.t('people_actions.back'), icon: 'arrow-left' })] })}<div class="stack">
${cardView({ body: html`<p>${line}</p>`, footer: undo })}
${
  others.length > 0 &&
  cardView({
    title,
    body: tableView<ActionPerson>({
      caption: title,
      rows: others,
      columns: [
        { label: words.t('people.name'), main: true, cell: ({ id, name }) => html`<a href="/manage/people/${id}/">${name}</a>` },
        { label: words.t('people_actions.why'), cell: ({ reason }) => reason && words.t(`people_actions.reason_${reason}`) },
      ],
    }),
  })
}</div>`
}
