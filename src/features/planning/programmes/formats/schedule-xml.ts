import { Temporal } from 'temporal-polyfill'
import { parseXml, XmlError } from '#platform/xml.ts'
import {
  cleanKey,
  cleanText,
  MAX_SESSIONS,
  type ProgrammeFile,
  ProgrammeFileError,
  type SessionFault,
  withUniqueKeys,
} from './programme-file.ts'
import { addMinutes, readDuration, readTime, readZone, toUtc } from './times.ts'

/** The elements of an event that are read. Persons, descriptions and links are not. */
const READ = new Set(['date', 'start', 'duration', 'room', 'title', 'track', 'type'])

export type RawSession = {
  at: number | string
  key: string
  day: string
  room: string
  /** Texts of elements or values of properties. */
  texts: Record<string, string>
}
type RawSchedule = { title: string; zone: string; dayChange: string; sessions: RawSession[] }

/** The file `schedule.xml` of conferences: days with rooms with events. */
export async function readScheduleXml(content: Buffer, zone: string): Promise<ProgrammeFile> {
  const raw = await parseSchedule(content)
  return { format: 'schedule_xml', ...interpret(raw, zone) }
}

async function parseSchedule(content: Buffer): Promise<RawSchedule> {
  const schedule: RawSchedule = { title: '', zone: '', dayChange: '', sessions: [] }
  const path: string[] = []
  let day = ''
  let room = ''
  let session: RawSession | undefined
  let text = ''
  try {
    await parseXml(content, {
      open: (name, attributes, line) => {
        if (!path.length && name !== 'schedule') throw new ProgrammeFileError('no_schedule', line)
        const parent = path.at(-1)
        path.push(name)
        text = ''
        if (name === 'day' && parent === 'schedule') day = attributes.date ?? ''
        if (name === 'room' && parent === 'day') room = attributes.name ?? ''
        if (name === 'event' && parent === 'room') {
          if (schedule.sessions.length >= MAX_SESSIONS) throw new ProgrammeFileError('too_many', line)
          session = { at: line, key: attributes.guid || attributes.code || attributes.id || '', day, room, texts: {} }
        }
      },
      text: (part) => {
        text += part
      },
      close: (name) => {
        path.pop()
        const parent = path.at(-1)
        if (session && parent === 'event' && READ.has(name)) session.texts[name] = text
        if (parent === 'conference' && name === 'title') schedule.title = text
        if (parent === 'conference' && name === 'time_zone_name') schedule.zone = text.trim()
        if (parent === 'conference' && name === 'day_change') schedule.dayChange = text.trim()
        if (name === 'event' && session) {
          schedule.sessions.push(session)
          session = undefined
        }
        text = ''
      },
    })
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new ProgrammeFileError(error.fault === 'doctype' ? 'doctype' : 'malformed_xml', error.line, { cause: error })
  }
  return schedule
}

/** Reads `schedule.xml` and `schedule.json`, which have the same fields. */
export function interpret(raw: RawSchedule, fallbackZone: string): Omit<ProgrammeFile, 'format'> {
  const zone = readZone(raw.zone) ?? fallbackZone
  const faults: SessionFault[] = []
  const sessions = raw.sessions.flatMap(({ at, key, day, room, texts }) => {
    const title = cleanText(texts.title)
    const refuse = (code: SessionFault['code'], value?: string) => {
      faults.push({ code, title, at, ...(value ? { value: cleanText(value) } : {}) })
      return []
    }
    if (!cleanKey(key)) return refuse('no_id')
    const start = startOf({ day, date: texts.date ?? '', clock: texts.start ?? '', dayChange: raw.dayChange, zone })
    if (start === 'missing') return refuse('no_start')
    if (start === 'unreadable') return refuse('bad_start', texts.date || texts.start)
    const minutes = readDuration(texts.duration)
    if (minutes === undefined) return refuse(texts.duration?.trim() ? 'bad_end' : 'no_end', texts.duration)
    return [
      {
        key: cleanKey(key),
        title,
        room: cleanText(texts.room) || cleanText(room),
        track: cleanText(texts.track),
        type: cleanText(texts.type),
        start,
        end: addMinutes(start, minutes),
      },
    ]
  })
  return { title: cleanText(raw.title), sessions: withUniqueKeys(sessions), recurring: [], faults }
}

/** The full time if the session has one; otherwise the day with the time of day, where times before `dayChange` are on the next day. */
function startOf({
  day,
  date,
  clock,
  dayChange,
  zone,
}: {
  day: string
  date: string
  clock: string
  dayChange: string
  zone: string
}) {
  const full = readTime(date, zone)
  if (full) return full
  if (/^\d{4}-\d\d-\d\dT/.test(date.trim())) return 'unreadable'
  const text = date.trim() || day.trim()
  if (!text || !clock.trim()) return 'missing'
  try {
    const time = Temporal.PlainTime.from(clock.trim().padStart(5, '0'))
    const change = /^\d\d?:\d\d/.test(dayChange) ? Temporal.PlainTime.from(dayChange.padStart(5, '0').slice(0, 5)) : undefined
    const isNext = !date.trim() && change && Temporal.PlainTime.compare(time, change) < 0
    const wall = Temporal.PlainDate.from(text)
      .add({ days: isNext ? 1 : 0 })
      .toPlainDateTime(time)
    return toUtc(wall, zone)
  } catch {
    return 'unreadable'
  }
}
