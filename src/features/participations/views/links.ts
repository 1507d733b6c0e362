import { eventPath } from '#features/events/rules/slug.ts'

/** Where the pages are by which somebody takes part; people from elsewhere have theirs at other addresses. */
export type Links = {
  event: (id: number, title: string) => string
  signup: (shiftId: number) => string
  decline: (shiftId: number) => string
}

export const OWN_LINKS: Links = {
  event: eventPath,
  signup: (shiftId) => `/shifts/${shiftId}/signup/`,
  decline: (shiftId) => `/shifts/${shiftId}/decline/`,
}
