import { presentReason } from '#features/staffing/eligibility/views/reasons.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { ErrorCode } from '#platform/http/error-codes.ts'
import { type InputError, Problem } from '#platform/http/problem.ts'

/** Reasons against a move of a participant as the `errors` of a refusal. */
export async function presentReasons(context: RequestContext, reasons: readonly Reason[]): Promise<InputError[]> {
  const reasonContext = await loadReasonContext(context)
  return reasons.map((reason) => presentReason(reasonContext, reason))
}

export const refusal = (code: ErrorCode, detail: string): Problem => new Problem('refused', { errors: [{ code, detail }] })

export const refusalFor = async (context: RequestContext, reasons: readonly Reason[]): Promise<Problem> =>
  new Problem('refused', { errors: await presentReasons(context, reasons) })
