import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { UserRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { getShiftOfLine, type ShiftOfLine } from '../queries/shift.ts'

export type ShiftRequest = UserRequest<{ shift: number }>

export async function requireShift({ context, path }: ShiftRequest): Promise<ShiftOfLine> {
  const shift = await getShiftOfLine(context, path.shift)
  if (!shift) throw new Problem('not_found')
  return shift
}

/** 404 for shifts that the reader does not see, 403 for those that they do not plan. */
export async function requirePlanned(request: ShiftRequest): Promise<ShiftOfLine> {
  const shift = await requireShift(request)
  if (!shift.mayChange) throw new Problem('permission_denied')
  return shift
}

/** A sentence, followed by the reasons. */
export async function withReasons(context: RequestContext, text: string, reasons: readonly Reason[]): Promise<string> {
  const reasonContext = await loadReasonContext(context)
  return [text, ...reasons.map((reason) => reasonText(reasonContext, reason))].join(' ')
}
