import { eventPath } from '#features/events/events/rules/slug.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageRequest, type PageResponse, viewPage } from '#platform/http/page.ts'
import type { SlugId } from '#platform/http/path.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { saveCards } from '../commands/board.ts'
import { keepPlace } from '../commands/keep-place.ts'
import {
  type BoardEvent,
  type EventBoard,
  type EventBoardFilter,
  findBoardShifts,
  getBoardEvent,
  loadEventBoard,
} from '../queries/event-board.ts'
import { findPeopleToAddToEvent, findQualificationNames, maySearchByEmail } from '../queries/people-search.ts'
import { getBoardState } from '../queries/shift-board.ts'
import {
  type CardPerson,
  MAX_PLACEHOLDER_LENGTH,
  parseChange,
  placeholderKey,
  readCardKey,
  readChangedCards,
  type SubmittedCard,
} from '../rules/cards.ts'
import { ALL_DAYS } from '../rules/days.ts'
import { eventBoardPath } from '../rules/paths.ts'
import { eventBoardView } from '../views/event-board.ts'
import { linksAbove } from '../views/links.ts'
import { boardForm, MAX_BOARD_BYTES, pageIn, textOf } from './shift-board.ts'

async function requireEvent({ context, path }: PageRequest<{ event: SlugId }>): Promise<BoardEvent> {
  const found = await getBoardEvent(context, path.event.id)
  // 404 instead of 403, so hidden ids cannot be probed.
  if (!found) throw new Problem('not_found')
  if (!found.mayChange) throw new Problem('permission_denied')
  return found.event
}

export const eventBoardStatePage = viewPage({
  path: '/events/{event:slug}/board/state/',
  access: signedIn,
  show: async (request) => {
    const event = await requireEvent(request)
    const shifts = await findBoardShifts(request.context, event.id)
    const { state } = await getBoardState(
      request.context,
      shifts.map(({ id }) => id),
    )
    return { content: JSON.stringify({ state }), contentType: 'application/json', etag: `"${state}"` }
  },
})

const filterOf = ({ query }: PageRequest): EventBoardFilter & { text: string } => {
  const text = (query.get('q') ?? '').trim()
  const state = query.get('state') ?? ''
  return {
    text,
    terms: text.split(/\s+/).filter(Boolean).slice(0, 8),
    state: /^[0-3]$/.test(state) ? (Number(state) as 0) : undefined,
    day: query.get('day') ?? undefined,
  }
}

export const eventBoardPage = formPage({
  path: '/events/{event:slug}/board/',
  keeps: true,
  access: signedIn,
  form: boardForm,
  maxFormBytes: MAX_BOARD_BYTES,
  show: async (request) =>
    present(request, await loadEventBoard(request.context, await requireEvent(request), filterOf(request))),
  submit: async (request, values) => {
    const event = await requireEvent(request)
    const submitted = readChangedCards(values)
    const [action = '', shift = '', key = ''] = textOf(values, 'do').split(' ')
    const isNamed = (card: SubmittedCard) => card.shiftId === Number(shift) && card.key === key
    const added = [values.added ?? []].flat().flatMap((one) => readCardKey(one) ?? [])
    const show = async (cards: readonly SubmittedCard[], shown: FormValues = values) =>
      present(request, await loadEventBoard(request.context, event, filterOf(request), { cards, added }), { values: shown })
    if (action === 'save') return save(request, event, submitted)
    if (action === 'more') return show(submitted, { ...values, page: String(pageIn(values) + 1) })
    if (action === 'search') return show(submitted, { ...values, page: '0' })
    if (action === 'add') return add(request, event, { submitted, added, values, key: shift })
    if (action === 'add-placeholder') return addPlaceholder(request, event, { submitted, added, values })
    if (action === 'keep') return keep(request, event, { submitted, added, values, key, shiftId: Number(shift) })
    if (action === 'theirs') return show(submitted.filter((card) => !isNamed(card)))
    if (action !== 'mine') return show(submitted)
    const stored = await loadEventBoard(request.context, event, { terms: [], state: undefined, day: ALL_DAYS })
    const cell = stored.people.find((person) => person.key === key)?.cells.find(({ shiftId }) => shiftId === Number(shift))
    const { version = null, before: to = '' } = cell ?? {}
    return show(submitted.map((card) => (isNamed(card) ? { ...card, before: { version, to, start: '', end: '' } } : card)))
  },
})

type Submission = { submitted: readonly SubmittedCard[]; added: readonly CardPerson[]; values: FormValues }

/** The person gets a row without answers; the planner then chooses states. */
async function add(
  request: PageRequest,
  event: BoardEvent,
  { submitted: cards, added, values, key }: Submission & { key: string },
): Promise<PageResponse> {
  const { words } = request.context
  const who = readCardKey(key)
  const unsaved = { cards, added: who ? [...added, who] : added }
  const board = await loadEventBoard(request.context, event, filterOf(request), unsaved)
  const person = requireFound(board.people.find((one) => one.key === key))
  const text = words.t(person.isAdded ? 'board.added_row' : 'board.on_board', { name: person.name })
  // Closes the search, so that the new row is in view.
  const { page: _page, find: _find, ...rest } = values
  return present(request, board, { values: rest, flash: { kind: 'info', text } })
}

/** Keeps a confirmed person who lost what the place needs. */
async function keep(
  request: PageRequest,
  event: BoardEvent,
  { submitted: cards, added, values, key, shiftId }: Submission & { key: string; shiftId: number },
): Promise<PageResponse> {
  const { context, commandContext, url } = request
  const shown = await loadEventBoard(context, event, filterOf(request), { cards, added })
  const person = shown.people.find((one) => one.key === key)
  if (!person?.cells.some((cell) => cell.shiftId === shiftId)) throw new Problem('not_found')
  await keepPlace(commandContext, { shiftId, who: person.who })
  const flash = { kind: 'good', text: context.words.t('board.kept', { name: person.name }) } as const
  if (!cards.length && !added.length) return { redirect: url, flash }
  return present(request, await loadEventBoard(context, event, filterOf(request), { cards, added }), { values, flash })
}

async function addPlaceholder(
  request: PageRequest,
  event: BoardEvent,
  { submitted: cards, added, values }: Submission,
): Promise<PageResponse> {
  const { words } = request.context
  const name = textOf(values, 'placeholder')
  const key = placeholderKey(name)
  const board = await loadEventBoard(request.context, event, filterOf(request), { cards, added })
  const error = !name
    ? words.t('board.reason.name_empty')
    : [...name].length > MAX_PLACEHOLDER_LENGTH
      ? words.t('board.reason.name_long')
      : board.keys.has(key)
        ? words.t('board.on_board', { name })
        : undefined
  if (error) return present(request, board, { values, placeholderError: error, status: 422 })
  return add(request, event, { submitted: cards, added, values: { ...values, placeholder: '' }, key })
}

async function save(request: PageRequest, event: BoardEvent, submitted: readonly SubmittedCard[]): Promise<PageResponse> {
  const { words } = request.context
  const read = submitted.map((card) => ({ card, ...parseChange(card, words.timeZone) }))
  const ready = read.filter((one) => 'wish' in one)
  const outcomes = await saveCards(
    request.commandContext,
    ready.map(({ wish }) => wish),
  )
  const outcomeOf = new Map(ready.map(({ card }, index) => [card, outcomes[index]!]))
  const left = read.filter(({ card }) => outcomeOf.get(card)?.kind !== 'saved')
  const count = outcomes.filter((one) => one.kind === 'saved' && one.hasChanged).length
  const said = words.t(count ? 'board.saved' : 'board.saved_none', { count })
  const filter = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
  if (!left.length) return { redirect: eventBoardPath(event.id) + filter, flash: { kind: count ? 'good' : 'info', text: said } }
  const reasons = left.flatMap((one) => {
    const outcome = outcomeOf.get(one.card)
    const at = `${one.card.shiftId} ${one.card.key}`
    if ('reasons' in one) return [[at, one.reasons] as const]
    return outcome?.kind === 'refused' ? [[at, outcome.reasons] as const] : []
  })
  const stale = outcomes.filter(({ kind }) => kind === 'stale').length
  const text = [
    count && said,
    stale && words.t('board.stale_count', { count: stale }),
    reasons.length && words.t('board.refused_count', { count: reasons.length }),
  ]
  const unsaved = { cards: left.map(({ card }) => card), reasons: new Map(reasons) }
  const board = await loadEventBoard(request.context, event, filterOf(request), unsaved)
  const flash: Flash = { kind: 'warn', text: text.filter(Boolean).join(' ') }
  return present(request, board, { flash, status: stale ? 409 : 422 })
}

type Shown = { flash?: Flash; status?: number; values?: FormValues; placeholderError?: string }

async function present(
  request: PageRequest,
  board: EventBoard,
  { flash, status, values = {}, placeholderError }: Shown = {},
): Promise<PageResponse> {
  const { context, csrfToken, url } = request
  const { event, shifts, shiftCount, days, day, people, count, keys } = board
  const page = pageIn(values)
  const query = textOf(values, 'find')
  const hasSearched = 'page' in values || textOf(values, 'do') === 'search'
  const terms = query.split(/\s+/).filter(Boolean).slice(0, 8)
  const found = hasSearched ? await findPeopleToAddToEvent(context, { id: event.id, shifts }, { terms, page }, keys) : undefined
  const { words, now } = context
  const { text, state } = filterOf(request)
  const href = eventPath(event.id, event.title)
  const main = eventBoardView({
    words,
    now,
    ...(await findQualificationNames(context)),
    csrfToken,
    links: linksAbove(context, {
      event: event.id,
      shiftCount,
      day: shifts[0] && words.inputDate(shifts[0].start),
    }),
    count,
    people,
    action: url,
    eventId: event.id,
    title: event.title,
    shifts,
    days,
    day,
    finding: {
      query,
      searchesEmail: maySearchByEmail(context),
      page,
      found,
      placeholder: textOf(values, 'placeholder'),
      placeholderError,
    },
    filter: { query: text, state: state === undefined ? '' : String(state) },
    state: board.state,
    searches: board.searches,
  })
  return {
    title: words.t('board.across_title'),
    main,
    flash,
    wide: true,
    ...(status ? { status } : {}),
    breadcrumb: [{ href, label: event.title }],
    head: html`<link rel="stylesheet" href="${assetUrl('board.css')}">`,
    scripts: [assetUrl('board.js')],
  }
}
