import { defineSelfServiceFlow } from './flow.ts'

/** Eligible people are confirmed at once while there are free places. */
export const instantConfirmation = defineSelfServiceFlow('instant_confirmation', { hasRequestStage: false })
