import { sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/access.ts'
import { eventOfShiftColumns, shiftColumns } from '#features/events/queries/shift-columns.ts'
import type { EventOfShift, Shift } from '#features/events/rules/shifts.ts'
import type { SignupShift } from '#features/participations/rules/candidacy.ts'
import { getFlow } from '#features/staffing/flows/registry.ts'
import { type Inclusions, type PlaceLabel, type Seat, type SignupStats, STATE } from '#features/staffing/rules/model.ts'
import type { OpenSeat } from '#features/staffing/rules/suggestion.ts'
import { computeStatistics, getStructure } from '#features/staffing/structures/registry.ts'
import { textIn } from '#features/staffing/structures/structure.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import {
  arrange,
  type BoardCard,
  type BoardSection,
  type CardReason,
  type PlaceChoice,
  placesOf,
  propose,
  type Stale,
  typedOf,
} from '../rules/board.ts'
import { cardKey, isChanged, type TypedCard, writeTarget } from '../rules/cards.ts'
import { type Draft, draftOf, findBoardComments, findBoardRows, isPlaceOptional, type Somebody } from './card-drafts.ts'
import { type FactsOfMany, findAddable, findLastChanges, type LastChange, loadFactsOfMany, type OwnVersioned } from './people.ts'

export type BoardShift = Shift &
  EventOfShift & {
    isDraft: boolean
    /** All shifts of the event, including this one. */
    shiftCount: number
  }

/** Undefined: no such shift. `mayChange` false: somebody may see it and is not responsible. */
export async function getBoardShift(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ shift: BoardShift; mayChange: boolean } | undefined> {
  const { rows } = await sql<BoardShift & { mayChange: boolean }>`
    select ${shiftColumns()}, ${eventOfShiftColumns}, not e.active as "isDraft", e.shift_count as "shiftCount", ${changeableBy(actor)} as "mayChange"
    from shift s join event e on e.id = s.event_id
    where s.id = ${id} and e.deleted_at is null and (${changeableBy(actor)} or ${shownTo(actor)})`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { mayChange, ...shift } = row
  return { shift, mayChange }
}

/** Changes whenever anything that a board of these shifts shows changes. */
export async function getBoardState({ db }: RequestContext, shiftIds: readonly number[]): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select md5(coalesce(string_agg(line, ' ' order by line), '')) as state from (
      select p.id || ':' || p.version || ':' || (select count(*) from participation_comment c where c.participation_id = p.id) as line
      from participation p where p.shift_id = any (${shiftIds}::bigint[])
      union all select 'shift ' || md5(s::text) || e.version from shift s join event e on e.id = s.event_id
      where s.id = any (${shiftIds}::bigint[])
    ) lines`.execute(db)
  return rows[0]!.state
}

export type Board = {
  shift: BoardShift
  cards: BoardCard[]
  sections: BoardSection[]
  /** With every change that is not saved yet. */
  stats: SignupStats
  hasRequestStage: boolean
  places: PlaceChoice[]
  /** Whether somebody can be confirmed without saying where. */
  isPlaceOptional: boolean
  /** For those who asked and those who are confirmed. */
  seats: readonly Seat[]
  inclusions: Inclusions
  /** What stays missing after a suggestion. */
  open: readonly OpenSeat[]
}

/** What was typed and not saved; `reasons` by key: why a Save refused it. */
export type Unsaved = {
  cards: readonly TypedCard[]
  reasons?: ReadonlyMap<string, readonly CardReason[]> | undefined
  /** What the matcher said of the cards. */
  advice?: ReadonlyMap<string, NonNullable<BoardCard['advice']>> | undefined
}

/** The board of a shift that the caller is responsible for, with what was typed laid over what is stored. */
export async function loadBoard(context: RequestContext, shift: BoardShift, unsaved: Unsaved = { cards: [] }): Promise<Board> {
  const typed = new Map(unsaved.cards.filter(isChanged).map((card) => [card.key, card]))
  const rows = await findBoardRows(context, [shift.id])
  const known = new Set(rows.map(({ who }) => cardKey(who)))
  const strangers = [...typed.values()].filter(({ key }) => !known.has(key)).map(({ who }) => who)
  const facts = await loadFactsOfMany(context.db, [...rows.map(({ who }) => who), ...strangers], [shift.id], context.now)
  const addable = await findAddable(context.db, shift.eventId, strangers)
  const fresh = strangers.flatMap((who, index): Somebody[] => {
    const name = 'placeholder' in who ? who.placeholder.trim() : addable.has(cardKey(who)) && facts.person(who)?.name
    return name ? [{ id: -1 - index, who, name }] : []
  })
  const drafts = [...rows, ...fresh].map((one) =>
    draftOf(context, one, { shiftId: shift.id, typed: typed.get(cardKey(one.who)), facts }),
  )
  const planned = facts.shared.shifts.get(shift.id)!
  const plan: Plan = { planned, facts, seats: seatsFor(planned, drafts, facts), isPlaceOptional: isPlaceOptional(planned) }
  const stale = drafts.filter(isStale).flatMap(({ own }) => own ?? [])
  const last = await findLastChanges(
    context.db,
    stale.map(({ id }) => id),
  )
  const comments = await findBoardComments(
    context,
    rows.map(({ id }) => id),
  )
  const cards = drafts.map((draft): BoardCard => {
    const { typed, own, ...card } = draft
    const to = targetOf(draft, plan)
    return {
      ...card,
      before: typed?.before ?? { version: own?.version ?? null, to, start: card.start, end: card.end },
      to: typed?.to ?? to,
      comment: typed?.comment ?? '',
      isHidden: typed?.isHidden ?? false,
      isChanged: typed !== undefined,
      comments: comments.get(card.id) ?? [],
      wish: plan.seats.find(({ position }) => position.preferredBy?.has(card.id))?.label,
      stale: isStale(draft) ? staleOf(own, own && last.get(own.id), plan) : undefined,
      reasons: unsaved.reasons?.get(card.key) ?? [],
      advice: unsaved.advice?.get(card.key),
    }
  })
  const confirmed = drafts.filter(({ state }) => state === STATE.confirmed)
  return {
    shift,
    cards,
    sections: arrange(cards, seatsFor(planned, confirmed, facts), facts.shared.inclusions),
    stats: computeStatistics({ ...planned, ...inputOf(drafts, facts) }),
    hasRequestStage: getFlow(planned.flowSlug)?.hasRequestStage ?? true,
    places: placesOf(plan.seats),
    isPlaceOptional: plan.isPlaceOptional,
    seats: plan.seats,
    inclusions: facts.shared.inclusions,
    open: [],
  }
}

type Plan = { planned: SignupShift; facts: FactsOfMany; seats: readonly Seat[]; isPlaceOptional: boolean }

const isStale = ({ typed, own }: Draft): boolean => typed !== undefined && typed.before.version !== (own?.version ?? null)

function inputOf(drafts: readonly Draft[], { shared }: FactsOfMany) {
  const people = drafts
    .filter(({ state }) => state === STATE.requested || state === STATE.confirmed)
    .map(({ id, state, skills, structureData }) => ({ participationId: id, state, skills, structureData }))
  return { people, blocks: shared.blocks, qualifications: shared.inclusions }
}

function seatsFor(planned: SignupShift, drafts: readonly Draft[], facts: FactsOfMany): readonly Seat[] {
  return getStructure(planned.structureSlug)?.seats(planned.structureConfiguration, inputOf(drafts, facts)) ?? []
}

/** Where a card stands that nobody has typed anything on. */
function targetOf({ id, state }: Draft, { seats, isPlaceOptional }: Plan): string {
  const hasPlaces = seats.some(({ place }) => place !== null)
  if (state !== STATE.confirmed || !hasPlaces) return writeTarget({ state, place: undefined })
  const place = seats.find(({ position }) => position.designatedFor.has(id))?.place ?? (isPlaceOptional ? '' : undefined)
  return writeTarget({ state, place })
}

function staleOf(own: OwnVersioned | undefined, last: LastChange | undefined, { seats }: Plan): Stale {
  const { by = null, isOwn = false, at } = last ?? {}
  if (!own) return { now: undefined, by, isOwn, at }
  const { version, state, start, end, individualStart, individualEnd, structureData } = own
  return {
    now: {
      version,
      state,
      span: { start, end },
      hasOwnTimes: individualStart !== null || individualEnd !== null,
      place: state === STATE.confirmed ? labelOf(structureData, seats) : undefined,
    },
    by,
    isOwn,
    at,
  }
}

function labelOf(structureData: unknown, seats: readonly Seat[]): PlaceLabel | undefined {
  const keys = ['dispatched_team_uuid', 'dispatched_unit_path', 'preferred_team_uuid']
  const place = keys.map((key) => textIn(structureData, key)).find((text) => text !== undefined)
  return placesOf(seats).find((choice) => choice.place === place)?.label
}

/** The board with everybody confirmed whom the matcher would confirm; nothing is stored. */
export async function loadProposal(
  context: RequestContext,
  shift: BoardShift,
  typed: readonly TypedCard[],
  extent: 'gaps' | 'all',
): Promise<Board> {
  const board = await loadBoard(context, shift, { cards: typed })
  const { proposals, open } = propose(board.cards, { ...board, extent })
  const moved = new Map(proposals.filter(({ isSeated }) => isSeated).map((proposal) => [proposal.key, proposal]))
  const cards = board.cards.flatMap((card): TypedCard[] => {
    const proposal = moved.get(card.key)
    if (!proposal) return card.isChanged ? [typedOf(card, shift.id)] : []
    const place = proposal.place === null ? undefined : board.isPlaceOptional ? '' : proposal.place
    return [{ ...typedOf(card, shift.id), to: writeTarget({ state: STATE.confirmed, place }) }]
  })
  const advice = new Map(proposals.map(({ key, advice }) => [key, advice]))
  return { ...(await loadBoard(context, shift, { cards, advice })), open }
}
