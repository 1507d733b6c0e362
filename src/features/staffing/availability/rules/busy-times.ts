import ICAL from 'ical.js'
import { zoneOf } from '#platform/i18n/zone.ts'
import { isFeedUid } from './feed-uids.ts'

/** In milliseconds since 1970. */
export type FoundTime = { fromMs: number; untilMs: number; isAllDay: boolean }
type ReadFailure = 'not_a_calendar' | 'too_many_times'
export type CalendarContent = { ok: true; times: FoundTime[]; unreadCount: number } | { ok: false; reason: ReadFailure }

export type ReadOptions = {
  /** Times outside of these moments are left out. */
  fromMs: number
  untilMs: number
  /** For all-day entries and for times without a zone. */
  timeZone: string
  /** Of this instance, whose own entries do not count. */
  host: string
}

/** Of recurring entries together. */
const MAX_OCCURRENCES = 20_000
/** After times that touch have become one. */
const MAX_TIMES = 3_000

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

class TooManyTimes extends Error {}

/**
 * Busy times of a calendar (RFC 5545). Only lines about times, UID, STATUS and TRANSP are looked at: titles, places and people are
 * dropped before anything is parsed. Some rules of recurrence never end, so this runs in a thread with a time limit.
 */
export function readBusyTimes(text: string, options: ReadOptions): CalendarContent {
  const components = splitComponents(text)
  if (!components) return { ok: false, reason: 'not_a_calendar' }
  const reader = { ...options, zones: readZones(components.VTIMEZONE), left: MAX_OCCURRENCES }
  try {
    const near = components.VEVENT.filter((each) => !isFarAway(each, options))
    const entries = collect(near, (each) => [readEntry(reader, parse(each))])
    const replacements = Map.groupBy(
      entries.found.filter(({ replaces }) => replaces),
      ({ uid }) => uid,
    )
    const expanded = collect(entries.found, (entry) => expandEntry(reader, entry, replacements.get(entry.uid) ?? []))
    const told = collect(components.VFREEBUSY, (each) => readFreeBusy(reader, parse(each)))
    const found = [...expanded.found, ...told.found]
    const times = [...mergeTimes(reader, found, true), ...mergeTimes(reader, found, false)]
    const unreadCount = entries.unreadCount + expanded.unreadCount + told.unreadCount
    return times.length > MAX_TIMES ? { ok: false, reason: 'too_many_times' } : { ok: true, times, unreadCount }
  } catch (error) {
    if (error instanceof TooManyTimes) return { ok: false, reason: 'too_many_times' }
    throw error
  }
}

/** What cannot be read is counted and left out: one mistake must not make the others useless. */
function collect<From, To>(items: readonly From[], read: (item: From) => To[]): { found: To[]; unreadCount: number } {
  let unreadCount = 0
  const found = items.flatMap((item) => {
    try {
      return read(item)
    } catch (error) {
      if (error instanceof TooManyTimes) throw error
      unreadCount++
      return []
    }
  })
  return { found, unreadCount }
}

type Reader = ReadOptions & { zones: Map<string, ICAL.Timezone>; left: number }

const KEPT = {
  VTIMEZONE: ['TZID', 'DTSTART', 'RRULE', 'RDATE', 'TZOFFSETFROM', 'TZOFFSETTO'],
  VEVENT: ['UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID', 'STATUS', 'TRANSP'],
  VFREEBUSY: ['FREEBUSY'],
} as const
type Kept = keyof typeof KEPT
const PARTS_OF_ZONES = ['STANDARD', 'DAYLIGHT']

/** The lines of each component that are needed. Undefined: not a calendar. */
function splitComponents(text: string): Record<Kept, string[]> | undefined {
  const lines = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
  if (lines[0]?.trim().toUpperCase() !== 'BEGIN:VCALENDAR') return undefined
  const found: Record<Kept, string[]> = { VTIMEZONE: [], VEVENT: [], VFREEBUSY: [] }
  /** Names of the open components. */
  const open: string[] = []
  let current: string[] = []
  for (const line of lines) {
    const [, mark, component] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) ?? []
    const name = component?.toUpperCase()
    if (mark?.toUpperCase() === 'BEGIN') open.push(name!)
    const top = open[1] as Kept
    const isInside = Object.hasOwn(KEPT, top ?? '') && (open.length === 2 || isPartOfZone(open))
    if (isInside && (name ? true : isKept(top, line))) current.push(line)
    if (mark?.toUpperCase() === 'END') {
      if (isInside && open.length === 2) found[top].push(current.join('\r\n'))
      if (open.length <= 2) current = []
      open.pop()
    }
  }
  return found
}

const isPartOfZone = (open: readonly string[]): boolean =>
  open.length === 3 && open[1] === 'VTIMEZONE' && PARTS_OF_ZONES.includes(open[2]!)

const isKept = (component: Kept, line: string): boolean =>
  (KEPT[component] as readonly string[]).includes(/^[\w-]+/.exec(line)?.[0].toUpperCase() ?? '')

/** Most entries of a calendar are over. Those that happen once are left out by their days, without reading them. */
function isFarAway(text: string, { fromMs, untilMs }: ReadOptions): boolean {
  if (/^(RRULE|RDATE|RECURRENCE-ID|DURATION)\b/im.test(text)) return false
  const dayOf = (name: string) => new RegExp(`^${name}\\b[^\\r\\n]*:(\\d{8})`, 'im').exec(text)?.[1]
  const start = dayOf('DTSTART')
  const end = dayOf('DTEND') ?? start
  const writeDay = (ms: number) => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')
  return start !== undefined && (end! < writeDay(fromMs - 2 * DAY_MS) || start > writeDay(untilMs + 2 * DAY_MS))
}

const parse = (text: string): ICAL.Component => new ICAL.Component(ICAL.parse(text))

function readZones(texts: readonly string[]): Reader['zones'] {
  const zones = texts.flatMap((text) => {
    try {
      const component = parse(text)
      return [[String(component.getFirstPropertyValue('tzid')), new ICAL.Timezone({ component })] as const]
    } catch {
      return []
    }
  })
  return new Map(zones)
}

/** A time as the entry has it. `wallMs`: the fields of the clock, as if they were UTC. `zone` undefined: that of the instance. */
type Moment = { wallMs: number; isDay: boolean; zone: ToInstant }
type ToInstant = (wallMs: number) => number

type Entry = {
  uid: string | undefined
  start: Moment
  lengthMs: number
  isFree: boolean
  rules: ICAL.Recur[]
  further: { start: Moment; lengthMs: number }[]
  excluded: Moment[]
  /** The occurrence that the entry replaces. */
  replaces: Moment | undefined
  /** It replaces the following ones as well. */
  isForFollowing: boolean
}

function readEntry(reader: Reader, component: ICAL.Component): Entry {
  const [start] = readMoments(reader, component, 'dtstart')
  if (!start) throw new Error('an entry without a start')
  const value = (name: string) => component.getFirstPropertyValue(name)
  const uid = value('uid') === null ? undefined : String(value('uid'))
  const lengthMs = lengthOf(reader, component, start)
  const word = (name: string) => String(value(name) ?? '').toUpperCase()
  const recurrence = component.getFirstProperty('recurrence-id')
  return {
    uid,
    start,
    lengthMs,
    isFree:
      word('transp') === 'TRANSPARENT' || word('status') === 'CANCELLED' || (uid !== undefined && isFeedUid(uid, reader.host)),
    rules: component.getAllProperties('rrule').flatMap((property) => property.getValues() as ICAL.Recur[]),
    further: readFurther(reader, component, lengthMs),
    excluded: readMoments(reader, component, 'exdate'),
    replaces: readMoments(reader, component, 'recurrence-id')[0],
    isForFollowing: String(recurrence?.getFirstParameter('range') ?? '').toUpperCase() === 'THISANDFUTURE',
  }
}

function readMoments(reader: Reader, component: ICAL.Component, name: string): Moment[] {
  return component
    .getAllProperties(name)
    .flatMap((property) =>
      property.getValues().flatMap((value) => (value instanceof ICAL.Time ? [momentOf(reader, property, value)] : [])),
    )
}

/** RDATE has moments or periods. */
function readFurther(reader: Reader, component: ICAL.Component, lengthMs: number): Entry['further'] {
  return component.getAllProperties('rdate').flatMap((property) =>
    property.getValues().flatMap((value) => {
      if (value instanceof ICAL.Time) return [{ start: momentOf(reader, property, value), lengthMs }]
      if (!(value instanceof ICAL.Period)) return []
      return [{ start: momentOf(reader, property, value.start), lengthMs: value.getDuration().toSeconds() * 1000 }]
    }),
  )
}

function momentOf(reader: Reader, property: ICAL.Property, time: ICAL.Time): Moment {
  const wallMs = wallOf(time)
  if (!Number.isFinite(wallMs)) throw new Error('an invalid time')
  const isUtc = !time.isDate && time.zone?.tzid === 'UTC'
  const zone = time.isDate ? undefined : property.getFirstParameter('tzid')
  return { wallMs, isDay: time.isDate, zone: isUtc ? (ms) => ms : zoneNamed(reader, zone) }
}

const wallOf = ({ year, month, day, hour, minute, second, isDate }: ICAL.Time): number =>
  isDate ? Date.UTC(year, month - 1, day) : Date.UTC(year, month - 1, day, hour, minute, second)

/** IANA names first, also at the end of longer names (`/mozilla.org/…/Europe/Berlin`), then what the calendar itself defines. */
function zoneNamed({ zones, timeZone }: Reader, name: string | undefined): ToInstant {
  const iana = name === undefined ? timeZone : ianaNameIn(name)
  const defined = name === undefined ? undefined : zones.get(name)
  if (iana === undefined && defined)
    return (wallMs) => wallMs - defined.utcOffset(ICAL.Time.fromJSDate(new Date(wallMs), true)) * 1000
  const zone = zoneOf(iana ?? timeZone)
  // The offset of the moment found with the offset of the clock time read as UTC.
  return (wallMs) => wallMs - zone.offsetAt(wallMs - zone.offsetAt(wallMs))
}

const ianaNames = new Map<string, string | undefined>()

function ianaNameIn(name: string): string | undefined {
  if (!ianaNames.has(name)) {
    const parts = name.split('/').filter(Boolean)
    const candidates = [name, parts.slice(-3).join('/'), parts.slice(-2).join('/')]
    ianaNames.set(name, candidates.find(isIanaName))
  }
  return ianaNames.get(name)
}

function isIanaName(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** Without an end, a day lasts a day and a moment takes no time. */
function lengthOf(reader: Reader, component: ICAL.Component, start: Moment): number {
  const [end] = readMoments(reader, component, 'dtend')
  const duration = component.getFirstPropertyValue('duration')
  const lengthMs =
    duration instanceof ICAL.Duration
      ? duration.toSeconds() * 1000
      : end
        ? start.isDay
          ? end.wallMs - start.wallMs
          : instantOf(end) - instantOf(start)
        : 0
  return start.isDay ? Math.max(lengthMs, DAY_MS) : lengthMs
}

const instantOf = ({ wallMs, zone }: Moment): number => zone(wallMs)

/** `others`: entries that replace an occurrence of this one. */
function expandEntry(reader: Reader, entry: Entry, others: readonly Entry[]): FoundTime[] {
  const { start, lengthMs } = entry
  if (entry.replaces) return entry.isFree ? [] : [timeOf(start, lengthMs)]
  const without = [...others.map(({ replaces }) => replaces!), ...entry.excluded]
  const following = others
    .filter(({ isForFollowing }) => isForFollowing)
    .toSorted((a, b) => instantOf(b.replaces!) - instantOf(a.replaces!))
  const regular = entry.rules.length ? entry.rules.flatMap((rule) => occurrencesOf(reader, entry, rule)) : [start.wallMs]
  const occurrences = [...regular.map((wallMs) => ({ start: { ...start, wallMs }, lengthMs })), ...entry.further]
  return occurrences.flatMap((occurrence) => {
    if (without.some((one) => isAt(one, occurrence.start))) return []
    const model = following.find((other) => instantOf(other.replaces!) <= instantOf(occurrence.start))
    if ((model ?? entry).isFree) return []
    if (!model) return [timeOf(occurrence.start, occurrence.lengthMs)]
    const moved = occurrence.start.wallMs + model.start.wallMs - model.replaces!.wallMs
    return [timeOf({ ...model.start, wallMs: moved }, model.lengthMs)]
  })
}

/** A day excludes whatever begins on it. */
const isAt = (one: Moment, start: Moment): boolean =>
  one.isDay ? Math.floor(start.wallMs / DAY_MS) * DAY_MS === one.wallMs : instantOf(one) === instantOf(start)

function timeOf(start: Moment, lengthMs: number): FoundTime {
  const fromMs = instantOf(start)
  const untilMs = start.isDay ? start.zone(start.wallMs + lengthMs) : fromMs + lengthMs
  return { fromMs, untilMs, isAllDay: start.isDay }
}

const STEPS: Record<string, number> = {
  SECONDLY: 1000,
  MINUTELY: MINUTE_MS,
  HOURLY: HOUR_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
}

/** Clock times of the rule, from shortly before the first moment of interest to shortly after the last. */
function occurrencesOf(reader: Reader, { start, lengthMs }: Entry, rule: ICAL.Recur): number[] {
  const isOver = endOf(start, rule)
  const earliest = reader.fromMs - lengthMs - 2 * DAY_MS
  const latest = reader.untilMs + 2 * DAY_MS
  // Years of occurrences that are over are skipped in whole steps, which no part of the rule notices except a number of times.
  const step = (STEPS[rule.freq] ?? 0) * rule.interval
  const skipped = step && !rule.count ? Math.max(0, Math.floor((earliest - start.wallMs) / step)) : 0
  const iterator = Object.assign(rule.clone(), { until: null }).iterator(wallTime(start.wallMs + skipped * step))
  const found: number[] = []
  for (let next = iterator.next(); next; next = iterator.next()) {
    const wallMs = wallOf(next)
    if (wallMs > latest || isOver(wallMs)) break
    if (--reader.left < 0) throw new TooManyTimes()
    if (wallMs >= earliest) found.push(wallMs)
  }
  return found
}

const wallTime = (wallMs: number): ICAL.Time => {
  const time = ICAL.Time.fromJSDate(new Date(wallMs), true)
  time.zone = ICAL.Timezone.localTimezone
  return time
}

/** UNTIL is a moment in UTC, a clock time, or a day that is included. */
function endOf(start: Moment, { until }: ICAL.Recur): (wallMs: number) => boolean {
  if (!until) return () => false
  const last = wallOf(until) + (until.isDate ? DAY_MS - 1 : 0)
  const isUtc = !until.isDate && until.zone?.tzid === 'UTC'
  return isUtc && !start.isDay ? (wallMs) => start.zone(wallMs) > last : (wallMs) => wallMs > last
}

/** Servers that share only free and busy times. */
function readFreeBusy(reader: Reader, component: ICAL.Component): FoundTime[] {
  return component
    .getAllProperties('freebusy')
    .filter((property) => String(property.getFirstParameter('fbtype') ?? 'BUSY').toUpperCase() !== 'FREE')
    .flatMap((property) =>
      property.getValues().flatMap((value) => {
        if (!(value instanceof ICAL.Period)) return []
        const fromMs = instantOf(momentOf(reader, property, value.start))
        return [{ fromMs, untilMs: fromMs + value.getDuration().toSeconds() * 1000, isAllDay: false }]
      }),
    )
}

/** Times of one kind within the moments of interest; those that overlap or touch become one. */
function mergeTimes({ fromMs, untilMs }: ReadOptions, found: readonly FoundTime[], isAllDay: boolean): FoundTime[] {
  const sorted = found
    .filter((time) => time.isAllDay === isAllDay)
    .map((time) => ({ fromMs: Math.max(time.fromMs, fromMs), untilMs: Math.min(time.untilMs, untilMs), isAllDay }))
    .filter((time) => time.fromMs < time.untilMs)
    .toSorted((a, b) => a.fromMs - b.fromMs)
  const merged: FoundTime[] = []
  for (const time of sorted) {
    const last = merged.at(-1)
    if (last && time.fromMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, time.untilMs)
    else merged.push({ ...time })
  }
  return merged
}
