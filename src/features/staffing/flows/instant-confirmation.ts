import { defineSelfServiceFlow } from './flow.ts'

/** Whoever fits and finds a place is confirmed at once. */
export const instantConfirmation = defineSelfServiceFlow('instant_confirmation', { hasRequestStage: false })
