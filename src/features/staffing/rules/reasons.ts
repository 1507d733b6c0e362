import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'

/** Where somebody is confirmed already. */
export type Engagement = Span & {
  shiftId: number
  eventId: number
  eventTitle: string
  /** A shift that another organisation plans: its numbers are none of ours. */
  abroad?: { host: string; href: string } | undefined
}

/** Sets of qualifications, any one of which would be enough; empty where none is asked for. */
export type MissingAnyOf = readonly (readonly number[])[]

/** Why somebody cannot do something. Each says what pages need to put it into words. */
export type Reason =
  | { code: 'event_not_active' | 'event_cancelled' | 'configuration_broken' }
  | { code: 'already_in' | 'already_declined' | 'rejected' | 'may_not_leave' | 'not_in' }
  | { code: 'no_self_service'; explanation: string }
  | { code: 'follows_other_shift' | 'leader_missing' }
  | { code: 'not_open_yet' | 'closed'; at: Date }
  | { code: 'type_not_qualified'; missing: readonly number[] }
  | { code: 'not_qualified'; missingAnyOf: MissingAnyOf }
  | { code: 'too_young' | 'age_unknown'; minimumAge: number }
  | { code: 'conflict' | 'partial_conflict'; with: Engagement }
  | { code: 'full' }
  | { code: 'wish_needed' | 'wish_not_offered' }
  | { code: 'times_fixed' | 'times_in_wrong_order' }
  | { code: 'times_outside'; earliest: Date; latest: Date }

export type ReasonCode = Reason['code']

/** The person does not fit, whenever they ask; everything else is about now. */
const UNFIT: ReadonlySet<ReasonCode> = new Set(['type_not_qualified', 'not_qualified', 'too_young', 'age_unknown'])

export type ReasonClass = 'unfit' | 'not_now'
export const classOf = ({ code }: Reason): ReasonClass => (UNFIT.has(code) ? 'unfit' : 'not_now')

/** What somebody should know, and what keeps nobody from anything. */
export type Warning =
  | { code: 'short_rest'; hours: number; with: Engagement }
  | { code: 'qualification_expires' }
  | { code: 'conflict'; with: Engagement }

/** What would help: a way out that pages can offer. */
export type Help = 'wait' | 'ask_responsible' | 'choose_times' | 'see_other_shift' | 'choose_wish' | 'see_leader' | 'none'

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
  too_young: 'none',
  age_unknown: 'ask_responsible',
  conflict: 'see_other_shift',
  partial_conflict: 'choose_times',
  full: 'none',
  wish_needed: 'choose_wish',
  wish_not_offered: 'choose_wish',
  times_fixed: 'ask_responsible',
  times_in_wrong_order: 'choose_times',
  times_outside: 'choose_times',
}

export const helpFor = ({ code }: Reason): Help => HELP[code]

/** What the texts of reasons and warnings are made with. */
export type ReasonContext = { words: Words; now: Date; titleOf: (qualificationId: number) => string }
