import { addDays, type Day } from '#platform/i18n/days.ts'
import { type DayFaults, readFilterDays } from '#platform/i18n/filter-days.ts'
import { readId } from '#platform/ids.ts'
import { SORTS, type Sort } from './urgency.ts'

export const PLANNING = '/planning/'
/** The period without a choice. */
export const USUAL_DAYS = 14

/** The filters of the page; all of them are query parameters of its URL. */
export type ShortageChoice = {
  from: Day
  /** Included. */
  until: Day
  type: number | undefined
  group: number | undefined
  place: string | undefined
  sort: Sort
  page: number
  /** Days that were typed and left out. */
  faults: DayFaults
}

const MAX_PLACE_LENGTH = 254
const MAX_PAGE = 1000

/** Ignores choices it does not know: people edit URLs by hand. The page names days that cannot be read. A past day means today. */
export function readShortageChoice(raw: URLSearchParams, today: Day): ShortageChoice {
  const { first, last: until, faults } = readFilterDays(raw, { first: 'from', last: 'until' }, { from: today })
  const from = first !== undefined && first > today ? first : today
  const page = readId(raw.get('page'))
  // PostgreSQL rejects the null character in text.
  const place = (raw.get('place') ?? '').replaceAll('\0', '').slice(0, MAX_PLACE_LENGTH)
  return {
    from,
    until: until !== undefined && until >= from ? until : addDays(from, USUAL_DAYS - 1),
    type: readId(raw.get('type')),
    group: readId(raw.get('group')),
    place: place || undefined,
    sort: SORTS.find((known) => known === raw.get('sort')) ?? 'urgency',
    page: page !== undefined && page <= MAX_PAGE ? page : 1,
    faults,
  }
}

/** Without what the page assumes anyway. */
export function shortagePath(
  { from, until, type, group, place, sort, page }: Omit<ShortageChoice, 'faults'>,
  today: Day,
): string {
  const query = new URLSearchParams()
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined) query.set(name, String(value))
  }
  if (from !== today) set('from', from)
  if (until !== addDays(from, USUAL_DAYS - 1)) set('until', until)
  set('type', type)
  set('group', group)
  set('place', place)
  if (sort !== 'urgency') set('sort', sort)
  if (page > 1) set('page', page)
  return query.size ? `${PLANNING}?${query}` : PLANNING
}
