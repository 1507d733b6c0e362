import { defineSelfServiceFlow } from './flow.ts'

/** People request a place, and a responsible decides. */
export const requestConfirm = defineSelfServiceFlow('request_confirm', { hasRequestStage: true })
