import { sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import type { SharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import type { Lapse } from '#features/staffing/staffing/rules/lapses.ts'
import { type Reason, type Skills, STATE, type State, type Warning } from '#features/staffing/staffing/rules/model.ts'
import { normalizeUnitPaths } from '#features/staffing/staffing/rules/units.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type PlaceChoice, placesOf } from '../rules/board.ts'
import { type CardPerson, type CardReason, cardKey, isChanged, type SubmittedCard, writeTarget } from '../rules/cards.ts'
import { ALL_DAYS, type BoardDay, chooseDay } from '../rules/days.ts'
import { draftCard, findBoardParticipants, isPlaceOptional } from './card-drafts.ts'
import { findAddablePeople, loadPeopleFacts } from './people.ts'
import { type BoardState, getBoardState } from './shift-board.ts'

export type BoardEvent = { id: number; title: string }

export async function getBoardEvent(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ event: BoardEvent; mayChange: boolean } | undefined> {
  const row = await rowsOf(db).first(sql<BoardEvent & { mayChange: boolean }>`
    select e.id, e.title, ${changeableBy(actor)} as "mayChange"
    from event e where e.id = ${id} and e.deleted_at is null and (${changeableBy(actor)} or ${shownTo(actor)})`)
  if (!row) return undefined
  const { mayChange, ...event } = row
  return { event, mayChange }
}

export async function findBoardShifts({ db }: RequestContext, eventId: number): Promise<Shift[]> {
  return rowsOf(db).all(sql<Shift>`
    select ${shiftColumns()} from shift s where s.event_id = ${eventId} order by s.start_time, s.end_time, s.id`)
}

/** One person in one shift; `state` undefined: no participation. */
export type Cell = {
  shiftId: number
  key: string
  before: string
  version: number | null
  to: string
  state: State | undefined
  places: readonly PlaceChoice[]
  isPlaceOptional: boolean
  skills: Skills
  hints: readonly Reason[]
  warnings: readonly Warning[]
  lapse: Lapse | undefined
  isChanged: boolean
  /** State that somebody else has saved; null: the record was deleted. */
  staleNow: State | null | undefined
  reasons: readonly CardReason[]
}
/** `isAdded`: has no participation in the event yet. */
type BoardPerson = { key: string; who: CardPerson; name: string; phone: string | null; isAdded: boolean; cells: Cell[] }

/** `day`: a local date, or `all`; undefined: the next day, if the event has many shifts. */
export type EventBoardFilter = { terms: readonly string[]; state: State | undefined; day?: string | undefined }
export type EventBoard = BoardState & {
  event: BoardEvent
  /** Of the chosen day, and those with unsaved changes. */
  shifts: Shift[]
  shiftCount: number
  /** Of an event with many shifts, by days; `all` if all are shown. */
  days: readonly BoardDay[]
  day: string
  people: BoardPerson[]
  count: number
  /** Keys of all people on the board, also of those that the filter hides. */
  keys: ReadonlySet<string>
}
/** `added`: people who were added to the board and may have no changed card yet. */
type UnsavedChanges = {
  cards: readonly SubmittedCard[]
  added?: readonly CardPerson[] | undefined
  reasons?: ReadonlyMap<string, readonly CardReason[]> | undefined
}

/** Larger tables are hard to use; the page asks to filter by name. */
const MAX_PEOPLE = 150
/** People and shifts of an event, stored records overlaid with unsaved changes. */
export async function loadEventBoard(
  context: RequestContext,
  event: BoardEvent,
  filter: EventBoardFilter,
  unsaved: UnsavedChanges = { cards: [] },
): Promise<EventBoard> {
  const all = await findBoardShifts(context, event.id)
  const allIds = all.map(({ id }) => id)
  const state = await getBoardState(context, allIds)
  const { days, day } = chooseDay(context, all, filter.day)
  const withChanges = new Set(unsaved.cards.filter(isChanged).map(({ shiftId }) => shiftId))
  const isOfDay = ({ id, start }: Shift) => day === ALL_DAYS || withChanges.has(id) || context.words.inputDate(start) === day
  const shifts = all.filter(isOfDay)
  const shiftIds = shifts.map(({ id }) => id)
  const rows = await findBoardParticipants(context, shiftIds)
  const submitted = new Map(unsaved.cards.filter(isChanged).map((card) => [`${card.shiftId} ${card.key}`, card]))
  const added = unsaved.added ?? []
  const typedKeys = new Set([...[...submitted.values()].map(({ key }) => key), ...added.map(cardKey)])
  const named = new Map(rows.map(({ who, name }) => [cardKey(who), { who, name }]))
  const typed = new Map([...added, ...[...submitted.values()].map(({ who }) => who)].map((who) => [cardKey(who), who]))
  const newPeople = [...typed].filter(([key]) => !named.has(key)).map(([, who]) => who)
  const newKeys = new Set(newPeople.map(cardKey))
  const addable = await findAddablePeople(context.db, event.id, newPeople)
  const facts = await loadPeopleFacts(context, [...[...named.values()].map(({ who }) => who), ...newPeople], shiftIds)
  for (const who of newPeople) {
    const name = 'placeholder' in who ? who.placeholder : addable.has(cardKey(who)) && facts.person(who)?.name
    if (name) named.set(cardKey(who), { who, name })
  }
  const statesOf = Map.groupBy(rows, ({ who }) => cardKey(who))
  const isShown = ([key, { name }]: [string, { name: string }]) =>
    typedKeys.has(key) ||
    (filter.terms.every((term) => name.toLocaleLowerCase().includes(term.toLocaleLowerCase())) &&
      (filter.state === undefined || statesOf.get(key)?.some(({ state }) => state === filter.state)))
  // New people first, where the planner looks for them.
  const shown = [...named].filter(isShown).sort(([a], [b]) => Number(newKeys.has(b)) - Number(newKeys.has(a)))
  const plans = findPlacesOf(facts.shared)
  const people = shown.slice(0, MAX_PEOPLE).map(([key, { who, name }]): BoardPerson => {
    const cells = shifts.map(({ id: shiftId }): Cell => {
      const plan = plans.get(shiftId)!
      const own = facts.own(who, shiftId)
      const one = submitted.get(`${shiftId} ${key}`)
      const draft = draftCard(context, { id: own?.id ?? -1, who, name }, { shiftId, submitted: one, facts })
      const stored = own ? storedTarget(own.state, own.structureData, plan) : ''
      return {
        shiftId,
        key,
        ...plan,
        version: one ? one.before.version : (own?.version ?? null),
        before: one ? one.before.to : stored,
        to: one?.to ?? stored,
        state: one || own ? draft.state : undefined,
        skills: draft.skills,
        hints: draft.hints,
        warnings: draft.warnings,
        lapse: draft.lapse,
        isChanged: one !== undefined,
        staleNow: one && one.before.version !== (own?.version ?? null) ? (own?.state ?? null) : undefined,
        reasons: unsaved.reasons?.get(`${shiftId} ${key}`) ?? [],
      }
    })
    const seesPhone = statesOf.has(key) || hasPermission(context.actor, 'view_user')
    const phone = (seesPhone && facts.person(who)?.phone) || null
    return { key, who, name, phone, isAdded: newKeys.has(key), cells }
  })
  return { ...state, event, shifts, shiftCount: all.length, days, day, people, count: shown.length, keys: new Set(named.keys()) }
}

type Plan = Pick<Cell, 'places' | 'isPlaceOptional'>

/** The places of each shift that planners choose from. */
export const findPlacesOf = ({ shifts, blocks, inclusions }: SharedFacts): Map<number, Plan> =>
  new Map(
    [...shifts].map(([id, shift]) => {
      const input = { people: [], blocks, qualifications: inclusions }
      const seats = getStructure(shift.structureSlug)?.seats(shift.structureConfiguration, input) ?? []
      return [id, { places: placesOf(seats), isPlaceOptional: isPlaceOptional(shift) }]
    }),
  )

function storedTarget(state: State, structureData: unknown, { places, isPlaceOptional }: Plan): string {
  if (state !== STATE.confirmed || !places.length) return writeTarget({ state, place: undefined })
  const values = Object.entries(normalizeUnitPaths(structureData))
    .sort(([a], [b]) => Number(b.startsWith('dispatched')) - Number(a.startsWith('dispatched')))
    .filter(([key]) => key.startsWith('dispatched') || !isPlaceOptional)
  const place = values.map(([, value]) => value).find((value) => places.some((choice) => choice.place === value))
  return writeTarget({ state, place: (place as string | undefined) ?? (isPlaceOptional ? '' : undefined) })
}
