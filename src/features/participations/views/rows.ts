import { eventPath } from '#features/events/rules/slug.ts'
import type { SignupStats } from '#features/events/rules/statistics.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { EventRowData } from '#platform/ui/event-row.ts'
import type { State } from '../rules/states.ts'
import { ownStateOf, staffingOf } from './standing.ts'

export type EventLine = {
  id: number
  title: string
  location: string
  type: { name: string; colour: string }
  start: Date
  end: Date
  shifts: number
  stats: SignupStats
  own: State | undefined
  cancelledBecause: string | null
}

/** Who is missing matters only as long as somebody can still come. */
export function eventRowOf(words: Words, now: Date, event: EventLine): EventRowData {
  const { id, title, location, type, start, end, shifts, cancelledBecause } = event
  const isCancelled = cancelledBecause !== null
  const isOver = end < now || isCancelled
  return {
    ...{ href: eventPath(id, title), title, location, type, start, end, shifts },
    past: isOver,
    staffing: isOver ? undefined : staffingOf(event.stats),
    own: ownStateOf(words, event.own, isOver),
    notes: isCancelled ? [{ tone: 'bad', text: words.t('event.cancelled') }] : [],
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
}

export const shiftPath = ({ id, event }: Pick<ShiftLine, 'id' | 'event'>): string =>
  `${eventPath(event.id, event.title)}#shift-${id}`
export const shiftTitle = ({ label, event }: Pick<ShiftLine, 'label' | 'event'>): string =>
  label ? `${event.title}, ${label}` : event.title
