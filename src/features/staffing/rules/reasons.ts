import type { Reason, ReasonCode } from './model.ts'

/** Reasons about the person; all others are about the current state of the shift. */
const UNFIT: ReadonlySet<ReasonCode> = new Set(['type_not_qualified', 'not_qualified', 'too_young', 'age_unknown'])

export const isUnfit = ({ code }: Reason): boolean => UNFIT.has(code)

/** What the person can do about a reason. */
type Help =
  | 'other_ways'
  | 'wait'
  | 'ask_responsible'
  | 'choose_times'
  | 'see_other_shift'
  | 'choose_wish'
  | 'answer'
  | 'see_leader'
  | 'none'

const HELP: Record<ReasonCode, Help> = {
  event_not_active: 'none',
  event_cancelled: 'none',
  configuration_broken: 'ask_responsible',
  already_in: 'none',
  already_declined: 'none',
  rejected: 'ask_responsible',
  may_not_leave: 'ask_responsible',
  not_in: 'none',
  no_self_service: 'ask_responsible',
  follows_other_shift: 'see_leader',
  leader_missing: 'ask_responsible',
  not_open_yet: 'wait',
  closed: 'ask_responsible',
  type_not_qualified: 'ask_responsible',
  not_qualified: 'ask_responsible',
  too_young: 'other_ways',
  qualified_until: 'choose_times',
  age_unknown: 'ask_responsible',
  conflict: 'see_other_shift',
  partial_conflict: 'choose_times',
  limit_rest: 'see_other_shift',
  limit_week: 'ask_responsible',
  limit_nights: 'ask_responsible',
  limit_minor_day: 'ask_responsible',
  limit_minor_hour: 'ask_responsible',
  limit_minor_alone: 'ask_responsible',
  full: 'other_ways',
  wish_needed: 'choose_wish',
  wish_not_offered: 'choose_wish',
  answers_needed: 'answer',
  answer_missing: 'answer',
  answer_too_long: 'answer',
  answer_not_offered: 'answer',
  times_fixed: 'ask_responsible',
  times_in_wrong_order: 'choose_times',
  times_outside: 'choose_times',
}

export const helpFor = ({ code }: Reason): Help => HELP[code]
