import type { RunningSearch } from '#features/staffing/exchanges/queries/stand-in.ts'
import { runningSearchesView } from '#features/staffing/exchanges/views/search.ts'
import type { SignupStats, State } from '#features/staffing/staffing/rules/model.ts'
import { withoutPosition } from '#features/staffing/staffing/rules/placement.ts'
import type { OpenSeat } from '#features/staffing/staffing/rules/suggestion.ts'
import { openText, placeText } from '#features/staffing/staffing/views/explanations.ts'
import { staffedText, staffingBadgeView, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { BoardCard, BoardSection } from '../rules/board.ts'
import { boardPath } from '../rules/paths.ts'
import { badgesView, type CardContext, cardView, hintTexts, type TextContext } from './card.ts'
import { type LinkAbove, linkAboveView } from './links.ts'

type BoardData = CardContext & {
  csrfToken: string
  title: string
  time: { start: Date; end: Date }
  notice: 'cancelled' | 'draft' | undefined
  links: { across: string | undefined; answers: string | undefined; more: readonly LinkAbove[] }
  cards: readonly BoardCard[]
  sections: readonly BoardSection[]
  /** Places that are still open after a suggestion. */
  open: readonly OpenSeat[]
  stats: SignupStats
  hasRequestStage: boolean
  finding: PeopleSearchData
  /** For stand-ins. */
  searches: readonly RunningSearch[]
  /** Version of the board; the script polls for changes by others. */
  state: string
}

const IDS: Record<State, string> = { 0: 'requested', 1: 'confirmed', 2: 'declined', 3: 'rejected', 4: 'imported' }

/** The whole board is one form with one Save and works without JavaScript. */
export function boardPageView(data: BoardData): Html {
  const { words, now, csrfToken, shiftId, title, time, notice, links, stats, state } = data
  const staffing = toStaffing(stats)
  const isPast = time.end < now
  return html`${pageHeadView({
    title,
    badge: !isPast && staffingBadgeView({ words, staffing }),
    facts: html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<time datetime="${time.start.toISOString()}">${words.span(time.start, time.end, now)}</time></span>${links.across !== undefined && html`<a class="fact" href="${links.across}">${iconView('layers', { size: 18 })}<span>${words.t('board.across')}</span></a>`}${links.answers !== undefined && html`<a class="fact" href="${links.answers}">${iconView('circle-question-mark', { size: 18 })}<span>${words.t('answers.title')}</span></a>`}${links.more.map(linkAboveView)}`,
  })}
${notice && html`<p class="side-note">${iconView('info', { size: 16 })}<span>${words.t(`board.${notice}`)}</span></p>`}${runningSearchesView(words, now, data.searches)}
<form class="dispo" id="board" method="post" action="${boardPath(shiftId)}" novalidate data-board data-state="${state}" data-poll="${boardPath(shiftId)}state/" data-unsaved="${words.t('ui.leave_unsaved')}" data-moved="${words.t('board.moved', { name: '{name}', to: '{to}' })}" data-refreshed="${words.t('board.refreshed')}">
${csrfField(csrfToken)}
<div class="sr-only" role="status" aria-live="polite" data-live></div>
${openView(data)}
<div class="dispo-staffing">${staffingView({ words, staffing })}</div>
${columnsView(data)}
${barView(data)}
</form>`
}

function openView(data: BoardData): Html | false {
  const nameOf = (id: number) => data.cards.find((card) => card.id === id)?.name ?? ''
  return (
    data.open.length > 0 &&
    html`<ul class="dispo-open" role="list">${data.open.map((one) => html`<li class="side-note">${iconView('triangle-alert', { size: 16 })}<span>${openText(data, one, nameOf)}</span></li>`)}</ul>`
  )
}

type Column = { id: string; title: string; count: string | number | undefined; body: Html }

function columnsView(data: BoardData): Html {
  const { words, cards, hasRequestStage, finding, stats } = data
  const inState = (state: State) => cards.filter((card) => card.state === state)
  const plain = (state: 0 | 2 | 3 | 4): Column => ({
    id: IDS[state],
    title: words.t(`board.state.${state}`),
    count: inState(state).length,
    body: listView({
      list: String(state),
      cards: inState(state).map((card) => cardView(data, card)),
      none: words.t(`board.none.${state}`),
    }),
  })
  const requested = hasRequestStage || inState(0).length > 0 ? [plain(0)] : []
  const main: Column = {
    id: IDS[1],
    title: words.t('board.state.1'),
    body: sectionsView(data),
    count: staffedText(words, toStaffing(stats)),
  }
  const add: Column = { id: 'add', title: words.t('board.add'), count: undefined, body: peopleSearchView(data, finding) }
  const rest = [plain(2), plain(3), ...(inState(4).length ? [plain(4)] : [])]
  const first = inState(0).length ? IDS[0] : IDS[1]
  const tabs = [...requested, main, ...rest, add].sort((a, b) => Number(b.id === first) - Number(a.id === first))
  return html`<div class="board-tabs">${tabsView({
    label: words.t('board.columns'),
    tabs: tabs.map(({ id, title, count }) => ({ href: `#${id}`, label: count === undefined ? title : `${title} ${count}` })),
  })}</div>
<div class="board dispo-columns" role="region" aria-label="${words.t('board.columns')}" tabindex="0">${[
    add,
    ...requested,
    main,
    ...rest,
  ].map(
    ({ id, title, count, body }) =>
      html`<section class="board-column${id === first && ' first'}" id="${id}" data-column="${id}"><h2>${title}${count !== undefined && html`<span>${count}</span>`}</h2>${body}</section>`,
  )}</div>`
}

function listView({ list, cards, none }: { list: string; cards: readonly Html[]; none: string }): Html {
  return html`<ul class="dispo-list" role="list" data-list="${list}">${cards}</ul><p class="board-none" ${attrs({ hidden: cards.length > 0 })}>${none}</p>`
}

function sectionsView(data: BoardData): Html {
  const { words, sections, places, isPlaceOptional } = data
  const isOne = sections.length === 1 && sections[0]!.label?.kind === 'shift'
  const isEmpty = sections.every(({ rows, gaps }) => !rows.length && !gaps.length)
  const home = places.length ? (isPlaceOptional ? '1:' : '1') : '1'
  const hasRest = sections.some(({ id }) => id === 'rest')
  return html`${sections.map((section) => sectionView(data, section, isOne, home))}${!isOne && !hasRest && html`<ul class="dispo-list" role="list" data-list="${home}"></ul>`}${isEmpty && isOne && html`<p class="board-none">${words.t('board.none.1')}</p>`}`
}

function sectionView(data: BoardData, section: BoardSection, isOne: boolean, home: string): Html {
  const { words, titleOf } = data
  const { label, place, rows, gaps, required, places } = section
  const count = rows.length
  const amount =
    places !== null && label
      ? words.t('board.of', { count, places })
      : required
        ? words.t('board.at_least', { count, places: required })
        : String(count)
  const title = !label ? words.t('board.rest') : placeText(data, withoutPosition(label))
  const list = place !== null ? `1:${place}` : isOne || !label ? home : undefined
  return html`<div class="dispo-section">${!isOne && html`<h3>${title}<span>${amount}</span></h3>`}<ul class="dispo-list" role="list" ${attrs({ 'data-list': list })}>${rows.map(({ card, position }) => cardView(data, withoutWishFor(card, title, data), position))}${gaps.map(
    (gap) =>
      html`<li class="dispo-gap">${iconView('circle-dashed', { size: 16 })}<span>${gap.label.kind === 'unit' && gap.label.position && html`<b>${gap.label.position}</b> `}${words.t('board.gaps', { count: gap.count })}${gap.needs.length > 0 && html` <small>${words.list(gap.needs.map(titleOf))}</small>`}</span></li>`,
  )}</ul></div>`
}

/** Hides a wish that is fulfilled. */
function withoutWishFor(card: BoardCard, title: string, data: BoardData): BoardCard {
  return card.wish && placeText(data, withoutPosition(card.wish)) === title ? { ...card, wish: undefined } : card
}

function barView({ words, cards, shiftId, hasRequestStage }: BoardData): Html {
  const count = cards.filter(({ isChanged }) => isChanged).length
  const hasRequested = cards.some(({ state }) => state === 0)
  const offers =
    (hasRequestStage || hasRequested) &&
    html`${buttonView({ label: words.t('board.suggest'), kind: 'secondary', icon: 'wand-sparkles', name: 'do', value: 'suggest', attributes: { title: words.t('board.suggest_help') } })}${buttonView({ label: words.t('board.confirm_all'), kind: 'secondary', icon: 'list-checks', name: 'do', value: 'confirm-all' })}`
  return html`<div class="dispo-bar">${buttonView({ label: count ? words.t('board.save_count', { count }) : words.t('board.save'), name: 'do', value: 'save', icon: 'check', attributes: { 'data-save': true } })}${offers}${count > 0 && linkButtonView({ href: boardPath(shiftId), label: words.t('board.discard'), kind: 'quiet', attributes: { 'data-discard': true } })}<p class="dispo-help" hidden data-help>${words.t('board.keys')} ${words.t('board.live')}</p></div>`
}

type PersonToAdd = Pick<BoardCard, 'key' | 'who' | 'name' | 'held' | 'expiring' | 'isMinor' | 'hints' | 'warnings'>
type PeopleSearchData = {
  searchesEmail: boolean
  query: string
  fits: boolean
  free: boolean
  skill: string
  skills: readonly { id: number; title: string }[]
  page: number
  /** Undefined before the first search. */
  found: { people: readonly PersonToAdd[]; hasMore: boolean } | undefined
  placeholder: string
  placeholderError: string | undefined
}

function peopleSearchView(data: TextContext, finding: PeopleSearchData): Html {
  const { words } = data
  const { query, fits, free, skill, skills, found, page } = finding
  const box = (name: 'fits' | 'free', checked: boolean) =>
    html`<label class="choice" for="find-${name}"><input ${attrs({ type: 'checkbox', id: `find-${name}`, name, checked })}><span>${words.t(`board.${name}`)}</span></label>`
  return html`<div class="dispo-find" role="search" data-find>
<div class="field"><label for="find-q">${words.t(finding.searchesEmail ? 'board.search' : 'board.search_names')}</label><input ${attrs({ type: 'search', id: 'find-q', name: 'q', value: query, autocomplete: 'off' })}></div>
<div class="dispo-boxes">${box('fits', fits)}${box('free', free)}</div>
<div class="field"><label for="find-skill">${words.t('board.skill')}</label><select id="find-skill" name="skill"><option value="">${words.t('board.any_skill')}</option>${skills.map(({ id, title }) => html`<option ${attrs({ value: id, selected: String(id) === skill })}>${title}</option>`)}</select></div>
<button class="button secondary small" name="do" value="search">${iconView('search', { size: 18 })}${words.t('board.search_button')}</button>
${found && html`<input type="hidden" name="page" value="${page}">`}
</div>
<div class="dispo-found" data-found>${
    !found
      ? html`<p class="board-none">${words.t('board.search_first')}</p>`
      : found.people.length
        ? html`<ul class="dispo-list" role="list">${found.people.map((person) => personView(data, person))}</ul>${found.hasMore && html`<button class="button quiet small" name="do" value="more">${words.t('board.more')}</button>`}`
        : html`<p class="board-none">${words.t('board.no_people')}</p>`
  }</div>
${placeholderView(words, finding)}`
}

function personView(data: TextContext, person: PersonToAdd): Html {
  const { words } = data
  const { key, name } = person
  return html`<li class="dispo-person"><div><b class="dispo-name">${name}</b>${badgesView(data, person)}${hintTexts(
    data,
    person,
  ).map(
    (text) => html`<p class="dispo-note dispo-hint">${iconView('triangle-alert', { size: 14 })}<span>${text}</span></p>`,
  )}</div><button class="button secondary small" id="add-${key}" name="do" value="add ${key}">${iconView('user-plus', { size: 18 })}<span>${words.t('board.add_button')}<span class="sr-only">: ${name}</span></span></button></li>`
}

export function placeholderView(
  words: Words,
  { placeholder, placeholderError }: Pick<PeopleSearchData, 'placeholder' | 'placeholderError'>,
): Html {
  const describedBy = placeholderError ? 'find-placeholder-error find-placeholder-help' : 'find-placeholder-help'
  return html`<div class="dispo-placeholder"><div class="field${placeholderError && ' wrong'}"><label for="find-placeholder">${words.t('board.placeholder_name')}</label><input ${attrs({ id: 'find-placeholder', name: 'placeholder', value: placeholder, maxlength: 254, autocomplete: 'off', 'aria-describedby': describedBy, 'aria-invalid': placeholderError ? 'true' : undefined })}>${placeholderError && html`<p class="field-error" id="find-placeholder-error">${iconView('circle-alert', { size: 16 })}<span>${placeholderError}</span></p>`}<p class="help" id="find-placeholder-help">${words.t('board.placeholder_help')}</p></div>
<button class="button secondary small" name="do" value="add-placeholder">${iconView('plus', { size: 18 })}${words.t('board.add_button')}</button></div>`
}
