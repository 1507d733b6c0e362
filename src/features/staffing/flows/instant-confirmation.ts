import { defineSelfService } from './flow.ts'

/** Whoever fits and finds a place is confirmed at once. */
export const instantConfirmation = defineSelfService('instant_confirmation', { hasRequestStage: false })
