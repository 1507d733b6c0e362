import { z } from 'zod'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageRequest, type PageResponse, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { type CardOutcome, saveBoard } from '../commands/board.ts'
import { keepPlace } from '../commands/keep-place.ts'
import { findPeopleToAdd, findQualificationNames, maySearchByEmail } from '../queries/people-search.ts'
import {
  type Board,
  type BoardShift,
  getBoardShift,
  getBoardState,
  loadBoard,
  loadProposal,
  type UnsavedChanges,
} from '../queries/shift-board.ts'
import { firstTarget } from '../rules/board.ts'
import {
  keepMine,
  MAX_PLACEHOLDER_LENGTH,
  newCard,
  parseChange,
  placeholderKey,
  readChangedCards,
  type SubmittedCard,
  withoutCard,
} from '../rules/cards.ts'
import { answersPath, boardPath } from '../rules/paths.ts'
import { linksAbove } from '../views/links.ts'
import { boardPageView } from '../views/shift-board.ts'

/** The names of card fields are dynamic, so the schema accepts any field. */
/** Without scripts, browsers send every card: some 100 bytes for each person and shift. */
export const MAX_BOARD_BYTES = 4 * 1024 * 1024
export const boardForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export function textOf(values: FormValues, name: string): string {
  const value = values[name]
  return (Array.isArray(value) ? (value.at(-1) ?? '') : (value ?? '')).trim()
}

async function requireShift({ context, path }: PageRequest<{ shift: number }>): Promise<BoardShift> {
  const found = await getBoardShift(context, path.shift)
  // 404 instead of 403, so hidden ids cannot be probed.
  if (!found) throw new Problem('not_found')
  if (!found.mayChange) throw new Problem('permission_denied')
  return found.shift
}

type Shown = {
  board: Board
  values?: FormValues
  flash?: Flash | undefined
  status?: number
  placeholderError?: string | undefined
}

export const boardStatePage = viewPage({
  path: '/shifts/{shift}/disposition/state/',
  access: signedIn,
  show: async (request) => {
    const shift = await requireShift(request)
    const { state } = await getBoardState(request.context, [shift.id])
    return { content: JSON.stringify({ state }), contentType: 'application/json', etag: `"${state}"` }
  },
})

export const boardPage = formPage({
  path: '/shifts/{shift}/disposition/',
  keeps: true,
  access: signedIn,
  form: boardForm,
  maxFormBytes: MAX_BOARD_BYTES,
  show: async (request) => present(request, { board: await loadBoard(request.context, await requireShift(request)) }),
  submit: async (request, values) => {
    const shift = await requireShift(request)
    const submitted = readChangedCards(values).filter(({ shiftId }) => shiftId === shift.id)
    const [action = '', key = ''] = textOf(values, 'do').split(' ')
    const show = async (unsaved: UnsavedChanges, more: Omit<Shown, 'board'> = {}) =>
      present(request, { board: await loadBoard(request.context, shift, unsaved), values, ...more })
    switch (action) {
      case 'save':
        return save(request, shift, submitted, values)
      case 'suggest':
      case 'confirm-all':
        return propose(request, shift, submitted, { values, extent: action === 'suggest' ? 'gaps' : 'all' })
      case 'add':
        return add(request, shift, submitted, { values, key })
      case 'add-placeholder':
        return addPlaceholder(request, shift, submitted, values)
      case 'off':
      case 'theirs':
        return show({ cards: withoutCard(submitted, key) })
      case 'keep':
        return keep(request, shift, submitted, { values, key })
      case 'mine':
        return show({ cards: keepMine(submitted, key, (await loadBoard(request.context, shift)).cards) })
      case 'more':
        return show({ cards: submitted }, { values: { ...values, page: String(pageIn(values) + 1) } })
      case 'search':
        return show({ cards: submitted }, { values: { ...values, page: '0' } })
      default:
        return show({ cards: submitted })
    }
  },
})

async function save(
  request: PageRequest,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  values: FormValues,
): Promise<PageResponse> {
  const { words } = request.context
  const read = submitted.map((card) => ({ card, ...parseChange(card, words.timeZone) }))
  const outcomes = await saveBoard(request.commandContext, {
    shiftId: shift.id,
    cards: read.flatMap((one) => ('wish' in one ? [one.wish] : [])),
  })
  const outcomeOf = new Map<SubmittedCard, CardOutcome>()
  for (const { card } of read.filter((one) => 'wish' in one)) outcomeOf.set(card, outcomes[outcomeOf.size]!)
  const left = read.filter(({ card }) => outcomeOf.get(card)?.kind !== 'saved')
  const saved = outcomes.filter((one) => one.kind === 'saved' && one.hasChanged).length
  const said = saved || !left.length ? words.t(saved ? 'board.saved' : 'board.saved_none', { count: saved }) : ''
  if (!left.length) return { redirect: boardPath(shift.id), flash: { kind: saved ? 'good' : 'info', text: said } }
  const reasons = left.flatMap((one) => {
    const outcome = outcomeOf.get(one.card)
    if ('reasons' in one) return [[one.card.key, one.reasons] as const]
    return outcome?.kind === 'refused' ? [[one.card.key, outcome.reasons] as const] : []
  })
  const stale = outcomes.filter(({ kind }) => kind === 'stale').length
  const text = [
    said,
    stale && words.t('board.stale_count', { count: stale }),
    reasons.length && words.t('board.refused_count', { count: reasons.length }),
  ]
  const board = await loadBoard(request.context, shift, { cards: left.map(({ card }) => card), reasons: new Map(reasons) })
  return present(request, {
    board,
    values,
    status: stale ? 409 : 422,
    flash: { kind: 'warn', text: text.filter(Boolean).join(' ') },
  })
}

/** Keeps a confirmed person who lost what the place needs. */
async function keep(
  request: PageRequest,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  { values, key }: { values: FormValues; key: string },
): Promise<PageResponse> {
  const { words } = request.context
  const card = requireFound((await loadBoard(request.context, shift)).cards.find((one) => one.key === key))
  await keepPlace(request.commandContext, { shiftId: shift.id, who: card.who })
  const flash = { kind: 'good', text: words.t('board.kept', { name: card.name }) } as const
  if (!submitted.length) return { redirect: boardPath(shift.id), flash }
  return present(request, { board: await loadBoard(request.context, shift, { cards: submitted }), values, flash })
}

async function propose(
  request: PageRequest,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  { values, extent }: { values: FormValues; extent: 'gaps' | 'all' },
): Promise<PageResponse> {
  const { words } = request.context
  const board = await loadProposal(request.context, shift, submitted, extent)
  const count = board.cards.filter(({ advice }) => advice?.code === 'seat').length
  const [some, none] =
    extent === 'gaps'
      ? (['board.suggested', 'board.suggested_none'] as const)
      : (['board.confirmed_all', 'board.confirmed_none'] as const)
  const text = count ? words.t(some, { count }) : words.t(none)
  return present(request, { board, values, flash: { kind: 'info', text } })
}

async function add(
  request: PageRequest,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  { values, key }: { values: FormValues; key: string },
): Promise<PageResponse> {
  const { words } = request.context
  const before = await loadBoard(request.context, shift, { cards: submitted })
  const known = before.cards.find((card) => card.key === key)
  if (known)
    return present(request, {
      board: before,
      values,
      flash: { kind: 'info', text: words.t('board.on_board', { name: known.name }) },
    })
  const first = newCard(shift.id, key, firstTarget(before, new Set()))
  const draft = first && (await loadBoard(request.context, shift, { cards: [...submitted, first] }))
  const skills = draft?.cards.find((card) => card.key === key)?.skills
  if (!first || !skills) throw new Problem('not_found')
  const card = { ...first, to: firstTarget(before, skills) }
  const board = await loadBoard(request.context, shift, { cards: [...submitted, card] })
  const { name } = board.cards.find((one) => one.key === key)!
  return present(request, { board, values, flash: { kind: 'info', text: words.t('board.added', { name }) } })
}

async function addPlaceholder(
  request: PageRequest,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  values: FormValues,
): Promise<PageResponse> {
  const { words } = request.context
  const name = textOf(values, 'placeholder')
  const board = await loadBoard(request.context, shift, { cards: submitted })
  const error = !name
    ? words.t('board.reason.name_empty')
    : [...name].length > MAX_PLACEHOLDER_LENGTH
      ? words.t('board.reason.name_long')
      : board.cards.some(({ key }) => key === placeholderKey(name))
        ? words.t('board.on_board', { name })
        : undefined
  if (error) return present(request, { board, values, placeholderError: error, status: 422 })
  return add(request, shift, submitted, { values: { ...values, placeholder: '' }, key: placeholderKey(name) })
}

export const pageIn = (values: FormValues): number => Math.min(Number(/^\d{1,3}$/.exec(textOf(values, 'page'))?.[0] ?? 0), 50)

async function present(
  request: PageRequest,
  { board, values = {}, flash, status, placeholderError }: Shown,
): Promise<PageResponse> {
  const { context, csrfToken } = request
  const { shift } = board
  const names = await findQualificationNames(context, board)
  const query = textOf(values, 'q')
  const skill = textOf(values, 'skill')
  const [fits, free] = [textOf(values, 'fits') === 'on', textOf(values, 'free') === 'on']
  const hasSearched = 'page' in values || textOf(values, 'do') === 'search'
  const search = {
    terms: query.split(/\s+/).filter(Boolean).slice(0, 8),
    fits,
    free,
    page: pageIn(values),
    skillId: /^\d{1,15}$/.test(skill) ? Number(skill) : undefined,
  }
  const found = hasSearched
    ? await findPeopleToAdd(context, shift, search, new Set(board.cards.map(({ key }) => key)))
    : undefined
  const { words, now } = context
  const title = words.t('board.of_shift', { shift: shift.label || shift.eventTitle })
  const main = boardPageView({
    words,
    now,
    ...names,
    csrfToken,
    title,
    shiftId: shift.id,
    ...board,
    time: { start: shift.start, end: shift.end },
    notice: shift.cancellationReason !== null ? 'cancelled' : shift.isDraft ? 'draft' : undefined,
    links: {
      across: shift.shiftCount > 1 ? `/events/${shift.eventId}/board/` : undefined,
      answers: board.hasQuestions ? answersPath(shift.id) : undefined,
      more: linksAbove(context, { shift: shift.id, isPast: shift.end < now, day: words.inputDate(shift.start) }),
    },
    confirmTarget: (card) => firstTarget(board, card.skills, card.id),
    finding: {
      searchesEmail: maySearchByEmail(context),
      query,
      fits,
      free,
      skill,
      page: search.page,
      found,
      placeholderError,
      skills: names.all,
      placeholder: textOf(values, 'placeholder'),
    },
  })
  return {
    title,
    main,
    flash,
    wide: true,
    ...(status ? { status } : {}),
    breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }],
    head: html`<link rel="stylesheet" href="${assetUrl('board.css')}">`,
    scripts: [assetUrl('board.js')],
  }
}
