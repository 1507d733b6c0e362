export { checkInPath } from '#features/staffing/disposition/rules/paths.ts'

/** For people who check in on their home page, without the code. */
export const ownMarkPath = (eventId: number, participationId: number): string =>
  `/events/${eventId}/check-in/own/${participationId}/`

export const selfPath = (token: string, code?: string): string => `/check-in/${token}/${code ? `?code=${code}` : ''}`
