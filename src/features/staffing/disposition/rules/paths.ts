export const answersPath = (shiftId: number): string => `/shifts/${shiftId}/answers/`
export const boardPath = (shiftId: number): string => `/shifts/${shiftId}/disposition/`
export const eventBoardPath = (eventId: number): string => `/events/${eventId}/board/`
/** The shifts of an event by hours. */
export const timelinePath = (eventId: number): string => `/events/${eventId}/grid/`
export const rosterPath = (eventId: number): string => `/events/${eventId}/roster/`
/** Proposals for the open places of a shift or an event. */
export const fillPath = (scope: { shift: number } | { event: number }): string =>
  `/planning/fill/?${'shift' in scope ? `shift=${scope.shift}` : `event=${scope.event}`}`
export const askPath = (shiftId: number): string => `/shifts/${shiftId}/ask/`
/** The roster on the day, and the pages below it. */
export const checkInPath = (eventId: number, what = ''): string => `/events/${eventId}/check-in/${what && `${what}/`}`
/** People by days, across events. `query`: what it shows. */
export const peoplePath = (query: { view?: string; day?: string } = {}): string => {
  const text = new URLSearchParams(query).toString()
  return `/planning/people/${text && `?${text}`}`
}
