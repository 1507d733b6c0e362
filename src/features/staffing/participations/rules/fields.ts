import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import type { Span } from '#platform/time-span.ts'

type SignupField = 'start' | 'end' | 'wish'

/** The field of the form that has to change; undefined if none can help. */
export function fieldOf(reason: Reason, times: Span): SignupField | undefined {
  switch (reason.code) {
    case 'times_outside':
      return times.start < reason.earliest || times.start > reason.latest ? 'start' : 'end'
    case 'conflict':
    case 'partial_conflict':
      // Who is busy at the beginning comes later; who is not leaves earlier.
      return reason.with.start <= times.start ? 'start' : 'end'
    case 'limit_rest':
      return reason.with.end <= times.start ? 'start' : 'end'
    case 'times_fixed':
      return 'start'
    case 'times_in_wrong_order':
    case 'qualified_until':
    case 'limit_minor_day':
    case 'limit_minor_hour':
    case 'limit_week':
      return 'end'
    case 'wish_needed':
    case 'wish_not_offered':
      return 'wish'
    default:
      return undefined
  }
}
