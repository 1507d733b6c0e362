import { eventPath } from '#features/events/events/rules/slug.ts'
import { roundHours } from '#features/on-the-day/hours/rules.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { needsText, placeText } from '#features/staffing/staffing/views/explanations.ts'
import { noteView, warningText } from '#features/staffing/staffing/views/reasons.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { mapInTurns } from '#platform/thread.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { iconView } from '#platform/ui/icon.ts'
import { fieldName, writeChosen } from '../rules/chosen.ts'
import type { Ledger } from '../rules/ledger.ts'
import {
  type Candidate,
  type Choice,
  type FilledPlace,
  type Gap,
  type LoadedProposal,
  type Obstacle,
  type OpenPlace,
  type ProposedPerson,
  type ScopedShift,
  shiftTitle,
} from '../rules/proposal.ts'
import type { FillOptions } from '../schema.ts'

/** More shifts are lines that unfold, those with problems first. */
const MAX_CARDS = 8

type ShiftData = ReasonContext & { options: FillOptions; proposal: LoadedProposal }
type ShownShift = { shift: ScopedShift; places: readonly FilledPlace[]; open: number; warnings: number }

/** Every shift with the people proposed for it. */
export async function shiftsView(data: ShiftData, places: ReadonlyMap<number, readonly FilledPlace[]>): Promise<Html> {
  const shown = data.proposal.shifts.map((shift) => describeShift(shift, places.get(shift.id) ?? []))
  if (shown.length <= MAX_CARDS) return html`${await mapInTurns(shown, (one) => cardOf(data, one))}`
  const { words } = data
  const [complete, problems] = [true, false].map((isComplete) =>
    shown.filter(({ open, warnings }) => (open + warnings === 0) === isComplete),
  ) as [ShownShift[], ShownShift[]]
  const rowsOf = async (shifts: readonly ShownShift[]) =>
    html`<ul class="shift-rows" role="list">${await mapInTurns(shifts, (one) => rowView(data, one))}</ul>`
  return html`${problems.length > 0 && html`<section><h2>${words.t('fill.with_problems', { count: problems.length })}</h2>${await rowsOf(problems)}</section>`}
${complete.length > 0 && html`<details class="fold" ${attrs({ open: problems.length === 0 })}><summary>${iconView('circle-check', { size: 18 })}<span>${words.t('fill.complete', { count: complete.length })}</span>${iconView('chevron-down', { size: 18 })}</summary>${await rowsOf(complete)}</details>`}`
}

const describeShift = (shift: ScopedShift, places: readonly FilledPlace[]): ShownShift => ({
  shift,
  places,
  open: places.reduce((sum, { gap }) => sum + (gap?.count ?? 0), 0),
  warnings: places.flatMap(({ choices }) => choices.flatMap(({ chance }) => chance.warnings)).length,
})

const cardOf = (data: ShiftData, { shift, places }: ShownShift): Html =>
  cardView({
    title: shiftTitle(shift),
    body: html`<p>${data.words.span(shift.start, shift.end, data.now)} · ${linksView(data, shift)}</p>${placesView(data, shift, places)}`,
  })

/** Fields in a line that is folded are sent, too. */
function rowView(data: ShiftData, { shift, places, open, warnings }: ShownShift): Html {
  const { words, now, options, proposal } = data
  const title = options.scope.kind === 'event' && shift.label ? shift.label : shiftTitle(shift)
  const names = places.flatMap(({ choices }) => choices.map(({ candidate }) => proposal.people.get(candidate.id)!.name))
  const badges = [
    open > 0 && badgeView({ tone: 'bad', text: words.t('fill.gap', { count: open }) }),
    warnings > 0 && badgeView({ tone: 'warn', text: words.t('fill.warnings', { count: warnings }) }),
  ]
  return html`<li><details class="shift-row"><summary><span class="shift-row-text"><b class="shift-title">${title}</b><span class="shift-row-line"><span class="shift-when">${words.span(shift.start, shift.end, now)}</span>${badges}</span>${names.length > 0 && html`<small class="fill-names">${words.list(names)}</small>`}</span>${iconView('chevron-down', { size: 18 })}</summary><div class="shift-fold"><p>${linksView(data, shift)}</p>${placesView(data, shift, places)}</div></details></li>`
}

const linksView = ({ words }: ShiftData, shift: ScopedShift): Html =>
  html`<a href="${eventPath(shift.eventId, shift.eventTitle)}">${words.t('fill.event')}</a> · <a href="${boardPath(shift.id)}">${words.t('fill.board')}</a>`

const placesView = (data: ShiftData, shift: ScopedShift, places: readonly FilledPlace[]): Html =>
  html`<ul class="fill-places">${places.map((place) => placeView(data, shift, place))}</ul>`

function placeView(data: ShiftData, shift: ScopedShift, { place, choices, gap }: FilledPlace): Html {
  const title = placeText(data, place.label)
  const needs = needsText(data, place.needs)
  const isNamed = title === needs
  return html`${choices.map((choice, index) => {
    const name = fieldName(place.id, index)
    return html`<li class="fill-place"><label for="${name}">${title}${needs && !isNamed && html` <small>${needs}</small>`}</label>
${personSelect(data, { name, shift, choice, filled: { place, choices, gap } })}
<div>${fixView(data, name, { place, choice })}<p class="help">${whyText(data, choice)}</p></div>
${choice.chance.warnings.map((warning) => noteView('triangle-alert', html`${warningText(data, warning)}`))}</li>`
  })}${gap && gapView(data, title, gap)}`
}

/** Ticked: the person stays on the place when the rest is proposed again. */
function fixView({ words, proposal }: ShiftData, name: string, { place, choice }: { place: OpenPlace; choice: Choice }): Html {
  const box = {
    type: 'checkbox',
    id: `fix-${name}`,
    name: 'fix',
    value: name,
    checked: proposal.isFixed(place.id, choice.candidate.id),
  }
  return html`<label class="choice fill-fix" for="fix-${name}"><input ${attrs(box)}><span>${words.t('fill.fix')}<span class="sr-only">: ${proposal.people.get(choice.candidate.id)!.name}</span></span></label>`
}

type PersonSelect = { name: string; shift: ScopedShift; choice: Choice; filled: FilledPlace }

function personSelect({ words, proposal }: ShiftData, { name, shift, choice, filled }: PersonSelect): Html {
  const { place } = filled
  const stored = place.place === null ? undefined : proposal.isPlaceOptional(shift.id) ? '' : place.place
  const personOf = ({ id }: Candidate): ProposedPerson => proposal.people.get(id)!
  const fieldValueOf = (candidate: Candidate) => {
    const { who, versions } = personOf(candidate)
    return writeChosen({ shiftId: shift.id, who, version: versions.get(shift.id) ?? null, place: stored })
  }
  const others = choice.alternatives.map(({ candidate, isUsed }) => {
    const text = isUsed ? words.t('fill.used_elsewhere', { name: personOf(candidate).name }) : personOf(candidate).name
    return html`<option value="${fieldValueOf(candidate)}">${text}</option>`
  })
  return html`<select id="${name}" name="${name}"><option value="${fieldValueOf(choice.candidate)}" selected>${personOf(choice.candidate).name}</option>${others}<option value="">${words.t('fill.leave_open')}</option></select>`
}

/** Why this person: the request, the wish, and how much they did compared with others. */
function whyText({ words, proposal }: ShiftData, { candidate, chance, isOnly }: Choice): string {
  const ledger = proposal.people.get(candidate.id)!.ledger
  const parts = [
    chance.isRequested && words.t('fill.why_requested'),
    chance.wished && words.t('fill.why_wished'),
    chance.isAvailable && words.t('fill.why_available'),
    isOnly && words.t('fill.why_only'),
    ledger && ledgerText(words, ledger, proposal),
  ]
  return parts.filter(Boolean).join(' ')
}

const KINDS = ['nights', 'weekends', 'refusals'] as const

/** What counts for the order: hours done and promised, and what has points. */
function ledgerText(words: Words, ledger: Ledger, { averageHours, weights }: LoadedProposal): string {
  const counted = KINDS.filter((kind) => ledger[kind] > 0 && weights[kind] > 0)
  return [
    words.t('fill.why_hours', { hours: roundHours(ledger.doneHours), average: Math.round(averageHours) }),
    ledger.promisedHours > 0 && words.t('fill.why_promised', { hours: roundHours(ledger.promisedHours) }),
    counted.length > 0 &&
      words.t('fill.why_counted', {
        list: words.list(counted.map((kind) => words.t(`fill.why_${kind}`, { count: ledger[kind] }))),
      }),
  ]
    .filter(Boolean)
    .join(' ')
}

const OBSTACLES: readonly Obstacle[] = [
  'not_qualified',
  'busy',
  'unavailable',
  'limit',
  'declined',
  'rejected',
  'too_young',
  'not_visible',
]

function gapView({ words }: ShiftData, title: string, { count, obstacles, used }: Gap): Html {
  const reasons = [
    ...OBSTACLES.flatMap((obstacle) =>
      obstacles[obstacle] ? [words.t(`fill.gap_${obstacle}`, { count: obstacles[obstacle] })] : [],
    ),
    ...(used > 0 ? [words.t('fill.gap_used', { count: used })] : []),
  ]
  const why = reasons.length > 0 ? words.list(reasons) : words.t('fill.gap_nobody')
  return html`<li class="fill-place"><span>${title}</span> ${badgeView({ tone: 'bad', text: words.t('fill.gap', { count }) })}
<p class="help">${words.t('fill.gap_why', { why })}</p></li>`
}
