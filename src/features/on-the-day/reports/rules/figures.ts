/** Figures of shifts by month and event type; without a month or type, of all. */
export type ShiftFigures = {
  /** Counted from 1. */
  month: number | null
  typeId: number | null
  events: number
  shifts: number
  needed: number
  /** Needed places that nobody filled. */
  missing: number
  short: number
}

export type WorkFigures = { month: number | null; typeId: number | null; hours: number; places: number; people: number }

export type ReliabilityFigures = { month: number | null; kept: number; declined: number; late: number; absent: number }

export type MemberFigures = {
  id: number
  name: string
  shifts: number
  hours: number
  declined: number
  late: number
  absent: number
}

/** What people did at partners, apart from what they did here. */
export type PartnerFigures = { name: string; host: string; shifts: number; hours: number }

export type Report = {
  /** First days of the months. */
  months: readonly string[]
  /** In the order of their titles. */
  types: readonly { id: number; title: string }[]
  shifts: readonly ShiftFigures[]
  work: readonly WorkFigures[]
  reliability: readonly ReliabilityFigures[]
  members: readonly MemberFigures[]
  /** There are more people than `members`. */
  hasMoreMembers: boolean
  atPartners: readonly PartnerFigures[]
}

const NO_SHIFTS = { events: 0, shifts: 0, needed: 0, missing: 0, short: 0 }
const NO_WORK = { hours: 0, places: 0, people: 0 }
const NO_RELIABILITY = { kept: 0, declined: 0, late: 0, absent: 0 }

type Key = { month?: number; typeId?: number }
const isAt = (key: Key) => (row: { month: number | null; typeId?: number | null }) =>
  row.month === (key.month ?? null) && (row.typeId ?? null) === (key.typeId ?? null)

export const shiftsAt = ({ shifts }: Report, key: Key): Omit<ShiftFigures, 'month' | 'typeId'> =>
  shifts.find(isAt(key)) ?? NO_SHIFTS
export const workAt = ({ work }: Report, key: Key): Omit<WorkFigures, 'month' | 'typeId'> => {
  const found = work.find(isAt(key)) ?? NO_WORK
  return { ...found, hours: roundHours(found.hours) }
}
export const reliabilityAt = ({ reliability }: Report, key: Pick<Key, 'month'>): Omit<ReliabilityFigures, 'month'> =>
  reliability.find(isAt(key)) ?? NO_RELIABILITY

/** One decimal is enough for sums. */
export const roundHours = (hours: number): number => Math.round(hours * 10) / 10

/** Rounded down, so that 100 means all. Undefined if there is nothing to compare with. */
export const percent = (part: number, whole: number): number | undefined =>
  whole > 0 ? Math.floor((100 * part) / whole) : undefined

const MAX_SERIES = 5

/** Event types with hours, those with the most first. The rest is one series without an id. */
export function seriesOf(report: Report): { id: number | undefined; title: string; hoursAt: (month: number) => number }[] {
  const ranked = report.types
    .map((type) => ({ ...type, hours: workAt(report, { typeId: type.id }).hours }))
    .filter(({ hours }) => hours > 0)
    .sort((a, b) => b.hours - a.hours || a.title.localeCompare(b.title))
  const own = ranked.slice(0, ranked.length > MAX_SERIES ? MAX_SERIES - 1 : MAX_SERIES)
  const rest = ranked.slice(own.length)
  const hoursOf = (types: readonly { id: number }[]) => (month: number) =>
    roundHours(types.reduce((sum, { id }) => sum + workAt(report, { month, typeId: id }).hours, 0))
  return [
    ...own.map((type) => ({ id: type.id, title: type.title, hoursAt: hoursOf([type]) })),
    ...(rest.length ? [{ id: undefined, title: '', hoursAt: hoursOf(rest) }] : []),
  ]
}
