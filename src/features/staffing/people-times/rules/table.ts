import { dayOf, isMinorOn } from '#features/accounts/users/rules.ts'
import { type Availability, type DaySpan, findCannotTimes } from '#features/staffing/availability/rules/availability.ts'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import {
  describeWork,
  findBreaches,
  type Limit,
  limitsOf,
  reachOf,
  type StoredLimit,
  type WorkSpan,
} from '#features/staffing/working-time-limits/rules.ts'
import { overlaps, type Span } from '#platform/time-span.ts'

/** A participation of a person, confirmed or requested. */
export type Place = Span & {
  userId: number
  state: typeof STATE.requested | typeof STATE.confirmed
  shiftId: number
  /** The times are not those of the shift. */
  hasOwnTimes: boolean
  /** Null: the reader may not see the event. */
  eventTitle: string | null
  label: string
  /** The partner at which the person is, if not here. */
  host: string | null
  /** The shift that this one follows; the two do not count against each other. */
  leaderShiftId: string | null
  /** An adult is confirmed on the shift. */
  hasAdult: boolean
}

export type ListedPerson = {
  id: number
  name: string
  groupIds: readonly number[]
  availability: Availability | null
  dateOfBirth: string | null
}

/** What is wrong with a confirmed place: another one at the same time, or a limit that the person exceeds with it. The first that holds. */
type PlaceProblem = 'double' | 'over'
type ShownPlace = Place & { problem: PlaceProblem | undefined }

/** What a person does on a day. `cannot`: the parts of the day at which they are not available. */
export type DayCell = { day: DaySpan; state: CellState; places: readonly ShownPlace[]; cannot: readonly Span[] }

/** The first of these that holds. `partly`: not available for a part of the day. */
type CellState = 'confirmed' | 'requested' | 'away' | 'partly' | 'free'

export type PersonRow = { person: ListedPerson; cells: readonly DayCell[]; problem: PlaceProblem | undefined }

type TableInput = {
  people: readonly ListedPerson[]
  /** Also those before and after the days that count for limits. */
  places: readonly Place[]
  days: readonly DaySpan[]
  limits: readonly StoredLimit[]
  timeZone: string
}

export function makeTable({ people, places, days, limits, timeZone }: TableInput): PersonRow[] {
  const byPerson = Map.groupBy(places, ({ userId }) => userId)
  const period = { start: days[0]!.start, end: days.at(-1)!.end }
  const around = { limitsOf: limitsOnce(limits), period, describe: describeOnce(timeZone), timeZone }
  return people.map((person) => {
    const own = byPerson.get(person.id) ?? []
    const over = own.length > 0 ? findOverLimit(person, own, around) : NONE
    const doubles = own.length > 1 ? findDoubles(own) : NONE
    const problemOf = (place: Place): PlaceProblem | undefined => {
      if (doubles.has(place)) return 'double'
      return over.has(place) ? 'over' : undefined
    }
    const shown: ShownPlace[] = own
      .filter((place) => overlaps(place, period))
      .map((place) => ({ ...place, problem: problemOf(place) }))
    const byDay = spreadOverDays(shown, days)
    const cells = days.map((day, index) => makeCell(day, person.availability, byDay.get(index) ?? NO_PLACES, timeZone))
    return { person, cells, problem: worstOf(shown) }
  })
}

const NONE: ReadonlySet<Place> = new Set()

/** The one that is named for several places. */
export const worstOf = (places: readonly ShownPlace[]): PlaceProblem | undefined =>
  (['double', 'over'] as const).find((each) => places.some(({ problem }) => problem === each))

/** Confirmed places at the same time as another one, as boards warn about them. */
function findDoubles(own: readonly Place[]): ReadonlySet<Place> {
  const confirmed = own.filter(({ state }) => state === STATE.confirmed)
  const follows = (a: Place, b: Place) => a.leaderShiftId !== null && a.leaderShiftId === String(b.shiftId)
  const isDouble = (a: Place, b: Place) => a !== b && overlaps(a, b) && !follows(a, b) && !follows(b, a)
  return new Set(confirmed.filter((place) => confirmed.some((other) => isDouble(place, other))))
}

const NO_PLACES: readonly ShownPlace[] = []
const NO_SPANS: readonly Span[] = []

/** By the position of the day. Most days of most people are free, so the days of each place are looked for, not the other way round. */
function spreadOverDays(places: readonly ShownPlace[], days: readonly DaySpan[]): Map<number, ShownPlace[]> {
  const byDay = new Map<number, ShownPlace[]>()
  for (const place of places) {
    const start = place.start.getTime()
    let index = 0
    while (days[index]!.end.getTime() <= start) index++
    for (; index < days.length && overlaps(place, days[index]!); index++) {
      const here = byDay.get(index)
      if (here) here.push(place)
      else byDay.set(index, [place])
    }
  }
  return byDay
}

function makeCell(day: DaySpan, availability: Availability | null, places: readonly ShownPlace[], timeZone: string): DayCell {
  const cannot = availability === null ? NO_SPANS : findCannotTimes(availability, day, timeZone)
  return { day, places, cannot, state: stateOf(day, places, cannot) }
}

function stateOf(day: Span, places: readonly { state: State }[], cannot: readonly Span[]): CellState {
  if (places.some(({ state }) => state === STATE.confirmed)) return 'confirmed'
  if (places.length > 0) return 'requested'
  if (cannot.length === 0) return 'free'
  return cannot.some(({ start, end }) => start <= day.start && end >= day.end) ? 'away' : 'partly'
}

type Describe = (place: Place) => WorkSpan

/** Many people take part in the same shift. */
function describeOnce(timeZone: string): Describe {
  const known = new Map<number, WorkSpan>()
  return (place) => {
    if (place.hasOwnTimes) return describeWork(place, timeZone)
    let work = known.get(place.shiftId)
    if (!work) {
      work = describeWork(place, timeZone)
      known.set(place.shiftId, work)
    }
    return work
  }
}

type Around = { limitsOf: (groupIds: readonly number[]) => readonly Limit[]; period: Span; describe: Describe; timeZone: string }

/** Confirmed places with which the person exceeds a limit, as boards warn about them. */
function findOverLimit({ groupIds, dateOfBirth }: ListedPerson, own: readonly Place[], around: Around): ReadonlySet<Place> {
  const limits = around.limitsOf(groupIds)
  if (limits.length === 0) return NONE
  const { timeZone, period, describe } = around
  const reachMs = DAY_MS + reachOf(limits)
  const confirmed = own
    .filter(({ state }) => state === STATE.confirmed)
    .map((place) => ({ place, work: describe(place), start: place.start.getTime(), end: place.end.getTime() }))
  const isOver = ({ place, work, start, end }: (typeof confirmed)[number]): boolean => {
    const others = confirmed.filter(
      (other) =>
        other.place !== place &&
        other.start - end < reachMs &&
        start - other.end < reachMs &&
        (other.place.leaderShiftId === null || other.place.leaderShiftId !== String(place.shiftId)),
    )
    const isMinor = dateOfBirth !== null && isMinorOn(dateOfBirth, dayOf(place.start, timeZone))
    const situation = { work, others: others.map((other) => other.work), isMinor, hasAdult: place.hasAdult, timeZone }
    return findBreaches(limits, situation).length > 0
  }
  return new Set(confirmed.filter((one) => overlaps(one.place, period) && isOver(one)).map(({ place }) => place))
}

/** Most people are in the same groups. */
function limitsOnce(stored: readonly StoredLimit[]): Around['limitsOf'] {
  const known = new Map<string, readonly Limit[]>()
  return (groupIds) => {
    const key = groupIds.join()
    let limits = known.get(key)
    if (!limits) {
      limits = limitsOf(stored, groupIds)
      known.set(key, limits)
    }
    return limits
  }
}

/** A part of a day in whole hours, for the view by hours. */
type HourPart = { from: number; until: number; places: readonly ShownPlace[]; isAway: boolean }

/**
 * Splits a day into parts at whole hours: what begins within an hour takes all of it. On days of clock changes there are 23 or 25 hours.
 */
export function splitIntoHours({ day, places, cannot }: DayCell): HourPart[] {
  const hours = countHours(day)
  const at = (index: number): Span => ({
    start: new Date(day.start.getTime() + index * HOUR_MS),
    end: new Date(day.start.getTime() + (index + 1) * HOUR_MS),
  })
  const parts: HourPart[] = []
  for (let index = 0; index < hours; index++) {
    const hour = at(index)
    const here = places.filter((place) => overlaps(place, hour))
    const isAway = here.length === 0 && cannot.some((span) => overlaps(span, hour))
    const last = parts.at(-1)
    const isSame =
      last && last.isAway === isAway && last.places.length === here.length && here.every((one) => last.places.includes(one))
    if (isSame) last.until = index + 1
    else parts.push({ from: index, until: index + 1, places: here, isAway })
  }
  return parts
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const countHours = ({ start, end }: Span): number => Math.round((end.getTime() - start.getTime()) / HOUR_MS)
