import type { Child } from '#platform/html/html.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { buttonView, type FormError, formView, postButtonView } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { TableStep } from '../queries/steps.ts'
import { countsText } from './effects.ts'

export const tablePath = (eventId: number): string => `/events/${eventId}/shifts/`
export const undoPath = (eventId: number): string => `${tablePath(eventId)}undo/`

type TablePageData = {
  words: Words
  now: Date
  csrfToken: string
  event: { id: number; title: string }
  back: string
  values: FormValues
  errors: readonly FormError[]
  /** What somebody else did meanwhile. */
  notice: string | undefined
  isTooLong: string | undefined
  effects: { view: Html; notified: number } | undefined
  lastStep: TableStep | undefined
  tools: Child
  rows: Child
  summary: Child
}

export function tablePageView(data: TablePageData): Html {
  const { words, csrfToken, event, values, effects, notice } = data
  const save = effects
    ? effects.notified
      ? words.t('table.save_notify', { count: effects.notified })
      : words.t('table.save_agreed')
    : words.t('table.save')
  return html`${pageHeadView({ title: words.t('table.title'), facts: event.title })}
${data.lastStep && lastStepView(data, data.lastStep)}
<div class="table-form">${formView({
    words,
    csrfToken,
    errors: data.errors,
    id: 'plan',
    action: tablePath(event.id),
    attributes: { 'data-plan': true },
    cancel: { href: data.back },
    submit: { label: save, name: 'do', value: 'save' },
    extra: buttonView({ label: words.t('table.preview'), kind: 'secondary', name: 'do', value: 'preview' }),
    fields: html`<button class="plan-default" name="do" value="refresh" tabindex="-1" aria-hidden="true">${words.t('plan.change')}</button>
${notice && noticeView(notice)}${effects?.view}${data.isTooLong && noticeView(data.isTooLong)}
<div id="plan-body">${fieldValue(values, 'order') && hiddenField('order', fieldValue(values, 'order'))}${data.tools}${data.rows}</div>
${data.summary}`,
  })}</div>`
}

const noticeView = (text: string): Html =>
  html`<div class="notice tone-warn" role="alert">${iconView('triangle-alert')}<div><p>${text}</p></div></div>`

function lastStepView({ words, now, event, csrfToken }: TablePageData, step: TableStep): Html {
  const shared = { when: words.relative(step.at, now), what: countsText(words, step) }
  const text =
    step.by === null ? words.t('table.last_step_unnamed', shared) : words.t('table.last_step', { ...shared, name: step.by })
  return html`<div class="table-last"><p>${text}</p>${postButtonView({ action: undoPath(event.id), csrfToken, fields: { step: step.id }, label: words.t('ui.undo'), kind: 'secondary', small: true, icon: 'undo-2' })}</div>`
}
