import { peoplePath } from '#features/staffing/disposition/rules/paths.ts'
import { addDays, type Day, mondayOf, monthFrom, readDay } from '#platform/i18n/days.ts'
import { readId } from '#platform/ids.ts'

export const PEOPLE = peoplePath()
export const ASSIGN = `${PEOPLE}assign/`
export const UNDO_ASSIGNMENT = `${PEOPLE}undo/`

/** `day`: by hours. */
export const VIEWS = ['day', 'week', 'month'] as const
export type View = (typeof VIEWS)[number]

/** What the page shows; all of it is in its address. */
export type PeopleChoice = {
  view: View
  /** The day that phones show, and that the period contains. */
  day: Day
  group: number | undefined
  skill: number | undefined
  search: string
  page: number
}

const USUAL_VIEW: View = 'week'
const MAX_SEARCH_LENGTH = 100
const MAX_PAGE = 1000

/** Ignores values it cannot parse: people edit addresses by hand. */
export function readPeopleChoice(query: URLSearchParams, today: Day): PeopleChoice {
  const page = readId(query.get('page'))
  return {
    view: VIEWS.find((known) => known === query.get('view')) ?? USUAL_VIEW,
    day: readDay(query.get('day')) ?? today,
    group: readId(query.get('group')),
    skill: readId(query.get('skill')),
    // PostgreSQL rejects the null character in text.
    search: (query.get('q') ?? '').replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH),
    page: page !== undefined && page <= MAX_PAGE ? page : 1,
  }
}

/** Without what the page assumes anyway. */
export function writePeopleChoice({ view, day, group, skill, search, page }: PeopleChoice, today: Day): string {
  const query = new URLSearchParams()
  if (view !== USUAL_VIEW) query.set('view', view)
  if (day !== today) query.set('day', day)
  if (group !== undefined) query.set('group', String(group))
  if (skill !== undefined) query.set('skill', String(skill))
  if (search) query.set('q', search)
  if (page > 1) query.set('page', String(page))
  return query.toString()
}

export function peopleUrl(choice: PeopleChoice, today: Day): string {
  const query = writePeopleChoice(choice, today)
  return query ? `${PEOPLE}?${query}` : PEOPLE
}

/** The days of the period, and a day of the one before and of the one after it. */
export function periodOf({ view, day }: Pick<PeopleChoice, 'view' | 'day'>): { days: Day[]; previous: Day; next: Day } {
  if (view === 'day') return { days: [day], previous: addDays(day, -1), next: addDays(day, 1) }
  if (view === 'month') {
    const { days, previous, next } = monthFrom(day, 'en')
    return { days, previous: `${previous}-01`, next: `${next}-01` }
  }
  const first = mondayOf(day)
  const days = Array.from({ length: 7 }, (_, index) => addDays(first, index))
  return { days, previous: addDays(first, -7), next: addDays(first, 7) }
}
