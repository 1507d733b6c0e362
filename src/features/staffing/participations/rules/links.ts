import { eventPath } from '#features/events/events/rules/slug.ts'

/** Paths of the event and sign-up pages. Visitors of partner instances have other paths than members. */
export type Links = {
  event: (id: number, title: string) => string
  signup: (shiftId: number) => string
  decline: (shiftId: number) => string
  undo: (shiftId: number) => string
  /** Only members bring others. */
  companions?: (shiftId: number) => string
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
export const ORIGINS = ['home', 'event', 'event-fits', 'event-free', 'event-needs', 'my-shifts'] as const
export type Origin = (typeof ORIGINS)[number]

export const readOrigin = (value: unknown): Origin => ORIGINS.find((origin) => origin === value) ?? 'event'

export const filteredPath = (event: string, filter: ShiftFilter | undefined): string =>
  filter === undefined ? event : `${event}?show=${filter}`

export function originPath(origin: Origin, event: string): string {
  if (origin === 'home') return '/'
  if (origin === 'my-shifts') return '/my-shifts/'
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
