import type { Reason, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import type { InputError } from '#platform/http/problem.ts'

/** The key of the body that can resolve a reason. */
const POINTERS: Partial<Record<Reason['code'], string>> = {
  times_in_wrong_order: '/end_time',
  times_outside: '/start_time',
  times_fixed: '/start_time',
  partial_conflict: '/start_time',
  qualified_until: '/end_time',
  wish_needed: '/wish',
  answers_needed: '/answers',
  wish_not_offered: '/wish',
}

export function presentReason(reasonContext: ReasonContext, reason: Reason): InputError {
  const pointer = 'questionId' in reason ? `/answers/${reason.questionId}` : POINTERS[reason.code]
  return { ...(pointer ? { pointer } : {}), code: reason.code, detail: reasonText(reasonContext, reason) }
}
