import type { Shift } from '#features/events/events/rules/shifts.ts'
import type { RunningSearch } from '#features/staffing/exchanges/queries/stand-in.ts'
import { runningSearchesView } from '#features/staffing/exchanges/views/search.ts'
import { isIn } from '#features/staffing/staffing/rules/model.ts'
import { staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { phoneView } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { selectField, textField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, fieldId, filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { Cell } from '../queries/event-board.ts'
import type { FoundForEvent } from '../queries/people-search.ts'
import { type CardPerson, fieldName, writeBefore } from '../rules/cards.ts'
import { ALL_DAYS, type BoardDay } from '../rules/days.ts'
import { boardPath, eventBoardPath } from '../rules/paths.ts'
import { badgesView, cardReasonText, hintTexts, isReasonNeeded, moveOptionsView, stateText, type TextContext } from './card.ts'
import { type LinkAbove, linkAboveView } from './links.ts'
import { placeholderView } from './shift-board.ts'

type FindingData = {
  query: string
  searchesEmail: boolean
  page: number
  /** Undefined before the first search. */
  found: { people: readonly FoundForEvent[]; hasMore: boolean } | undefined
  placeholder: string
  placeholderError: string | undefined
}

type EventBoardData = TextContext & {
  csrfToken: string
  links: readonly LinkAbove[]
  eventId: number
  title: string
  shifts: readonly Shift[]
  days: readonly BoardDay[]
  day: string
  people: readonly {
    key: string
    who: CardPerson
    name: string
    phone: string | null
    isAdded: boolean
    cells: readonly Cell[]
  }[]
  count: number
  filter: { query: string; state: string }
  finding: FindingData
  /** For stand-ins. */
  searches: readonly RunningSearch[]
  /** URL of the page, with its filters. */
  action: string
  state: string
}

export function eventBoardView(data: EventBoardData): Html {
  const { words, csrfToken, eventId, title, people, filter, action, count, state } = data
  const changed = people.flatMap(({ cells }) => cells.filter(({ isChanged }) => isChanged)).length
  const isFiltered = filter.query !== '' || filter.state !== ''
  return html`${pageHeadView({
    title: words.t('board.across_title'),
    facts: html`<span class="fact">${title}</span>${data.links.map(linkAboveView)}`,
  })}
${searchesView(data)}
${daysView(data)}
<details class="board-tool" ${attrs({ open: isFiltered })}><summary class="button secondary small">${iconView('list-filter', { size: 18 })}${words.t('board.filter')}</summary>${filterFormView(
    {
      action: eventBoardPath(eventId),
      submit: words.t('board.filter'),
      reset: isFiltered
        ? { href: dayHref(eventId, data.days.length ? data.day : undefined), label: words.t('board.no_filter') }
        : undefined,
      fields: html`${data.days.length > 0 && html`<input type="hidden" name="day" value="${data.day}">`}${textField({ words, name: 'q', type: 'search', label: words.t('board.person'), value: filter.query })}${selectField(
        {
          words,
          name: 'state',
          label: words.t('board.filter_state'),
          value: filter.state,
          placeholder: words.t('board.any_state'),
          options: ([0, 1, 2, 3] as const).map((value) => ({ value, label: stateText(words, value) })),
        },
      )}`,
    },
  )}</details>
<form class="dispo dispo-sheet" id="board" method="post" action="${action}" novalidate data-board data-state="${state}" data-poll="${eventBoardPath(eventId)}state/" data-unsaved="${words.t('ui.leave_unsaved')}" data-moved="${words.t('board.moved', { name: '{name}', to: '{to}' })}" data-refreshed="${words.t('board.refreshed')}">
${csrfField(csrfToken)}
<div class="sr-only" role="status" aria-live="polite" data-live></div>
${addView(data)}
${people.length ? sheetView(data) : emptyView({ icon: 'users', text: words.t(isFiltered ? 'board.no_rows_found' : 'board.no_rows') })}
${count > people.length && html`<p class="side-note">${iconView('info', { size: 16 })}<span>${words.t('board.most_rows', { count: people.length, total: count })}</span></p>`}
${
  people.length > 0 &&
  html`<div class="dispo-bar">${buttonView({ label: changed ? words.t('board.save_count', { count: changed }) : words.t('board.save'), name: 'do', value: 'save', icon: 'check', attributes: { 'data-save': true } })}${changed > 0 && linkButtonView({ href: action, label: words.t('board.discard'), kind: 'quiet', attributes: { 'data-discard': true } })}</div>`
}
</form>`
}

const dayHref = (eventId: number, day: string | undefined): string =>
  day === undefined ? eventBoardPath(eventId) : `${eventBoardPath(eventId)}?day=${day}`

/** An event with many shifts shows one day at a time. */
function daysView({ words, now, eventId, days, day }: EventBoardData): Html | undefined {
  if (!days.length) return undefined
  const tabs = days.map(({ date, start }) => ({
    href: dayHref(eventId, date),
    label: words.day(start, now),
    current: date === day,
  }))
  const all = { href: dayHref(eventId, ALL_DAYS), label: words.t('board.all_days'), current: day === ALL_DAYS }
  return tabsView({ label: words.t('board.days'), tabs: [...tabs, all] })
}

function addView(data: EventBoardData): Html {
  const { words, people, filter, finding } = data
  const { query, page, found, placeholder, placeholderError, searchesEmail } = finding
  const isEmpty = people.length === 0 && filter.query === '' && filter.state === ''
  const results =
    found &&
    (found.people.length
      ? html`<ul class="dispo-list" role="list">${found.people.map((person) => foundView(data, person))}</ul>${found.hasMore && html`<button class="button quiet small" name="do" value="more">${words.t('board.more')}</button>`}`
      : html`<p class="board-none">${words.t('board.no_people')}</p>`)
  return html`<details class="board-tool" data-details="add" ${attrs({ open: isEmpty || found !== undefined || placeholderError !== undefined })}><summary class="button secondary small">${iconView('user-plus', { size: 18 })}${words.t('board.add')}</summary><div class="board-tool-body">
<div class="dispo-find" role="search"><div class="field"><label for="find-q">${words.t(searchesEmail ? 'board.search' : 'board.search_names')}</label><input ${attrs({ type: 'search', id: 'find-q', name: 'find', value: query, autocomplete: 'off' })}></div><button class="button secondary small" name="do" value="search">${iconView('search', { size: 18 })}${words.t('board.search_button')}</button>${found && html`<input type="hidden" name="page" value="${page}">`}${results}</div>
${placeholderView(words, { placeholder, placeholderError })}</div></details>`
}

function foundView(data: TextContext, person: FoundForEvent): Html {
  const { words } = data
  const { key, name, fits, free, shifts } = person
  const texts =
    shifts === 1
      ? [words.t(fits ? 'board.fits' : 'board.fits_not'), words.t(free ? 'board.free' : 'board.free_not')]
      : [words.t('board.fits_shifts', { fits, shifts }), words.t('board.free_shifts', { free })]
  return html`<li class="dispo-person"><div><b class="dispo-name">${name}</b>${badgesView(data, person)}${shifts > 0 && html`<p class="dispo-note">${texts.join(' · ')}</p>`}</div><button class="button secondary small" id="add-${key}" name="do" value="add ${key}">${iconView('user-plus', { size: 18 })}<span>${words.t('board.add_button')}<span class="sr-only">: ${name}</span></span></button></li>`
}

const nameOf = ({ words, now }: TextContext, { label, start, end }: Shift): string =>
  label ? `${label}, ${words.span(start, end, now)}` : words.span(start, end, now)

function searchesView(data: EventBoardData): Html {
  const { words, now, shifts, searches } = data
  const named = searches.map((search) => {
    const shift = shifts.find(({ id }) => id === search.shiftId)
    return shift ? { ...search, shift: nameOf(data, shift) } : search
  })
  return runningSearchesView(words, now, named)
}

function sheetView(data: EventBoardData): Html {
  const { words, now, shifts, people } = data
  return html`<div class="sheet" role="region" aria-label="${words.t('board.table')}" tabindex="0"><table>
<caption class="sr-only">${words.t('board.table')}</caption>
<thead><tr><th scope="col">${words.t('board.person')}</th>${shifts.map(
    (shift) =>
      html`<th scope="col"><a href="${boardPath(shift.id)}">${shift.label || words.day(shift.start, now)}</a><small>${words.span(shift.start, shift.end, now)}</small>${shift.end >= now && staffingBadgeView({ words, staffing: toStaffing(shift) })}</th>`,
  )}</tr></thead>
<tbody>${people.map(
    ({ key, name, phone, isAdded, cells }) =>
      html`<tr><th scope="row" id="person-${key}">${name}${phone && html`<small>${phoneView(phone)}</small>`}${isAdded && html`<input type="hidden" name="added" value="${key}"> <span class="badge tone-info">${words.t('board.new')}</span>`}</th>${cells.map((cell, index) => cellView(data, cell, { name, shift: shifts[index]! }))}</tr>`,
  )}</tbody></table></div>`
}

function cellView(data: EventBoardData, cell: Cell, { name, shift }: { name: string; shift: Shift }): Html {
  const { words } = data
  const { shiftId, key, before, version, to, state, staleNow, reasons, lapse, isChanged } = cell
  const field = fieldName(shiftId, key, 'to')
  const about = { name, shift: nameOf(data, shift) }
  const note = (kind: string, text: string) =>
    html`<p class="dispo-note ${kind}">${iconView(kind === 'field-error' ? 'circle-alert' : 'triangle-alert', { size: 14 })}<span>${text}</span></p>`
  return html`<td class="state-${state ?? 'none'}${isChanged && ' changed'}" data-card="${key}" data-name="${words.t('board.cell', about)}" data-was="${before}"><label class="sr-only" for="${fieldId(field)}">${words.t('board.cell', about)}</label><select id="${fieldId(field)}" name="${field}" data-move>${moveOptionsView({ ...data, ...cell }, { to, skills: cell.skills, none: version === null ? words.t('board.no_answer') : undefined })}</select>${version !== null && html`<input type="hidden" name="${fieldName(shiftId, key, 'was')}" value="${writeBefore({ version, to: before, start: '', end: '' })}">`}${lapse && html`${note('field-error', words.t(`board.lapse.${lapse}`))}<button class="button secondary small" name="do" value="keep ${shiftId} ${key}">${words.t('board.keep')}<span class="sr-only">: ${about.name}, ${about.shift}</span></button>`}${
    isIn(state) &&
    !lapse &&
    !reasons.length &&
    hintTexts(data, cell)
      .slice(0, 1)
      .map((text) => note('dispo-hint', text))
  }${reasons.map((reason) => note('field-error', cardReasonText(data, reason)))}${reasons.some(isReasonNeeded) && overrideView(words, cell, about)}${
    staleNow !== undefined &&
    html`<div class="dispo-stale"><p><b>${words.t('board.stale')}</b></p><p>${words.t('board.now')}: ${staleNow === null ? words.t('board.no_record') : stateText(words, staleNow)}</p><div class="cluster"><button class="button secondary small" name="do" value="mine ${shiftId} ${key}">${words.t('board.keep_mine')}<span class="sr-only">: ${about.name}, ${about.shift}</span></button><button class="button secondary small" name="do" value="theirs ${shiftId} ${key}">${words.t('board.take_theirs')}<span class="sr-only">: ${about.name}, ${about.shift}</span></button></div></div>`
  }</td>`
}

/** Only those who plan see the reason. */
function overrideView(words: Words, { shiftId, key }: Cell, about: { name: string; shift: string }): Html {
  const name = fieldName(shiftId, key, 'comment')
  return html`<div class="field"><label for="${fieldId(name)}">${words.t('board.override_reason')}<span class="sr-only">: ${about.name}, ${about.shift}</span></label><input ${attrs({ id: fieldId(name), name, type: 'text', maxlength: 255 })}></div><input type="hidden" name="${fieldName(shiftId, key, 'hidden')}" value="on">`
}
