import type { Reason, ReasonCode } from './model.ts'

/** Reasons about the person; all others are about the current state of the shift. */
const UNFIT: ReadonlySet<ReasonCode> = new Set(['type_not_qualified', 'not_qualified', 'too_young', 'age_unknown', 'added_rule'])

export const isUnfit = ({ code }: Reason): boolean => UNFIT.has(code)

/** What the page offers besides the reason: other shifts and the responsible people, only these people, or the shift in conflict. */
type Help = 'other_ways' | 'ask_responsible' | 'see_other_shift'

const HELP: Record<ReasonCode, Help | undefined> = {
  event_not_active: undefined,
  event_cancelled: undefined,
  configuration_broken: 'ask_responsible',
  already_in: undefined,
  already_declined: undefined,
  rejected: 'ask_responsible',
  may_not_leave: 'ask_responsible',
  not_in: undefined,
  no_self_service: 'ask_responsible',
  follows_other_shift: undefined,
  leader_missing: 'ask_responsible',
  not_open_yet: undefined,
  closed: 'ask_responsible',
  type_not_qualified: 'ask_responsible',
  not_qualified: 'ask_responsible',
  too_young: 'other_ways',
  qualified_until: undefined,
  age_unknown: 'ask_responsible',
  conflict: 'see_other_shift',
  partial_conflict: undefined,
  limit_rest: 'see_other_shift',
  limit_week: 'ask_responsible',
  limit_nights: 'ask_responsible',
  limit_minor_day: 'ask_responsible',
  limit_minor_hour: 'ask_responsible',
  limit_minor_alone: 'ask_responsible',
  added_rule: 'ask_responsible',
  full: 'other_ways',
  wish_needed: undefined,
  wish_not_offered: undefined,
  answers_needed: undefined,
  answer_missing: undefined,
  answer_too_long: undefined,
  answer_not_offered: undefined,
  times_fixed: 'ask_responsible',
  times_in_wrong_order: undefined,
  times_outside: undefined,
}

export const helpFor = ({ code }: Reason): Help | undefined => HELP[code]
