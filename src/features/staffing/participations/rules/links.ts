import { eventPath } from '#features/events/events/rules/slug.ts'

/** Paths of the event and sign-up pages. Visitors of partner instances have other paths than members. */
export type Links = {
  event: (id: number, title: string) => string
  signup: (shiftId: number) => string
  decline: (shiftId: number) => string
  undo: (shiftId: number) => string
  /** Only members bring others. */
  companions?: ((shiftId: number) => string) | undefined
}

export const MEMBER_LINKS: Links = {
  event: eventPath,
  signup: (shiftId) => `/shifts/${shiftId}/signup/`,
  decline: (shiftId) => `/shifts/${shiftId}/decline/`,
  undo: (shiftId) => `/shifts/${shiftId}/undo/`,
  companions: (shiftId) => `/shifts/${shiftId}/companions/`,
}

/** What the list of a long event shows. */
export const SHIFT_FILTERS = ['fits', 'free', 'needs'] as const
export type ShiftFilter = (typeof SHIFT_FILTERS)[number]

/** Pages with buttons to sign up and decline, to which people return. */
const ORIGINS = ['home', 'event', 'event-fits', 'event-free', 'event-needs', 'my-shifts'] as const
/** The list of shifts, with its filters. */
const FIND = '/shifts/'
type FindOrigin = `find?${string}`
const MAX_FIND_LENGTH = 1000
export type Origin = (typeof ORIGINS)[number] | FindOrigin

const isFind = (origin: unknown): origin is FindOrigin =>
  typeof origin === 'string' && origin.startsWith('find?') && origin.length <= MAX_FIND_LENGTH

/** The filters of the list of shifts: what follows the path. */
export const findOrigin = (path: string): Origin => `find?${path.split('?')[1] ?? ''}`

export const readOrigin = (value: unknown): Origin =>
  isFind(value)
    ? findOrigin(`?${new URLSearchParams(value.slice('find?'.length))}`)
    : (ORIGINS.find((origin) => origin === value) ?? 'event')

export const filteredPath = (event: string, filter: ShiftFilter | undefined): string =>
  filter === undefined ? event : `${event}?show=${filter}`

export function originPath(origin: Origin, event: string): string {
  if (origin === 'home') return '/'
  if (origin === 'my-shifts') return '/my-shifts/'
  if (isFind(origin)) return origin === 'find?' ? FIND : FIND + origin.slice('find'.length)
  return filteredPath(
    event,
    SHIFT_FILTERS.find((filter) => origin === `event-${filter}`),
  )
}

/** The paths of the pages on which a guardian acts for a child. */
export const familyPath = (childId: number): string => `/family/${childId}/`

export const familyLinks = (childId: number): Links => ({
  event: (id) => `${familyPath(childId)}events/${id}/`,
  signup: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/signup/`,
  decline: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/decline/`,
  undo: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/undo/`,
})
