import { defineSelfServiceFlow } from './flow.ts'

/** People ask, and somebody decides. */
export const requestConfirm = defineSelfServiceFlow('request_confirm', { hasRequestStage: true })
