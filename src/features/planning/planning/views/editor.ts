import { eventPath } from '#features/events/events/rules/slug.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { shiftPrefix, shiftRows } from '#features/planning/shift-forms/rules/shift-form.ts'
import { type FormContext, type ShiftChoices, stepView } from '#features/planning/shift-forms/views/fields.ts'
import { shiftFormView } from '#features/planning/shift-forms/views/shift-form.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { type ButtonData, buttonView, type FormError, formView, linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { audienceView, type EventFormData, eventFieldsView, getShiftTitle } from './event-fields.ts'
import { type PreviewData, previewView } from './preview.ts'

export const NEW_EVENT = '/events/new/'
export const BIN = '/events/bin/'
export const planPath = (
  eventId: number,
  what: 'edit' | 'duplicate' | 'cancel' | 'reopen' | 'delete' | 'restore' | 'publish' | 'shifts/new',
): string => `/events/${eventId}/${what}/`
export const shiftPlanPath = (shiftId: number, what: 'edit' | 'copy' | 'cancel' | 'delete' | 'restore'): string =>
  `/shifts/${shiftId}/${what}/`

/** Values that another user saved while this form was open. */
export type ConcurrentChange = { by: string | undefined; lines: readonly { field: string; now: string }[] }

type FormShell = {
  words: Words
  csrfToken: string
  action: string
  errors: readonly FormError[]
  submit: ButtonData
  extra?: Child
  cancel: { href: string }
  concurrentChange?: ConcurrentChange | undefined
  body: Child
  preview: PreviewData
}

/** Form and preview side by side. The first submit button only refreshes, so that Enter in a field never publishes. */
function planFormView({ words, concurrentChange, body, preview, ...shell }: FormShell): Html {
  return html`<div class="plan"><div class="plan-main">${formView({
    words,
    ...shell,
    id: 'plan',
    attributes: { 'data-plan': true },
    fields: html`<button class="plan-default" name="do" value="refresh" tabindex="-1" aria-hidden="true">${words.t('plan.change')}</button>
<div id="plan-body">${concurrentChange && concurrentChangeView(words, concurrentChange)}${body}</div>`,
  })}</div>
${previewView(preview)}</div>`
}

function concurrentChangeView(words: Words, { by, lines }: ConcurrentChange): Html {
  return html`<div class="notice tone-warn" role="alert">${iconView('triangle-alert')}<div><p class="notice-title">${by ? words.t('plan.meanwhile_by', { name: by }) : words.t('plan.meanwhile')}</p><ul>${lines.map(({ field, now }) => html`<li>${field}: <b>${now}</b></li>`)}</ul><p>${words.t('plan.meanwhile_what')}</p></div></div>`
}

type NewEventData = EventFormData & {
  csrfToken: string
  preview: PreviewData
  shiftChoices: (row: number) => ShiftChoices
  /** Day, times and need of a row that is folded. */
  shiftFacts: (row: number) => string
  /** Other pages to plan shifts, for which the event becomes a draft. */
  shiftLinks: readonly { path: string; label: string; icon: IconName }[]
  sections: Child
}

export function newEventView(data: NewEventData): Html {
  const { words, values, errors, csrfToken, preview } = data
  const rows = shiftRows(values)
  const hasErrorIn = (row: number) => errors.some(({ field }) => field?.startsWith(shiftPrefix(row)))
  const shifts = rows.map((row, index) =>
    shiftFormView({
      words,
      values,
      errors,
      row,
      title: getShiftTitle(words, values, shiftPrefix(row), index + 1),
      isRemovable: rows.length > 1,
      choices: data.shiftChoices(row),
      folded: rows.length > 1 ? { facts: data.shiftFacts(row), isOpen: row === rows.at(-1) || hasErrorIn(row) } : undefined,
    }),
  )
  return html`${pageHeadView({ title: words.t('plan.new') })}
${planFormView({
  words,
  csrfToken,
  errors,
  action: NEW_EVENT,
  preview,
  cancel: { href: '/events/' },
  submit: { label: words.t('plan.publish'), name: 'do', value: 'publish' },
  extra: buttonView({ label: words.t('plan.save_draft'), kind: 'secondary', name: 'do', value: 'draft' }),
  body: html`${eventFieldsView({ ...data, isNew: true })}
${shifts}
<div class="plan-add">${stepView({ label: words.t('plan.add_shift'), step: 'add-shift', icon: 'plus' })}${data.shiftLinks.map(({ path, label, icon }) => buttonView({ label, icon, kind: 'quiet', small: true, name: 'do', value: `draft:${path}`, attributes: { formnovalidate: true } }))}</div>
${audienceView(data)}${data.sections}`,
})}`
}

type ShiftLineData = { id: number; title: string; when: string; staffing: string; isOnly: boolean }
type EditEventData = EventFormData & {
  csrfToken: string
  event: { id: number; title: string; isDraft: boolean }
  version: string
  preview: PreviewData
  shifts: readonly ShiftLineData[]
  /** Other pages to plan the shifts. */
  shiftLinks: readonly { href: string; label: string; icon: IconName }[]
  sections: Child
  concurrentChange: ConcurrentChange | undefined
}

export function editEventView(data: EditEventData): Html {
  const { words, errors, csrfToken, event, preview, concurrentChange } = data
  const badge = event.isDraft && badgeView({ tone: 'quiet', text: words.t('plan.draft') })
  return html`${pageHeadView({ title: words.t('plan.edit'), facts: event.title, badge })}
${planFormView({
  words,
  csrfToken,
  errors,
  action: planPath(event.id, 'edit'),
  preview,
  concurrentChange,
  cancel: { href: eventPath(event.id, event.title) },
  submit: { label: words.t('plan.save'), name: 'do', value: 'save' },
  body: html`${hiddenField('seen', data.version)}${eventFieldsView({ ...data, isNew: false })}${audienceView(data)}${data.sections}`,
})}
${cardView({ title: words.t('event.shifts'), body: shiftLinesView(data), footer: html`<div class="button-row">${linkButtonView({ href: planPath(event.id, 'shifts/new'), label: words.t('plan.add_shift'), icon: 'plus' })}${data.shiftLinks.map((link) => linkButtonView({ ...link, kind: 'quiet' }))}</div>` })}`
}

function shiftLinesView({ words, shifts, event }: EditEventData): Html {
  if (!shifts.length) return html`<p>${words.t('event.no_shifts')}</p>`
  const labels = {
    copy: words.t('plan.do.copy'),
    cancel: words.t('plan.do.cancel_shift'),
    delete: words.t('plan.do.delete_shift'),
  }
  const link = (id: number, what: keyof typeof labels, title: string) =>
    linkButtonView({
      href: shiftPlanPath(id, what),
      label: labels[what],
      kind: 'quiet',
      small: true,
      attributes: { 'aria-label': words.t('plan.do_named', { action: labels[what], what: title }) },
    })
  const menu = (shift: ShiftLineData, name: string) =>
    html`<details class="menu plan-menu"><summary class="button quiet icon-only small">${iconView('ellipsis', { size: 18 })}<span class="sr-only">${words.t('plan.more_named', { what: name })}</span></summary><ul class="menu-list" role="list"><li>${link(shift.id, 'copy', name)}</li>${!shift.isOnly && html`${!event.isDraft && html`<li>${link(shift.id, 'cancel', name)}</li>`}<li>${link(shift.id, 'delete', name)}</li>`}</ul></details>`
  return html`<ul class="plan-lines compact" role="list">${shifts.map((shift) => {
    const { id, title, when, staffing } = shift
    return html`<li><a class="plan-line" href="${shiftPlanPath(id, 'edit')}"><span class="plan-line-when">${when}</span><span class="plan-line-what">${title && html`<span>${title}</span> · `}<span>${staffing}</span></span></a>${menu(shift, title || when)}</li>`
  })}</ul>`
}

type ShiftPageData = FormContext & {
  csrfToken: string
  action: string
  title: string
  facts: string
  back: string
  choices: ShiftChoices
  preview: PreviewData
  version: string | undefined
  /** Whether the shift can be saved and the draft published in one step. */
  offersPublish: boolean
  siblings: readonly { href: string; label: string }[]
  sections: Child
  concurrentChange: ConcurrentChange | undefined
}

export function shiftPageView(data: ShiftPageData): Html {
  const { words, values, errors, csrfToken, action, preview, concurrentChange, offersPublish, siblings } = data
  const isNew = data.version === undefined
  const save = { label: words.t(isNew ? 'plan.save_shift' : 'plan.save'), name: 'do', value: 'save' }
  return html`${pageHeadView({ title: data.title, facts: data.facts })}
${planFormView({
  words,
  csrfToken,
  errors,
  action,
  preview,
  concurrentChange,
  cancel: { href: data.back },
  submit: offersPublish ? { label: words.t('plan.publish'), name: 'do', value: 'publish' } : save,
  extra: offersPublish && buttonView({ ...save, label: words.t('plan.save_draft'), kind: 'secondary' }),
  body: html`${data.version !== undefined && hiddenField('seen', data.version)}${shiftFormView({ words, values, errors, row: 0, title: words.t('plan.one_shift'), isRemovable: false, choices: data.choices })}${data.sections}`,
})}
${siblings.length > 0 && cardView({ title: words.t('plan.siblings'), body: html`<ul class="plan-siblings">${siblings.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>` })}`
}

type ChooseTypeData = {
  words: Words
  types: readonly { id: number; title: string; color: string }[]
  drafts: readonly { href: string; title: string; facts: string; isOwn: boolean }[]
  hasBin: boolean
  /** Other ways to begin. */
  starts: readonly { href: string; label: string; icon: IconName }[]
  /** The page for a new event type, if the reader may add one. */
  newType: string | undefined
}

/** The type comes first: it supplies the defaults of the form. */
export function chooseTypeView({ words, types, drafts, hasBin, starts, newType }: ChooseTypeData): Html {
  const bin = hasBin && linkButtonView({ href: BIN, label: words.t('plan.bin'), kind: 'quiet', icon: 'trash-2' })
  const others = starts.map((start) => linkButtonView({ ...start, kind: 'secondary' }))
  return html`${pageHeadView({ title: words.t('plan.new'), facts: words.t('plan.choose_type'), actions: [...others, bin] })}
${
  types.length
    ? html`<ul class="plan-types" role="list">${types.map(({ id, title, color }) => html`<li><a class="plan-type" href="${NEW_EVENT}?type=${id}">${dotView(color)}<span>${title}</span>${iconView('chevron-right', { size: 18 })}</a></li>`)}</ul>`
    : emptyView({
        icon: 'calendar-plus',
        text: words.t(newType ? 'plan.first_type' : 'plan.no_types'),
        action: newType && linkButtonView({ href: newType, label: words.t('event_type.new'), kind: 'primary', icon: 'plus' }),
      })
}
${drafts.length > 0 && cardView({ title: words.t('plan.drafts'), body: html`<ul class="plan-lines" role="list">${drafts.map(({ href, title, facts, isOwn }) => html`<li><div><p class="plan-line-when"><a href="${href}">${title}</a></p><p class="plan-line-what">${facts}</p></div>${isOwn && badgeView({ tone: 'info', text: words.t('plan.own_draft') })}</li>`)}</ul>` })}`
}

export const formatShiftName = (words: Words, { label, times }: ShiftInput): string =>
  label ? `${label}, ${words.span(times.start, times.end)}` : words.span(times.start, times.end)
