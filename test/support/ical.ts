import assert from 'node:assert/strict'
import ICAL from 'ical.js'

export type Component = ICAL.Component

/**
 * Parse a calendar and reject what RFC 5545 forbids and the library accepts: other line ends than CRLF, lines longer than 75 octets,
 * control characters, and (because writing must return the same lines) unescaped text, names in lower case or a BEGIN without its END.
 */
export function parseIcal(text: string): Component {
  checkLines(text)
  const parsed: unknown[] = ICAL.parse(text)
  assert.equal(parsed[0], 'vcalendar', 'expected exactly one VCALENDAR')
  const calendar = new ICAL.Component(parsed)
  checkSameLines(text, `${calendar}\r\n`)
  checkCalendar(calendar)
  return calendar
}

function checkLines(text: string): void {
  assert.ok(text.endsWith('\r\n'), 'the last line does not end with CRLF')
  for (const line of text.slice(0, -2).split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, `longer than 75 octets: ${line}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 allows no control character but the tab
    assert.doesNotMatch(line, /[\u0000-\u0008\u000a-\u001f\u007f]/, line)
  }
}

/** The library writes properties before components, omits default value types and quotes parameters only if it must. */
function checkSameLines(text: string, written: string): void {
  const [expected, actual] = [text, written].map((calendar) =>
    calendar
      .replaceAll(/\r\n[ \t]/g, '')
      .split('\r\n')
      .map((line) => line.replace(/^URL;VALUE=URI:/, 'URL:').replace(/;CN="([^",;:]*)":/, ';CN=$1:')),
  ) as [string[], string[]]
  for (const line of expected.slice(0, -1)) assert.match(line, /^[A-Z0-9-]+[;:]/)
  const nesting = (lines: string[]) => lines.filter((line) => /^(BEGIN|END):/.test(line))
  assert.deepEqual(nesting(actual), nesting(expected))
  assert.deepEqual(actual.toSorted(), expected.toSorted())
}

function getOne(component: Component, name: string): ICAL.Property {
  const found = component.getAllProperties(name.toLowerCase())
  assert.equal(found.length, 1, `${component.name} has ${found.length} ${name}`)
  return found[0]!
}

/** The value as jCal (RFC 7265) writes it, before the library interprets it as a time, an offset or a duration. */
const jCalValueOf = (component: Component, name: string): string => getOne(component, name).toJSON()[3]

/** The text of a property, or undefined. */
export const textOf = (component: Component, name: string): string | undefined =>
  component.getFirstPropertyValue(name.toLowerCase())?.toString()

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/
const OFFSET = /^[+-]\d\d:\d\d(:\d\d)?$/

function checkCalendar(calendar: Component): void {
  assert.equal(textOf(calendar, 'VERSION'), '2.0')
  for (const name of ['VERSION', 'PRODID']) getOne(calendar, name)
  assert.ok(calendar.getAllSubcomponents().length > 0, 'the calendar is empty')
  const zones = calendar.getAllSubcomponents('vtimezone')
  const zoneIds = zones.map((zone) => jCalValueOf(zone, 'TZID'))
  assert.equal(new Set(zoneIds).size, zoneIds.length, 'two VTIMEZONE have the same TZID')
  for (const zone of zones) checkZone(zone)
  const uids = eventsOf(calendar).map((event) => jCalValueOf(event, 'UID'))
  assert.equal(new Set(uids).size, uids.length, 'two events have the same UID')
  for (const event of eventsOf(calendar)) checkEvent(event, zoneIds)
}

function checkZone(zone: Component): void {
  assert.ok(zone.getAllSubcomponents().length > 0, 'a VTIMEZONE has no rules')
  for (const rule of zone.getAllSubcomponents()) {
    assert.match(rule.name, /^(standard|daylight)$/)
    assert.match(jCalValueOf(rule, 'DTSTART'), LOCAL)
    for (const name of ['TZOFFSETFROM', 'TZOFFSETTO']) assert.match(jCalValueOf(rule, name), OFFSET)
  }
}

function checkEvent(event: Component, zoneIds: string[]): void {
  assert.match(jCalValueOf(event, 'DTSTAMP'), UTC)
  for (const name of ['DTSTART', 'DTEND']) {
    const zoneId = getOne(event, name).getFirstParameter('tzid')
    assert.match(jCalValueOf(event, name), zoneId ? LOCAL : UTC)
    if (zoneId) assert.ok(zoneIds.includes(zoneId), `${zoneId} has no VTIMEZONE`)
  }
  assert.match(jCalValueOf(event, 'STATUS'), /^(CONFIRMED|TENTATIVE|CANCELLED)$/)
  for (const alarm of event.getAllSubcomponents()) {
    assert.equal(alarm.name, 'valarm')
    assert.equal(jCalValueOf(alarm, 'ACTION'), 'DISPLAY')
    assert.match(jCalValueOf(alarm, 'TRIGGER'), /^-PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$|^-P\d+D(T.*)?$/)
    getOne(alarm, 'DESCRIPTION')
  }
}

export const eventsOf = (calendar: Component): Component[] => calendar.getAllSubcomponents('vevent')

const localTimeMs = (jCalTime: string): number => Date.parse(`${jCalTime}Z`)

/**
 * The instant of an event's time, calculated only from the VTIMEZONE data of the calendar. A local time that occurs twice means its
 * first occurrence (RFC 5545, section 3.3.5); the library returns the second one where clocks change by half an hour.
 */
export function momentOf(calendar: Component, event: Component, name: 'DTSTART' | 'DTEND'): string {
  const zoneId = getOne(event, name).getFirstParameter('tzid')
  const value = jCalValueOf(event, name)
  if (!zoneId) return new Date(value).toISOString()
  const zone = calendar.getAllSubcomponents('vtimezone').find((each) => jCalValueOf(each, 'TZID') === zoneId)!
  const rule = zone
    .getAllSubcomponents()
    .map((each) => ({ fromMs: localTimeMs(jCalValueOf(each, 'DTSTART')), offset: getOne(each, 'TZOFFSETTO').getFirstValue() }))
    .filter(({ fromMs }) => fromMs <= localTimeMs(value))
    .sort((a, b) => a.fromMs - b.fromMs)
    .at(-1)
  assert.ok(rule?.offset instanceof ICAL.UtcOffset, `${zoneId} has no rule for ${value}`)
  return new Date(localTimeMs(value) - rule.offset.toSeconds() * 1000).toISOString()
}
