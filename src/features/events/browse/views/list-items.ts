import { eventPath } from '#features/events/events/rules/slug.ts'
import type { EventRowData } from '#features/events/events/views/event-row.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import { CONTACT } from '#features/staffing/staffing/views/reasons.ts'
import { placesState } from '#features/staffing/staffing/views/staffing.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Tone } from '#platform/ui/badge.ts'
import type { EventSummary, FittingShift, PartnerLink, ShiftSummary } from '../rules/summaries.ts'

/** Names the organisation wherever its events are listed among ours. */
export const partnerNotes = (words: Words, partner: PartnerLink | undefined): { tone: Tone; text: string }[] =>
  partner ? [{ tone: 'info', text: words.t('external.at', { host: partner.host }) }] : []

/** For events of partners that do not tell us whether the reader is signed up. */
export const openedText = (words: Words, partner: PartnerLink | undefined): string | undefined =>
  partner?.openedAt ? words.t('external.opened', { host: partner.host, when: words.dateTime(partner.openedAt) }) : undefined

/** Staffing for those who plan, else the places that are left; both only while people can still sign up. */
export function eventRow(words: Words, now: Date, event: EventSummary, { isPlanner = false } = {}): EventRowData {
  const { id, title, location, start, end, shiftCount, cancellationReason, partner } = event
  const isCancelled = cancellationReason !== null
  const isOver = end < now || isCancelled
  return {
    href: partner?.href ?? eventPath(id, title),
    title,
    location,
    type: typeOf(event),
    start,
    end,
    shifts: shiftCount,
    past: isOver,
    ...(isOver || partner ? {} : isPlanner ? { staffing: toStaffing(event.stats) } : { places: placesOf(words, event) }),
    own: shortStateBadge(words, event.own, isOver),
    notes: isCancelled ? [{ tone: 'bad', text: words.t('event.cancelled') }] : partnerNotes(words, partner),
    remark: cancellationReason ?? undefined,
    about: openedText(words, partner),
    hint: event.fitting && fittingText(words, now, event.fitting, event),
  }
}

/** Who is in reads about that alone. */
const placesOf = (words: Words, { stats, own }: EventSummary): EventRowData['places'] =>
  own === STATE.confirmed ? undefined : placesState(words, toStaffing(stats))

const MAX_NAMED_SHIFTS = 3

/** Which shifts of an event with several fit. */
function fittingText(words: Words, now: Date, shifts: readonly FittingShift[], { start, shiftCount }: EventSummary): string {
  if (shiftCount === 1) return words.t('find.can_sign_up')
  const named = shifts.slice(0, MAX_NAMED_SHIFTS).map((shift) => {
    const times = words.sameDay(start, shift.start)
      ? words.hours(shift.start, shift.end, now)
      : words.span(shift.start, shift.end, now)
    return shift.label ? `${shift.label} (${times})` : times
  })
  const rest = shifts.length - named.length
  return words.t('find.can_sign_up_for', {
    shifts: words.list(rest ? [...named, words.t('find.more_shifts', { count: rest })] : named),
  })
}

export const typeOf = ({ typeTitle, typeColor }: Pick<ShiftSummary, 'typeTitle' | 'typeColor'>) => ({
  name: typeTitle,
  colour: typeColor,
})
export const shiftPath = ({ id, eventId, eventTitle, partner }: ShiftSummary): string =>
  partner?.href ?? `${eventPath(eventId, eventTitle)}#shift-${id}`
/** Where those who plan the event are named. */
export const contactPath = ({ eventId, eventTitle, partner }: ShiftSummary): string | undefined =>
  partner ? undefined : `${eventPath(eventId, eventTitle)}#${CONTACT}`
export const shiftTitle = ({ label, eventTitle }: Pick<ShiftSummary, 'label' | 'eventTitle'>): string =>
  label ? `${eventTitle}, ${label}` : eventTitle
