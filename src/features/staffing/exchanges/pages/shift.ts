import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import type { RequestContext } from '#platform/auth/context.ts'

/** A sentence, followed by the reasons. */
export async function withReasons(context: RequestContext, text: string, reasons: readonly Reason[]): Promise<string> {
  const reasonContext = await loadReasonContext(context)
  return [text, ...reasons.map((reason) => reasonText(reasonContext, reason))].join(' ')
}
