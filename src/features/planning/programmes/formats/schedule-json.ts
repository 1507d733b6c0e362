import { parseForeignJson } from '#platform/json-depth.ts'
import { talksOfRest } from './pretalx-rest.ts'
import {
  cleanKey,
  cleanText,
  isValues,
  MAX_SESSIONS,
  type ProgrammeFile,
  ProgrammeFileError,
  type Session,
  type SessionFault,
  type Values,
  withUniqueKeys,
} from './programme-file.ts'
import { interpret, type RawSession } from './schedule-xml.ts'
import { addMinutes, readDuration, readTime, readZone } from './times.ts'

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Pretalx writes names in several languages; the first one that the file has counts. */
const nameOf = (value: unknown): string => {
  if (!isValues(value)) return textOf(value)
  if ('name' in value) return nameOf(value.name)
  return textOf(value.en ?? value.de ?? Object.values(value)[0])
}

/** The schedule of pretalx: `schedule.json` with days and rooms, the list of talks of the widget, or a list of the REST API. */
export function readScheduleJson(text: string, zone: string): ProgrammeFile {
  const document = parseSchedule(text)
  if (isValues(document) && isValues(document.schedule)) return readDays(document.schedule, zone)
  if (isValues(document) && Array.isArray(document.talks)) return readTalks(document, zone)
  const rest = talksOfRest(document)
  if (rest) return readTalks(rest, zone)
  throw new ProgrammeFileError('no_schedule')
}

export function parseSchedule(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1]
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
    throw new ProgrammeFileError('malformed_json', line, { cause: error })
  }
}

const FIELDS = ['date', 'start', 'duration', 'room', 'title', 'track', 'type']

function readDays(schedule: Values, zone: string): ProgrammeFile {
  const conference = isValues(schedule.conference) ? schedule.conference : {}
  const sessions: RawSession[] = []
  for (const [dayIndex, day] of listOf(conference.days).entries()) {
    if (!isValues(day) || !isValues(day.rooms)) continue
    for (const [room, events] of Object.entries(day.rooms))
      for (const [index, event] of listOf(events).entries()) {
        if (sessions.length >= MAX_SESSIONS) throw new ProgrammeFileError('too_many')
        const values = isValues(event) ? event : {}
        sessions.push({
          at: `days[${dayIndex}].rooms["${cleanText(room)}"][${index}]`,
          key: textOf(values.guid) || textOf(values.code) || textOf(values.id),
          day: textOf(day.date),
          room,
          texts: Object.fromEntries(FIELDS.map((name) => [name, nameOf(values[name])])),
        })
      }
  }
  const raw = {
    title: nameOf(conference.title),
    zone: textOf(conference.time_zone_name),
    dayChange: textOf(conference.day_change),
    sessions,
  }
  return { format: 'schedule_json', ...interpret(raw, zone) }
}

function readTalks(document: Values, fallbackZone: string): ProgrammeFile {
  const zone = readZone(textOf(document.timezone)) ?? fallbackZone
  const names = (list: unknown) =>
    new Map(listOf(list).flatMap((each) => (isValues(each) ? [[textOf(each.id), cleanText(nameOf(each))] as const] : [])))
  const rooms = names(document.rooms)
  const tracks = names(document.tracks)
  const faults: SessionFault[] = []
  const talks = listOf(document.talks)
  if (talks.length > MAX_SESSIONS) throw new ProgrammeFileError('too_many')
  const sessions = talks.flatMap((talk, index): Session[] => {
    const values = isValues(talk) ? talk : {}
    const title = cleanText(nameOf(values.title))
    const refuse = (code: SessionFault['code'], value = '') => {
      faults.push({ code, title, at: `talks[${index}]`, ...(value ? { value: cleanText(value) } : {}) })
      return []
    }
    // Breaks have no code, and an id of their own.
    const key = cleanKey(values.code) || (textOf(values.id) ? `id:${cleanKey(values.id)}` : '')
    if (!key) return refuse('no_id')
    const start = readTime(textOf(values.start), zone)
    if (!start) return refuse(values.start ? 'bad_start' : 'no_start', textOf(values.start))
    const minutes = readDuration(values.duration)
    const end = readTime(textOf(values.end), zone) ?? (minutes === undefined ? undefined : addMinutes(start, minutes))
    if (!end || end <= start) return refuse(values.end ? 'bad_end' : 'no_end', textOf(values.end))
    const named = (map: Map<string, string>, value: unknown) => map.get(textOf(value)) ?? cleanText(nameOf(value))
    return [
      {
        key,
        title,
        room: named(rooms, values.room),
        track: named(tracks, values.track),
        type: cleanText(nameOf(values.session_type ?? values.submission_type)),
        start,
        end,
      },
    ]
  })
  const title = cleanText(nameOf(document.event ?? document.title))
  return { format: 'pretalx', title, sessions: withUniqueKeys(sessions), recurring: [], faults }
}
