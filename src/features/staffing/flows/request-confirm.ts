import { defineSelfService } from './flow.ts'

/** People ask, and somebody decides. */
export const requestConfirm = defineSelfService('request_confirm', { hasRequestStage: true })
