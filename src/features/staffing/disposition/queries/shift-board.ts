import { sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { eventOfShiftColumns, shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { EventOfShift, Shift } from '#features/events/events/rules/shifts.ts'
import type { SignupShift } from '#features/staffing/eligibility/rules/candidacy.ts'
import { type RunningSearch, readRunningSearches, runningSearchesOf } from '#features/staffing/exchanges/queries/stand-in.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import {
  type Inclusions,
  isIn,
  type PlaceLabel,
  type Seat,
  type SignupStats,
  STATE,
} from '#features/staffing/staffing/rules/model.ts'
import type { OpenSeat } from '#features/staffing/staffing/rules/suggestion.ts'
import { normalizeUnitPaths } from '#features/staffing/staffing/rules/units.ts'
import { computeStatistics, getStructure } from '#features/staffing/staffing/structures/registry.ts'
import { textIn } from '#features/staffing/staffing/structures/structure.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import {
  arrangeSections,
  type BoardCard,
  type BoardSection,
  type PlaceChoice,
  placesOf,
  propose,
  type Stale,
  toSubmittedCard,
} from '../rules/board.ts'
import { type CardReason, cardKey, isChanged, type SubmittedCard, writeTarget } from '../rules/cards.ts'
import {
  type CardDraft,
  type DraftPerson,
  draftCard,
  findBoardComments,
  findBoardParticipants,
  isPlaceOptional,
} from './card-drafts.ts'
import {
  findAddablePeople,
  findLastChanges,
  type LastChange,
  loadPeopleFacts,
  type PeopleFacts,
  type VersionedRecord,
} from './people.ts'

export type BoardShift = Shift &
  EventOfShift & {
    isDraft: boolean
    /** All shifts of the event, including this one. */
    shiftCount: number
  }

/** Undefined if the caller may not see the shift. `mayChange`: responsible for its event. */
export async function getBoardShift(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ shift: BoardShift; mayChange: boolean } | undefined> {
  const row = await rowsOf(db).first(sql<BoardShift & { mayChange: boolean }>`
    select ${shiftColumns()}, ${eventOfShiftColumns}, not e.active as "isDraft", e.shift_count as "shiftCount", ${changeableBy(actor)} as "mayChange"
    from shift s join event e on e.id = s.event_id
    where s.id = ${id} and e.deleted_at is null and (${changeableBy(actor)} or ${shownTo(actor)})`)
  if (!row) return undefined
  const { mayChange, ...shift } = row
  return { shift, mayChange }
}

/** `state` is as old as the oldest fact on the board, so a change while the board is read is noticed by the next look at it. */
export type BoardState = { state: string; searches: RunningSearch[] }

/** A hash that changes with everything that the boards of these shifts show, and the searches for stand-ins. */
export async function getBoardState({ db }: RequestContext, shiftIds: readonly number[]): Promise<BoardState> {
  const { state, searches } = await rowsOf(db).one(sql<{ state: string; searches: Parameters<typeof readRunningSearches>[0] }>`
    select md5(coalesce(string_agg(line, ' ' order by line), '') || searches.list::text) as state, searches.list as searches
    from (select ${runningSearchesOf(shiftIds)}::jsonb as list) searches left join (
      select p.id || ':' || p.version || ':' || (select count(*) from participation_comment c where c.participation_id = p.id)
        || ':' || (select coalesce(md5(string_agg(a.question_id || a.value::text, ' ' order by a.question_id)), '')
          from answer a where a.participation_id = p.id) as line
      from participation p where p.shift_id = any (${shiftIds}::bigint[])
      union all select 'shift ' || md5(s::text) || e.version from shift s join event e on e.id = s.event_id
      where s.id = any (${shiftIds}::bigint[])
    ) lines on true group by searches.list`)
  return { state, searches: readRunningSearches(searches) }
}

export type Board = BoardState & {
  shift: BoardShift
  cards: BoardCard[]
  sections: BoardSection[]
  /** Including unsaved changes. */
  stats: SignupStats
  hasRequestStage: boolean
  places: PlaceChoice[]
  /** People can be confirmed without choosing a place. */
  isPlaceOptional: boolean
  /** Whether the shift asks questions, or people have answered some. */
  hasQuestions: boolean
  /** For requested and confirmed people. */
  seats: readonly Seat[]
  inclusions: Inclusions
  catalogueVersion: number
  /** Places that are still open after a suggestion. */
  open: readonly OpenSeat[]
}

/** Submitted cards that are not saved; `reasons` by key: why they were refused. */
export type UnsavedChanges = {
  cards: readonly SubmittedCard[]
  reasons?: ReadonlyMap<string, readonly CardReason[]> | undefined
  /** Advice of the matcher by key. */
  advice?: ReadonlyMap<string, NonNullable<BoardCard['advice']>> | undefined
}

/** The board of a shift, stored records overlaid with unsaved changes. The caller is responsible for the shift. */
export async function loadBoard(
  context: RequestContext,
  shift: BoardShift,
  unsaved: UnsavedChanges = { cards: [] },
): Promise<Board> {
  const submitted = new Map(unsaved.cards.filter(isChanged).map((card) => [card.key, card]))
  const state = await getBoardState(context, [shift.id])
  const rows = await findBoardParticipants(context, [shift.id])
  const known = new Set(rows.map(({ who }) => cardKey(who)))
  const newPeople = [...submitted.values()].filter(({ key }) => !known.has(key)).map(({ who }) => who)
  const facts = await loadPeopleFacts(context, [...rows.map(({ who }) => who), ...newPeople], [shift.id])
  const addable = await findAddablePeople(context.db, shift.eventId, newPeople)
  const fresh = newPeople.flatMap((who, index): DraftPerson[] => {
    const name = 'placeholder' in who ? who.placeholder.trim() : addable.has(cardKey(who)) && facts.person(who)?.name
    return name ? [{ id: -1 - index, who, name }] : []
  })
  const drafts = [...rows, ...fresh].map((one) =>
    draftCard(context, one, { shiftId: shift.id, submitted: submitted.get(cardKey(one.who)), facts }),
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
  const answers = new Map(rows.map((row) => [row.id, row.answers]))
  const cards = drafts.map((draft): BoardCard => {
    const { submitted, own, ...card } = draft
    const to = targetOf(draft, plan)
    return {
      ...card,
      before: submitted?.before ?? { version: own?.version ?? null, to, start: card.start, end: card.end },
      to: submitted?.to ?? to,
      comment: submitted?.comment ?? '',
      isHidden: submitted?.isHidden ?? false,
      isChanged: submitted !== undefined,
      comments: comments.get(card.id) ?? [],
      answers: answers.get(card.id) ?? [],
      wish: plan.seats.find(({ position }) => position.preferredBy?.has(card.id))?.label,
      stale: isStale(draft) ? staleOf(own, own && last.get(own.id), plan) : undefined,
      reasons: unsaved.reasons?.get(card.key) ?? [],
      advice: unsaved.advice?.get(card.key),
    }
  })
  const confirmed = drafts.filter(({ state }) => state === STATE.confirmed)
  return {
    ...state,
    shift,
    catalogueVersion: facts.shared.catalogueVersion,
    cards,
    sections: arrangeSections(cards, seatsFor(planned, confirmed, facts), facts.shared.inclusions),
    stats: computeStatistics({
      ...planned,
      ...inputOf(planned, drafts, facts),
      span: { start: planned.start, end: planned.end },
      presence: new Map(drafts.map(({ id, span }) => [id, span])),
    }),
    hasRequestStage: getFlow(planned.flowSlug)?.hasRequestStage ?? true,
    places: placesOf(plan.seats),
    isPlaceOptional: plan.isPlaceOptional,
    hasQuestions: planned.questions.length > 0 || rows.some((row) => row.answers.length > 0),
    seats: plan.seats,
    inclusions: facts.shared.inclusions,
    open: [],
  }
}

type Plan = { planned: SignupShift; facts: PeopleFacts; seats: readonly Seat[]; isPlaceOptional: boolean }

const isStale = ({ submitted, own }: CardDraft): boolean =>
  submitted !== undefined && submitted.before.version !== (own?.version ?? null)

function inputOf({ requiredByType }: SignupShift, drafts: readonly CardDraft[], { shared }: PeopleFacts) {
  const people = drafts
    .filter(({ state }) => isIn(state))
    .map(({ id, state, skills, structureData, lapse }) => ({ participationId: id, state, skills, structureData, lapse }))
  return { people, blocks: shared.blocks, qualifications: shared.inclusions, requiredByType: new Set(requiredByType) }
}

function seatsFor(planned: SignupShift, drafts: readonly CardDraft[], facts: PeopleFacts): readonly Seat[] {
  return getStructure(planned.structureSlug)?.seats(planned.structureConfiguration, inputOf(planned, drafts, facts)) ?? []
}

/** Target of a card without unsaved changes. */
function targetOf({ id, state }: CardDraft, { seats, isPlaceOptional }: Plan): string {
  const hasPlaces = seats.some(({ place }) => place !== null)
  if (state !== STATE.confirmed || !hasPlaces) return writeTarget({ state, place: undefined })
  const place = seats.find(({ position }) => position.designatedFor.has(id))?.place ?? (isPlaceOptional ? '' : undefined)
  return writeTarget({ state, place })
}

function staleOf(own: VersionedRecord | undefined, last: LastChange | undefined, { seats }: Plan): Stale {
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
  const place = keys.map((key) => textIn(normalizeUnitPaths(structureData), key)).find((text) => text !== undefined)
  return placesOf(seats).find((choice) => choice.place === place)?.label
}

/** The board with the requests confirmed that the matcher suggests; nothing is stored. */
export async function loadProposal(
  context: RequestContext,
  shift: BoardShift,
  submitted: readonly SubmittedCard[],
  extent: 'gaps' | 'all',
): Promise<Board> {
  const board = await loadBoard(context, shift, { cards: submitted })
  const { proposals, open } = propose(board.cards, { ...board, extent })
  const moved = new Map(proposals.filter(({ isSeated }) => isSeated).map((proposal) => [proposal.key, proposal]))
  const cards = board.cards.flatMap((card): SubmittedCard[] => {
    const proposal = moved.get(card.key)
    if (!proposal) return card.isChanged ? [toSubmittedCard(card, shift.id)] : []
    const place = proposal.place === null ? undefined : board.isPlaceOptional ? '' : proposal.place
    return [{ ...toSubmittedCard(card, shift.id), to: writeTarget({ state: STATE.confirmed, place }) }]
  })
  const advice = new Map(proposals.map(({ key, advice }) => [key, advice]))
  return { ...(await loadBoard(context, shift, { cards, advice })), open }
}
