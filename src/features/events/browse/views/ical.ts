import { setImmediate } from 'node:timers/promises'
import ical, { ICalAlarmType, ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { feedUid } from '#features/staffing/availability/rules/feed-uids.ts'
import { familyLinks } from '#features/staffing/participations/rules/links.ts'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FeedShift } from '../rules/summaries.ts'
import { isUnambiguous, timeZoneData } from '../rules/time-zone-data.ts'
import { shiftTitle } from './list-items.ts'

export type IcalData = { words: Words; now: Date; siteUrl: string; name: string; shifts: readonly FeedShift[] }

/** Reminder one hour before the meeting time. */
const ALARM_SECONDS = 3600
const REFRESH_SECONDS = 3600

/** RFC 5545 allows no control characters except tab and line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const plain = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
const oneLine = (text: string): string => plain(text).replaceAll(/[\n\t]+/g, ' ')

const STATUS: Record<State, ICalEventStatus> = {
  0: ICalEventStatus.TENTATIVE,
  1: ICalEventStatus.CONFIRMED,
  2: ICalEventStatus.CANCELLED,
  3: ICalEventStatus.CANCELLED,
  4: ICalEventStatus.TENTATIVE,
}

/** Shifts that are written without a turn of the event loop. */
const SHIFTS_AT_ONCE = 10
/** As lines of their own: texts of people can contain these words. */
const [EVENT_BEGIN, EVENT_END] = ['\r\nBEGIN:VEVENT\r\n', '\r\nEND:VEVENT\r\n']

/** RFC 5545. Times are local to the instance, with a VTIMEZONE. A calendar can have thousands of shifts. */
export async function icalText(data: IcalData): Promise<string> {
  const { words, now, shifts } = data
  const parts: string[] = []
  // Which zones a calendar describes depends on its shifts: the first of each zone are in the frame around all parts.
  const firstOf = new Map<string, FeedShift>()
  for (let from = 0; from < shifts.length; from += SHIFTS_AT_ONCE) {
    await setImmediate()
    const some = shifts.slice(from, from + SHIFTS_AT_ONCE)
    for (const shift of some) firstOf.set(zoneOf(words, shift), firstOf.get(zoneOf(words, shift)) ?? shift)
    parts.push(eventsIn(calendarText(data, some)).events)
  }
  const frame = calendarText(data, [...firstOf.values()])
  // RFC 5545 requires at least one component, and some programs reject a calendar without any.
  if (!shifts.length) return frame.replace(/(?=END:VCALENDAR\r\n$)/, `${timeZoneData(words.timeZone, now, now)}\r\n`)
  const { before, after } = eventsIn(frame)
  return [before, ...parts, after].join('')
}

function eventsIn(text: string): { before: string; events: string; after: string } {
  const [from, until] = [text.indexOf(EVENT_BEGIN) + 2, text.lastIndexOf(EVENT_END) + EVENT_END.length]
  return { before: text.slice(0, from), events: text.slice(from, until), after: text.slice(until) }
}

const zoneOf = ({ timeZone }: Words, { start, end }: FeedShift): string =>
  isUnambiguous(start, timeZone) && isUnambiguous(end, timeZone) ? timeZone : 'UTC'

/** A calendar with some of the shifts, and what all of them need. */
function calendarText({ words, now, siteUrl, name, shifts: all }: IcalData, shifts: readonly FeedShift[]): string {
  const { host } = new URL(siteUrl)
  const calendar = ical({
    prodId: { company: 'Turnout', product: 'Turnout', language: words.language.toUpperCase() },
    method: ICalCalendarMethod.PUBLISH,
    // ical-generator does not escape the name.
    name: oneLine(name).replaceAll(/[\\;,]/g, '\\$&'),
    ttl: REFRESH_SECONDS,
  })
  const span = { from: earliest(all), until: latest(all) }
  calendar.timezone({ name: null, generator: (zone) => timeZoneData(zone, span.from, span.until) })
  for (const shift of shifts) {
    const isCancelled = shift.cancellationReason !== null
    const status = isCancelled
      ? ICalEventStatus.CANCELLED
      : shift.state === null
        ? ICalEventStatus.TENTATIVE
        : STATUS[shift.state]
    const zone = zoneOf(words, shift)
    const path = shift.child
      ? familyLinks(shift.child.userId).event(shift.eventId, shift.eventTitle)
      : eventPath(shift.eventId, shift.eventTitle)
    const link = shift.partner?.href ?? `${siteUrl}${path}`
    const event = calendar.createEvent({
      id: feedUid({ key: shift.partner?.key ?? `shift-${shift.id}`, childId: shift.child?.userId, host }),
      sequence: shift.revision,
      stamp: now,
      start: zoned(shift.start, zone),
      end: zoned(shift.end, zone),
      timezone: zone,
      summary: oneLine(titleOf(words, shift)),
      location: oneLine(shift.location) || null,
      description: plain(textOf(words, shift, link)),
      url: link,
      status,
      transparency:
        shift.state === STATE.confirmed && !isCancelled ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
    })
    // Calendars may be shared, so the address is not that of the person. Parameters cannot contain quotation marks.
    if (shift.organizer)
      event.organizer({ name: oneLine(shift.organizer).replaceAll('"', '’'), email: `noreply@${host.split(':')[0]}` })
    if (shift.state === STATE.confirmed && !isCancelled) {
      const before = Math.max(0, Math.round((shift.start.getTime() - shift.meeting.getTime()) / 1000)) + ALARM_SECONDS
      event.createAlarm({ type: ICalAlarmType.display, trigger: before, description: oneLine(titleOf(words, shift)) })
    }
  }
  return `${calendar.toString().trimEnd()}\r\n`
}

const zoned = (at: Date, zone: string) => Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone)
const earliest = (shifts: readonly FeedShift[]) => new Date(Math.min(...shifts.map(({ start }) => start.getTime())))
const latest = (shifts: readonly FeedShift[]) => new Date(Math.max(...shifts.map(({ end }) => end.getTime())))

function titleOf(words: Words, { label, eventTitle, state, partner, child }: FeedShift): string {
  const shift = shiftTitle({ label, eventTitle })
  const name = child ? `${child.name}: ${shift}` : shift
  const title = partner ? `${name} (${words.t('external.at', { host: partner.host })})` : name
  if (state === STATE.requested) return `${title} (${words.t('calendar.requested')})`
  return state === STATE.rejectedByResponsible ? `${title} (${words.t('calendar.rejected')})` : title
}

function textOf(words: Words, { meeting, start, cancellationReason, description }: FeedShift, link: string): string {
  const day = words.sameDay(meeting, start) ? words.time(meeting) : words.dateTime(meeting)
  return [
    cancellationReason !== null && words.t('calendar.cancelled', { reason: cancellationReason }),
    meeting < start && words.t('calendar.meet', { time: day }),
    description?.trim(),
    link,
  ]
    .filter(Boolean)
    .join('\n\n')
}
