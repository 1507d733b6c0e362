import { randomUUID } from 'node:crypto'
import { eventBoardPath } from '#features/staffing/disposition/rules/paths.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { phoneView } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { isThere } from '../rules/attendance.ts'
import { checkInPath } from '../rules/paths.ts'
import type { CheckInPerson, CheckInShift, Conflict } from '../rules/roster.ts'
import { stateOf, stateText, stateView, TONES } from './state.ts'

type PlannerData = {
  words: Words
  now: Date
  csrfToken: string
  userId: number
  event: { id: number; title: string; location: string; isCancelled: boolean }
  days: readonly { day: string; at: Date }[]
  day: string
  shifts: readonly CheckInShift[]
  people: readonly CheckInPerson[]
  conflicts: readonly Conflict[]
  /** Changes when the page has to be loaded again: other people, other conflicts. */
  shape: string
}

const ms = (at: Date | string | null): string => (at === null ? '' : String(new Date(at).getTime()))

export function plannerView(data: PlannerData): Html {
  const { words, event, days, day, shifts, people, userId, shape } = data
  const path = checkInPath(event.id)
  return html`${pageHeadView({
    title: words.t('check_in.title'),
    facts: html`<span>${event.title}</span>${event.location && html` · <span>${event.location}</span>`}`,
  })}
${toolsView(words, event.id)}
${event.isCancelled && html`<p class="notice tone-bad">${words.t('check_in.cancelled')}</p>`}
${days.length > 1 && tabsView({ label: words.t('check_in.days'), tabs: days.map((one) => ({ href: `${path}?day=${one.day}`, label: words.day(one.at, data.now), current: one.day === day })) })}
<div id="check-in" ${attrs({
    'data-check-in': event.id,
    'data-user': userId,
    'data-zone': words.timeZone,
    'data-language': words.language,
    'data-shape': shape,
    'data-words': scriptWords(words),
  })}>
<p class="ci-status tone-info" data-status role="status" hidden></p>
<ul class="ci-refused" data-refused hidden></ul>
${
  shifts.length === 0
    ? emptyView({ icon: 'calendar-x', text: words.t('check_in.no_shifts') })
    : html`<div class="ci-top"><p class="ci-total" data-total>${totalText(words, people)}</p>${shifts.length > 1 && jumpView(data)}<div class="field ci-search" data-search hidden><label for="ci-search">${words.t('check_in.search')}</label><input id="ci-search" type="search" autocomplete="off"></div></div>
${shifts.map((shift) => shiftView(data, shift))}`
}
${shifts.length > 0 && !event.isCancelled && walkInView(data)}
</div>`
}

function toolsView(words: Words, eventId: number): Html {
  const link = (what: string, label: string, icon: 'monitor' | 'clock' | 'history') =>
    html`<li>${linkButtonView({ href: checkInPath(eventId, what), label, icon, kind: 'quiet', small: true })}</li>`
  return html`<ul class="ci-tools" role="list">${link('self', words.t('check_in.self'), 'monitor')}${link('hours', words.t('check_in.to_hours'), 'clock')}${link('log', words.t('check_in.log'), 'history')}</ul>`
}

/** Texts that the script fills in. */
function scriptWords(words: Words): string {
  const plain = (text: string) => text
  const hole = { time: '{time}' }
  return JSON.stringify({
    none: plain(words.t('check_in.not_there')),
    there: words.t('check_in.there_since', hole),
    left: words.t('check_in.left_at', hole),
    gone: words.t('check_in.from_to', { from: '{from}', to: '{to}' }),
    no_show: words.t('check_in.no_show'),
    total: words.t('check_in.total', { there: '{there}', all: '{all}', absent: '{absent}', gone: '{gone}' }),
    waiting: words.t('check_in.waiting'),
    saved: words.t('check_in.saved'),
    offline: words.t('check_in.offline'),
    offline_waiting: words.t('check_in.offline_waiting', { number: '{number}' }),
    sending: words.t('check_in.sending'),
    signed_out: words.t('check_in.signed_out'),
    sign_in: words.t('check_in.sign_in'),
    other_person: words.t('check_in.other_person', { number: '{number}' }),
    not_stored: words.t('check_in.not_stored'),
    failed: words.t('check_in.failed'),
    dismiss: words.t('check_in.dismiss'),
    refused_unknown: words.t('check_in.refused_unknown', { name: '{name}' }),
    refused_not_confirmed: words.t('check_in.refused_not_confirmed', { name: '{name}' }),
    refused_order: words.t('check_in.refused_order', { name: '{name}' }),
    tones: TONES,
  })
}

const totalText = (words: Words, people: readonly CheckInPerson[]): string =>
  words.t('check_in.total', {
    there: people.filter(isThere).length,
    all: people.length,
    absent: people.filter(({ noShow }) => noShow).length,
    gone: people.filter((person) => stateOf(person) === 'gone').length,
  })

const labelOf = (words: Words, { label, start, end }: CheckInShift): string => label || words.hours(start, end)

const jumpView = ({ words, shifts }: PlannerData): Html =>
  html`<nav class="ci-jump" aria-label="${words.t('check_in.shifts')}">${shifts.map((shift) => html`<a href="#shift-${shift.id}">${labelOf(words, shift)}</a>`)}</nav>`

function shiftView(data: PlannerData, shift: CheckInShift): Html {
  const { words, now } = data
  const people = data.people.filter(({ shiftId }) => shiftId === shift.id)
  return html`<section class="ci-shift" id="shift-${shift.id}" data-shift><header class="section-head"><h2>${labelOf(words, shift)}</h2><p class="muted">${words.span(shift.start, shift.end, now)}${shift.meeting < shift.start && html` · ${words.t('check_in.meet', { time: words.time(shift.meeting) })}`}</p><p class="ci-count" data-count>${totalText(words, people)}</p></header>
${
  people.length
    ? html`<ul class="ci-people" role="list">${people.map((person) => personView(data, shift, person))}</ul>`
    : html`<p class="hint">${words.t('check_in.nobody')}</p>`
}</section>`
}

function personView(data: PlannerData, shift: CheckInShift, person: CheckInPerson): Html {
  const { words, event } = data
  const { id, name, kind, phone, start, end, markId, previous, source } = person
  const hasOwnTimes = start.getTime() !== shift.start.getTime() || end.getTime() !== shift.end.getTime()
  const conflicts = data.conflicts.filter(({ participationId }) => participationId === id)
  return html`<li class="ci-person" id="p-${id}" ${attrs({
    'data-person': id,
    'data-name': name,
    'data-mark': markId ?? '',
    'data-arrived': ms(person.arrivedAt),
    'data-left': ms(person.leftAt),
    'data-no-show': person.noShow && '1',
    'data-previous':
      previous && JSON.stringify({ arrived: time(previous.arrivedAt), left: time(previous.leftAt), noShow: previous.noShow }),
  })}>
<div class="ci-who"><p><b>${name}</b>${kind === 'guest' && html` ${badgeView({ tone: 'quiet', text: words.t('check_in.guest') })}`}</p>
<p class="ci-facts">${hasOwnTimes && html`<span>${words.hours(start, end)}</span> `}${phone !== null && phoneView(phone)}</p>
<p class="ci-state"><span data-state>${stateView(words, person)}</span> <span class="ci-how muted" data-how>${source === 'self' && stateOf(person) !== 'none' && words.t('check_in.by_self')}</span> <span class="ci-sync muted" data-sync></span></p></div>
${!event.isCancelled && actionsView(data, person)}
${conflicts.map((conflict) => conflictView(data, person, conflict))}
</li>`
}

const time = (at: string | null): number | null => (at === null ? null : new Date(at).getTime())

/** One id per form: sent twice, it is one mark. */
const markFields = ({ csrfToken, day }: PlannerData, { id, markId }: CheckInPerson): Html =>
  html`${csrfField(csrfToken)}${hiddenField('id', randomUUID())}${hiddenField('person', id)}${hiddenField('base', markId ?? '')}${hiddenField('day', day)}`

function actionsView(data: PlannerData, person: CheckInPerson): Html {
  const { words, event } = data
  const { id, name, previous } = person
  const state = stateOf(person)
  const action = checkInPath(event.id, 'mark')
  const button = (
    kind: 'arrived' | 'left' | 'no_show',
    isShown: boolean,
    label: string,
    look: 'primary' | 'secondary' | 'quiet',
  ) =>
    buttonView({
      label,
      kind: look,
      name: 'kind',
      value: kind,
      attributes: { hidden: !isShown, 'aria-label': words.t('check_in.button_of', { action: label, name }) },
    })
  const local = (at: Date | null) => (at === null ? '' : words.inputDateTime(at))
  return html`<div class="ci-actions"><form method="post" action="${action}" data-marks>${markFields(data, person)}
${button('arrived', state === 'none' || state === 'no_show', words.t('check_in.arrived'), 'primary')}
${button('arrived', state === 'gone', words.t('check_in.back'), 'quiet')}
${button('left', state === 'there', words.t('check_in.left'), 'secondary')}
${button('no_show', state === 'none', words.t('check_in.no_show'), 'quiet')}</form>
<form method="post" action="${action}" data-undo ${attrs({ hidden: previous === null })}>${markFields(data, person)}${hiddenField('arrived', previous?.arrivedAt ? new Date(previous.arrivedAt).toISOString() : '')}${hiddenField('left', previous?.leftAt ? new Date(previous.leftAt).toISOString() : '')}${hiddenField('no_show', previous?.noShow ? '1' : '')}${buttonView({ label: words.t('ui.undo'), kind: 'quiet', small: true, icon: 'undo-2', name: 'kind', value: 'set', attributes: { 'aria-label': words.t('check_in.button_of', { action: words.t('ui.undo'), name }) } })}</form>
<details class="ci-edit"><summary>${words.t('check_in.edit_times')}<span class="sr-only"> ${name}</span></summary>
<form method="post" action="${action}" data-times>${markFields(data, person)}${hiddenField('kind', 'set')}
<div class="field"><label for="arrived-${id}">${words.t('check_in.arrived_time')}</label><input id="arrived-${id}" type="datetime-local" name="arrived" value="${local(person.arrivedAt)}"></div>
<div class="field"><label for="left-${id}">${words.t('check_in.left_time')}</label><input id="left-${id}" type="datetime-local" name="left" value="${local(person.leftAt)}"></div>
<p class="help">${words.t('check_in.edit_help')}</p>
${buttonView({ label: words.t('check_in.save_times'), kind: 'secondary', small: true })}</form></details></div>`
}

function conflictView({ words, csrfToken, event, day }: PlannerData, person: CheckInPerson, conflict: Conflict): Html {
  const by = conflict.by ?? words.t('check_in.somebody')
  const how = words.t(`check_in.conflict_${conflict.source}`, { by, time: words.time(conflict.madeAt) })
  const choice = (keep: 'stored' | 'mark', text: string) =>
    html`<form method="post" action="${checkInPath(event.id, 'resolve')}">${csrfField(csrfToken)}${hiddenField('mark', conflict.id)}${hiddenField('day', day)}${buttonView({ label: words.t('check_in.keep', { what: text }), kind: 'secondary', small: true, name: 'keep', value: keep })}</form>`
  return html`<div class="ci-conflict tone-warn" id="conflict-${conflict.id}"><p>${iconView('triangle-alert', { size: 18 })} <b>${words.t('check_in.conflict')}</b></p><p>${words.t('check_in.conflict_text', { stored: stateText(words, person), other: stateText(words, conflict) })} ${how}</p><div class="button-row">${choice('stored', stateText(words, person))}${choice('mark', stateText(words, conflict))}</div></div>`
}

function walkInView({ words, csrfToken, event, shifts, day }: PlannerData): Html {
  return html`<details class="ci-walk-in"><summary>${iconView('user-plus', { size: 18 })} ${words.t('check_in.walk_in')}</summary>
<form class="form" method="post" action="${checkInPath(event.id, 'walk-in')}">${csrfField(csrfToken)}${hiddenField('day', day)}
${textField({ words, name: 'name', label: words.t('check_in.walk_in_name'), help: words.t('check_in.walk_in_help'), value: '', attributes: { maxlength: 254, autocomplete: 'off' } })}
${selectField({ words, name: 'shift', label: words.t('check_in.shift'), value: String(shifts[0]!.id), placeholder: false, options: shifts.map((shift) => ({ value: shift.id, label: `${labelOf(words, shift)} (${words.hours(shift.start, shift.end)})` })) })}
<div class="form-actions">${buttonView({ label: words.t('check_in.walk_in_add'), kind: 'secondary' })}${linkButtonView({ href: eventBoardPath(event.id), label: words.t('check_in.board'), kind: 'quiet' })}</div></form></details>`
}
