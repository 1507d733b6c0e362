import { eventPath } from '#features/events/rules/slug.ts'
import type { SignupStats, State } from '#features/staffing/rules/model.ts'
import { shortStateBadge, toStaffing } from '#features/staffing/views/state.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Tone } from '#platform/ui/badge.ts'
import type { EventRowData } from '#platform/ui/event-row.ts'

export type EventLine = {
  id: number
  title: string
  location: string
  type: { name: string; colour: string }
  start: Date
  end: Date
  /** Undefined: not told by those who plan it. */
  shifts: number | undefined
  stats: SignupStats
  own: State | undefined
  cancelledBecause: string | null
  abroad?: Abroad | undefined
}

/** Where something takes place that another organisation plans: who that is, and its page there. */
export type Abroad = { host: string; href: string }

/** Said wherever such a thing is listed among our own. */
export const abroadNotes = (words: Words, abroad: Abroad | undefined): { tone: Tone; text: string }[] =>
  abroad ? [{ tone: 'info', text: words.t('abroad.at', { host: abroad.host }) }] : []

/** Who is missing matters only as long as somebody can still come. */
export function eventRowOf(words: Words, now: Date, event: EventLine): EventRowData {
  const { id, title, location, type, start, end, shifts, cancelledBecause, abroad } = event
  const isCancelled = cancelledBecause !== null
  const isOver = end < now || isCancelled
  return {
    href: abroad?.href ?? eventPath(id, title),
    title,
    location,
    type,
    start,
    end,
    shifts,
    past: isOver,
    staffing: isOver || abroad ? undefined : toStaffing(event.stats),
    own: shortStateBadge(words, event.own, isOver),
    notes: isCancelled ? [{ tone: 'bad', text: words.t('event.cancelled') }] : abroadNotes(words, abroad),
    remark: cancelledBecause ?? undefined,
  }
}

export type ShiftLine = {
  id: number
  label: string
  event: { id: number; title: string }
  location: string
  type: { name: string; colour: string }
  start: Date
  end: Date
  stats: SignupStats
  cancelledBecause?: string | null | undefined
  abroad?: Abroad | undefined
}

export const shiftPath = ({ id, event, abroad }: Pick<ShiftLine, 'id' | 'event' | 'abroad'>): string =>
  abroad?.href ?? `${eventPath(event.id, event.title)}#shift-${id}`
export const shiftTitle = ({ label, event }: Pick<ShiftLine, 'label' | 'event'>): string =>
  label ? `${event.title}, ${label}` : event.title
