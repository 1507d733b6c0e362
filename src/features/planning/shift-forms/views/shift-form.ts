import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { MAX_COMPANIONS } from '#features/staffing/staffing/flows/flow.ts'
import { getAddedFlow, isSelfService, selfServiceSlugs } from '#features/staffing/staffing/flows/registry.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { fieldRowView } from '#platform/ui/form.ts'
import { fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'
import { DEADLINE_UNITS, type DeadlineName, offeredKinds } from '../rules/flow-form.ts'
import { shiftPrefix } from '../rules/shift-form.ts'
import { changeView, makeFields, moreView, panelView, plainFieldView, type ShiftFormData, stepView } from './fields.ts'
import { ageView, structureView } from './structure.ts'

const FLOWS = ['request_confirm', 'instant_confirmation', 'manual', 'coupled'] as const
type FlowSlug = (typeof FLOWS)[number]
const isKnownFlow = (slug: string): slug is FlowSlug => (FLOWS as readonly string[]).includes(slug)

export const flowName = (words: Words, slug: string): string =>
  isKnownFlow(slug) ? words.t(`plan.flow.${slug}`) : nameOfOtherFlow(words, slug)

/** Of an extension, or unknown. */
export function nameOfOtherFlow(words: Words, slug: string): string {
  const label = getAddedFlow(slug)?.label
  return label === undefined ? words.t('plan.unknown', { slug }) : words.t(label as 'plan.flow')
}

export function shiftFormView(data: ShiftFormData): Html {
  const { row, title, folded } = data
  if (!folded)
    return html`<fieldset class="section plan-shift" id="shift-row-${row}"><legend>${title}</legend>${bodyView(data)}</fieldset>`
  return html`<details class="plan-shift-fold" id="shift-row-${row}" ${attrs({ open: folded.isOpen })}><summary><b>${title}</b> <span class="muted">${folded.facts}</span></summary><fieldset class="section plan-shift" aria-label="${title}">${bodyView(data)}</fieldset></details>`
}

function bodyView(data: ShiftFormData): Html {
  const { words, row, title, isRemovable } = data
  const at = shiftPrefix(row)
  return html`
${hiddenField(`${at}on`, '1')}
${timesView(data, at)}
${structureView(data, at)}
${flowView(data, at)}
${otherFieldsView(data, at)}
${questionsView(data, at)}
${isRemovable && html`<div class="plan-row-foot">${stepView({ label: words.t('plan.drop_shift'), step: `drop:s${row}`, icon: 'trash-2', kind: 'quiet', name: words.t('plan.do_named', { action: words.t('plan.drop_shift'), what: title }) })}</div>`}
`
}

/** Folded while nothing is entered and the shift is the only one. */
function otherFieldsView(data: ShiftFormData, at: string): Html {
  const { words, values, isRemovable } = data
  const names = [...shiftFields.names.map((name) => `${at}${name}`), `${at}age`]
  const defaults = shiftFields.print(shiftFields.defaults)
  const isEntered =
    fieldValue(values, `${at}age`) !== '' ||
    shiftFields.names.some((name) => !['', defaults[name]].includes(fieldValue(values, `${at}${name}`)))
  return moreView({
    title: words.t('plan.other_fields'),
    isOpen: isRemovable || isEntered || makeFields(data).hasErrorIn(names),
    body: html`${shiftFields.names.map((name) => plainFieldView(data, shiftFields.fields[name], { name: `${at}${name}`, label: words.t(`plan.${name}`), help: words.t(`plan.${name}_help`) }))}
${ageView(data, at)}`,
  })
}

/** Archived questions are offered only if the shift asks them already. */
function questionsView(data: ShiftFormData, at: string): Html {
  const { words, values, choices } = data
  const { checks, hasErrorIn } = makeFields(data)
  const name = `${at}questions`
  const chosen = fieldValues(values, name)
  const offered = choices.questions.filter(({ id, isArchived }) => !isArchived || chosen.includes(String(id)))
  // While the module is off, the shift keeps its questions.
  if (!offered.length) return html`${chosen.map((id) => hiddenField(name, id))}`
  const options = offered.map((question) => ({ value: question.id, label: question.name, help: question.text }))
  return moreView({
    title: chosen.length ? words.t('plan.questions_count', { count: chosen.length }) : words.t('plan.questions'),
    isOpen: chosen.length > 0 || hasErrorIn([name]),
    body: checks(name, words.t('plan.questions_label'), options, { help: words.t('plan.questions_help') }),
  })
}

function timesView(data: ShiftFormData, at: string): Html {
  const { words, values } = data
  const { date, time, dateTime, check } = makeFields(data)
  const isFull = isChecked(values, `${at}full`)
  const of = `${at}full`
  return html`${panelView({
    of,
    when: ['off'],
    isShown: !isFull,
    body: html`<div class="field-row plan-times">${date(`${at}date`, words.t('plan.date'), { required: true })}${time(`${at}meeting`, words.t('plan.meeting'))}${time(`${at}start`, words.t('plan.start'), { required: true })}${time(`${at}end`, words.t('plan.end'), { required: true })}</div><p class="help">${words.t('plan.times_help')}</p>`,
  })}
${panelView({
  of,
  when: ['on'],
  isShown: isFull,
  body: html`<div class="field-row plan-times-full">${dateTime(`${at}meeting_at`, words.t('plan.meeting'))}${dateTime(`${at}start_at`, words.t('plan.start'), { required: true })}${dateTime(`${at}end_at`, words.t('plan.end'), { required: true })}</div>`,
})}
<div class="plan-choice">${check(`${at}full`, words.t('plan.full'))}${changeView(words)}</div>`
}

function flowView(data: ShiftFormData, at: string): Html {
  const { words, values, choices } = data
  const { select, area, hasErrorIn } = makeFields(data)
  const chosen = fieldValue(values, `${at}flow`)
  const of = `${at}flow`
  const options = choices.flows.map((slug) => ({ value: slug, label: flowName(words, slug) }))
  const panels = [of, `${at}explanation`, `${at}leader`]
  const settings = [`${at}from`, `${at}until`, `${at}late`, `${at}decline`, `${at}times`, `${at}bring`]
  const body = html`<div class="plan-choice">${select(of, words.t('plan.flow'), options)}${changeView(words)}</div>
${panelView({
  of,
  when: selfServiceSlugs(),
  isShown: isSelfService(chosen),
  body: moreView({ title: words.t('plan.deadlines'), isOpen: hasErrorIn(settings), body: selfServiceView(data, at) }),
})}
${panelView({
  of,
  when: ['manual'],
  isShown: chosen === 'manual',
  body: area(`${at}explanation`, words.t('plan.explanation'), { help: words.t('plan.explanation_help'), rows: 2 }),
})}
${panelView({
  of,
  when: ['coupled'],
  isShown: chosen === 'coupled',
  body: select(`${at}leader`, words.t('plan.leader'), choices.leaders, {
    help: words.t(choices.leaders.length ? 'plan.leader_help' : 'plan.leader_none'),
    placeholder: words.t('ui.choose'),
  }),
})}`
  return moreView({
    title: words.t('plan.flow'),
    chosen: { of, text: flowName(words, chosen) },
    isOpen: !isSelfService(chosen) || hasErrorIn([...panels, ...settings]),
    body,
  })
}

function selfServiceView(data: ShiftFormData, at: string): Html {
  const { words, values, choices } = data
  const { check, number } = makeFields(data)
  const bring = `${at}bring`
  return html`${deadlineView(data, at, 'from')}
${deadlineView(data, at, 'until')}
${panelView({ of: `${at}flow`, when: ['request_confirm'], isShown: fieldValue(values, `${at}flow`) === 'request_confirm', body: deadlineView(data, at, 'late') })}
${check(`${at}decline`, words.t('plan.may_decline'))}
${check(`${at}times`, words.t('plan.may_choose_times'))}
${choices.canBring ? number(bring, words.t('plan.may_bring'), { min: 0, max: MAX_COMPANIONS, help: words.t('plan.may_bring_help') }) : hiddenField(bring, fieldValue(values, bring))}`
}

function deadlineView(data: ShiftFormData, at: string, which: DeadlineName): Html {
  const { words, values } = data
  const { select, number, dateTime } = makeFields(data)
  const name = `${at}${which}`
  const chosen = fieldValue(values, `${name}_kind`)
  const of = `${name}_kind`
  const units = DEADLINE_UNITS.map((unit) => ({ value: unit, label: words.t(`plan.unit.${unit}`) }))
  return html`<div class="plan-deadline"><div class="plan-choice">${select(
    of,
    words.t(`plan.${which}`),
    offeredKinds(which, chosen).map((kind) => ({ value: kind, label: words.t(`plan.when.${kind}`) })),
  )}${changeView(words)}</div>
${panelView({
  of,
  when: ['before'],
  isShown: chosen === 'before',
  body: fieldRowView(
    number(`${name}_count`, words.t('plan.how_long'), { min: 0 }),
    select(`${name}_unit`, words.t('plan.unit'), units),
  ),
})}
${panelView({ of, when: ['at'], isShown: chosen === 'at', body: dateTime(`${name}_at`, words.t('plan.moment')) })}</div>`
}
