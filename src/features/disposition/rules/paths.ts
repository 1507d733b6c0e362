export const answersPath = (shiftId: number): string => `/shifts/${shiftId}/answers/`
export const boardPath = (shiftId: number): string => `/shifts/${shiftId}/disposition/`
export const eventBoardPath = (eventId: number): string => `/events/${eventId}/board/`
export const rosterPath = (eventId: number): string => `/events/${eventId}/roster/`
