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

/** The paths of the pages on which a guardian acts for a child. */
export const familyPath = (childId: number): string => `/family/${childId}/`

export const familyLinks = (childId: number): Links => ({
  event: (id) => `${familyPath(childId)}events/${id}/`,
  signup: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/signup/`,
  decline: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/decline/`,
  undo: (shiftId) => `${familyPath(childId)}shifts/${shiftId}/undo/`,
})
