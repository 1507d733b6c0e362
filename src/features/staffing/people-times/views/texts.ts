import type { DaySpan } from '#features/staffing/availability/rules/availability.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import type { DayCell, Place } from '../rules/table.ts'

/** Hours of a span within a day: “08:00–14:00”, “from 20:00”, “until 06:00”, or that it takes the whole day. */
export function hoursText(words: Words, { start, end }: Span, day: Span): string {
  if (start <= day.start && end >= day.end) return words.t('people_times.whole_day')
  const from = start < day.start ? day.start : start
  const until = end > day.end ? day.end : end
  const last = until.getTime() === day.end.getTime() ? '24:00' : words.time(until)
  return `${words.time(from)}–${last}`
}

export const placeTitle = (words: Words, { eventTitle, label, host }: Place): string => {
  if (eventTitle === null) return words.t('people_times.busy')
  const title = label ? `${eventTitle}, ${label}` : eventTitle
  return host === null ? title : `${title} (${words.t('external.at', { host })})`
}

const known = new WeakMap<readonly DaySpan[], Map<number, string>>()

/** “08:00–12:00 Harbour run”. Remembered for the days of a page, because many people have the same shift. */
function placeText(words: Words, place: Place, day: DaySpan, days: readonly DaySpan[]): string {
  const make = () => `${hoursText(words, place, day)} ${placeTitle(words, place)}`
  if (place.hasOwnTimes) return make()
  const texts = known.get(days) ?? new Map<number, string>()
  known.set(days, texts)
  const key = place.shiftId * MAX_DAYS + (days.indexOf(day) + 1)
  let text = texts.get(key)
  if (text === undefined) {
    text = make()
    texts.set(key, text)
  }
  return text
}

const MAX_DAYS = 32

/** Everything that a cell says, as one text: for tooltips and screen readers. */
export function cellText(words: Words, { day, state, places, cannot }: DayCell, days: readonly DaySpan[]): string {
  const parts = [
    ...places.map((place) => {
      const text = placeText(words, place, day, days)
      const marks = [
        place.state === 0 && words.t('people_times.requested'),
        place.problem !== undefined && words.t(`people_times.${place.problem}`),
      ].filter((mark) => mark !== false)
      return marks.length > 0 ? `${text} (${marks.join(', ')})` : text
    }),
    ...awayTexts(words, { day, state, cannot }),
  ]
  return parts.length > 0 ? parts.join('; ') : words.t('people_times.free')
}

export const awayTexts = (words: Words, { day, state, cannot }: Pick<DayCell, 'day' | 'state' | 'cannot'>): string[] =>
  state === 'away'
    ? [words.t('people_times.away')]
    : cannot.map((span) => words.t('people_times.away_at', { times: hoursText(words, span, day) }))
