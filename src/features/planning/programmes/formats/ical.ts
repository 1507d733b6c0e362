import ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import {
  cleanKey,
  cleanText,
  MAX_SESSIONS,
  type ProgrammeFile,
  ProgrammeFileError,
  type RecurringSession,
  type Session,
  type SessionFault,
  withUniqueKeys,
} from './programme-file.ts'
import { addMinutes, readZone, toUtc } from './times.ts'

/** A calendar of RFC 5545. Rules of repetition are returned as they are. */
export function readIcal(text: string, zone: string): ProgrammeFile {
  const lines = linesOfEvents(text)
  if (lines.length > MAX_SESSIONS) throw new ProgrammeFileError('too_many')
  const calendars = parse(text)
  const faults: SessionFault[] = []
  const events = calendars.flatMap((calendar) => {
    const own = readZone(textOf(calendar, 'x-wr-timezone')) ?? zone
    return calendar.getAllSubcomponents('vevent').map((event) => ({ event, zone: own }))
  })
  const found = events.flatMap((each, index) => readEvent(each.event, { zone: each.zone, line: lines[index] ?? 1, faults }))
  const changed = Map.groupBy(
    found.filter(({ recurrence }) => recurrence !== undefined),
    ({ uid }) => uid,
  )
  const sessions: Session[] = []
  const recurring: RecurringSession[] = []
  for (const { session, uid, recurrence, isCancelled, repeats } of found) {
    if (isCancelled) continue
    if (recurrence !== undefined) sessions.push({ ...session, key: `${uid} ${recurrence}` })
    else if (repeats) {
      const replaced = (changed.get(uid) ?? []).map((each) => each.recurrence!)
      recurring.push({ ...session, ...repeats, skipped: [...repeats.skipped, ...replaced] })
    } else sessions.push(session)
  }
  const title = cleanText(textOf(calendars[0], 'x-wr-calname') || textOf(calendars[0], 'name'))
  return { format: 'ical', title, sessions: withUniqueKeys(sessions), recurring, faults }
}

/** The first line of each event. Throws at the first line that is no property: the library does not tell which one. */
function linesOfEvents(text: string): number[] {
  const found: number[] = []
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) found.push(index + 1)
    const isProperty = /^[A-Za-z0-9-]+[;:]/.test(line)
    if (!isProperty && line.trim() !== '' && !/^[ \t]/.test(line)) throw new ProgrammeFileError('malformed_ical', index + 1)
  }
  return found
}

function parse(text: string): ICAL.Component[] {
  try {
    const parsed = ICAL.parse(text.replaceAll(/\r\n?/g, '\n').replace(/^\n+/, '')) as unknown[]
    // Several calendars in one file are a list.
    const list = (typeof parsed[0] === 'string' ? [parsed] : parsed) as unknown[][]
    return list.filter(([name]) => name === 'vcalendar').map((each) => new ICAL.Component(each))
  } catch (error) {
    throw new ProgrammeFileError('malformed_ical', undefined, { cause: error })
  }
}

function textOf(component: ICAL.Component | undefined, name: string): string {
  const value: unknown = component?.getFirstPropertyValue(name)
  return typeof value === 'string' ? value : ''
}

type Found = {
  session: Session
  uid: string
  recurrence: string | undefined
  isCancelled: boolean
  repeats: Pick<RecurringSession, 'zone' | 'rules' | 'added' | 'skipped' | 'line'> | undefined
}
type Place = { zone: string; line: number; faults: SessionFault[] }

class SessionError extends Error {
  readonly code: SessionFault['code']
  readonly value: string
  constructor(code: SessionFault['code'], value = '') {
    super(code)
    this.code = code
    this.value = value
  }
}

function readEvent(event: ICAL.Component, { zone, line, faults }: Place): Found[] {
  const title = cleanText(textOf(event, 'summary'))
  try {
    return [foundIn(event, title, zone, line)]
  } catch (error) {
    if (!(error instanceof SessionError)) throw error
    faults.push({ code: error.code, title, at: line, ...(error.value ? { value: error.value } : {}) })
    return []
  }
}

function foundIn(event: ICAL.Component, title: string, calendarZone: string, line: number): Found {
  const uid = cleanKey(textOf(event, 'uid'))
  if (!uid) throw new SessionError('no_id')
  const start = instantsOf(event, 'dtstart', calendarZone)[0]
  if (!start) throw new SessionError('no_start')
  const end = instantsOf(event, 'dtend', calendarZone)[0]?.at ?? endByDuration(event, start.at)
  if (!end) throw new SessionError('no_end')
  if (end <= start.at) throw new SessionError('bad_end', end)
  const rules = event.getAllProperties('rrule').map((property) => String(property.getFirstValue()))
  const added = instantsOf(event, 'rdate', calendarZone).map(({ at }) => at)
  const categories = event.getAllProperties('categories').flatMap((property) => property.getValues() as unknown[])
  return {
    uid,
    session: {
      key: uid,
      title,
      room: cleanText(textOf(event, 'location')),
      track: cleanText(categories[0]),
      type: '',
      start: start.at,
      end,
    },
    recurrence: instantsOf(event, 'recurrence-id', calendarZone)[0]?.at,
    isCancelled: /^cancelled$/i.test(textOf(event, 'status')),
    repeats:
      rules.length || added.length
        ? { zone: start.zone, rules, added, skipped: instantsOf(event, 'exdate', calendarZone).map(({ at }) => at), line }
        : undefined,
  }
}

function endByDuration(event: ICAL.Component, start: string): string | undefined {
  const value: unknown = event.getFirstPropertyValue('duration')
  return value instanceof ICAL.Duration && value.toSeconds() > 0 ? addMinutes(start, value.toSeconds() / 60) : undefined
}

function instantsOf(event: ICAL.Component, name: string, calendarZone: string): { at: string; zone: string }[] {
  return event.getAllProperties(name).flatMap((property) => {
    const zoneName: unknown = property.getParameter('tzid')
    return valuesOf(property).flatMap((value) => {
      if (!(value instanceof ICAL.Time)) return []
      if (value.isDate) throw new SessionError('all_day')
      const isUtc = value.zone === ICAL.Timezone.utcTimezone
      const named = typeof zoneName === 'string' && !isUtc ? zoneName : undefined
      const zone = isUtc ? 'UTC' : named === undefined ? calendarZone : readZone(named)
      if (!zone) throw new SessionError('zone', cleanText(named))
      return [{ at: wallToUtc(value, zone), zone }]
    })
  })
}

/** The library reads values when they are asked for. */
function valuesOf(property: ICAL.Property): unknown[] {
  try {
    return property.getValues()
  } catch {
    throw new SessionError('bad_start', cleanText(property.toICALString()))
  }
}

function wallToUtc({ year, month, day, hour, minute, second }: ICAL.Time, zone: string): string {
  try {
    return toUtc(new Temporal.PlainDateTime(year, month, day, hour, minute, Math.min(second, 59)), zone)
  } catch {
    throw new SessionError('bad_start', `${year}-${month}-${day}`)
  }
}
