import assert from 'node:assert/strict'

export type Component = { name: string; properties: Property[]; children: Component[] }
export type Property = { name: string; parameters: Record<string, string>; value: string }

const NAME = /^[A-Z0-9-]+$/
/** RFC 5545, section 3.1: a name, parameters that may be quoted, a value; no control characters but tabs. */
const LINE = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^",;:]*)(?:,(?:"[^"]*"|[^",;:]*))*)*):(.*)$/s

/** A strict parser of RFC 5545. */
export function parseIcal(text: string): Component {
  assert.ok(text.endsWith('\r\n'), 'the last line ends, too')
  const raw = text.slice(0, -2).split('\r\n')
  for (const line of raw) {
    assert.ok(Buffer.byteLength(line) <= 75, `longer than 75 octets: ${line}`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for
    assert.doesNotMatch(line, /[\u0000-\u0008\u000a-\u001f\u007f]/, line)
  }
  const lines = text
    .slice(0, -2)
    .replaceAll(/\r\n[ \t]/g, '')
    .split('\r\n')
  const root: Component = { name: '', properties: [], children: [] }
  const open = [root]
  for (const line of lines) {
    const property = parseLine(line)
    const inner = open.at(-1)!
    if (property.name === 'BEGIN') {
      const child = { name: property.value, properties: [], children: [] }
      inner.children.push(child)
      open.push(child)
    } else if (property.name === 'END') {
      assert.equal(property.value, inner.name)
      open.pop()
    } else {
      assert.notEqual(inner, root, `outside of a calendar: ${line}`)
      inner.properties.push(property)
    }
  }
  assert.equal(open.length, 1, 'something does not end')
  assert.deepEqual([root.children.length, root.children[0]?.name], [1, 'VCALENDAR'])
  const calendar = root.children[0]!
  checkCalendar(calendar)
  return calendar
}

function parseLine(line: string): Property {
  const found = LINE.exec(line)
  assert.ok(found, `not a line of a calendar: ${line}`)
  const parameters = Object.fromEntries(
    [...found[2]!.matchAll(/;([A-Za-z0-9-]+)=("[^"]*"|[^;]*)/g)].map(([, name, value]) => [name!, value!.replaceAll('"', '')]),
  )
  assert.match(found[1]!, NAME)
  return { name: found[1]!, parameters, value: found[3]! }
}

const one = ({ name, properties }: Component, wanted: string): Property => {
  const found = properties.filter((property) => property.name === wanted)
  assert.equal(found.length, 1, `${name} has ${found.length} ${wanted}`)
  return found[0]!
}

/** The text of a property, or undefined. */
export function textOf(component: Component, name: string): string | undefined {
  const value = component.properties.find((property) => property.name === name)?.value
  if (value === undefined) return undefined
  assert.doesNotMatch(value.replaceAll(/\\[\\;,nN]/g, ''), /[\\;,]/, `${name} is not escaped: ${value}`)
  return value.replaceAll(/\\([\\;,nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped))
}

const UTC = /^\d{8}T\d{6}Z$/
const LOCAL = /^\d{8}T\d{6}$/
const OFFSET = /^[+-](?!0000$)?\d{4}(\d\d)?$/

function checkCalendar(calendar: Component): void {
  assert.equal(one(calendar, 'VERSION').value, '2.0')
  one(calendar, 'PRODID')
  assert.ok(calendar.children.length > 0, 'a calendar holds something')
  const zones = calendar.children.filter(({ name }) => name === 'VTIMEZONE')
  const ids = zones.map((zone) => one(zone, 'TZID').value)
  assert.equal(new Set(ids).size, ids.length)
  for (const zone of zones) {
    assert.ok(zone.children.length > 0)
    for (const rule of zone.children) {
      assert.match(rule.name, /^(STANDARD|DAYLIGHT)$/)
      assert.match(one(rule, 'DTSTART').value, LOCAL)
      for (const name of ['TZOFFSETFROM', 'TZOFFSETTO']) assert.match(one(rule, name).value, OFFSET)
    }
  }
  const uids = eventsOf(calendar).map((event) => one(event, 'UID').value)
  assert.equal(new Set(uids).size, uids.length, 'every event has an id of its own')
  for (const event of eventsOf(calendar)) {
    assert.match(one(event, 'DTSTAMP').value, UTC)
    for (const name of ['DTSTART', 'DTEND']) {
      const { parameters, value } = one(event, name)
      assert.match(value, parameters.TZID ? LOCAL : UTC)
      if (parameters.TZID) assert.ok(ids.includes(parameters.TZID), `${parameters.TZID} has no VTIMEZONE`)
    }
    assert.match(one(event, 'STATUS').value, /^(CONFIRMED|TENTATIVE|CANCELLED)$/)
    for (const alarm of event.children) {
      assert.equal(alarm.name, 'VALARM')
      assert.equal(one(alarm, 'ACTION').value, 'DISPLAY')
      assert.match(one(alarm, 'TRIGGER').value, /^-PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$|^-P\d+D(T.*)?$/)
      one(alarm, 'DESCRIPTION')
    }
  }
}

export const eventsOf = (calendar: Component): Component[] => calendar.children.filter(({ name }) => name === 'VEVENT')

const wall = (value: string): number =>
  Date.parse(value.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z?$/, '$1-$2-$3T$4:$5:$6Z'))
const seconds = (offset: string): number =>
  (offset[0] === '-' ? -1 : 1) *
  (Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(3, 5)) * 60 + Number(offset.slice(5) || 0))

/** The instant of an event's time, calculated only from the VTIMEZONE data of the calendar. */
export function momentOf(calendar: Component, event: Component, name: 'DTSTART' | 'DTEND'): string {
  const { parameters, value } = one(event, name)
  if (!parameters.TZID) return new Date(wall(value)).toISOString()
  const zone = calendar.children.find((child) => child.name === 'VTIMEZONE' && one(child, 'TZID').value === parameters.TZID)!
  const rules = zone.children
    .map((rule) => ({ from: wall(one(rule, 'DTSTART').value), offset: seconds(one(rule, 'TZOFFSETTO').value) }))
    .filter(({ from }) => from <= wall(value))
    .sort((a, b) => a.from - b.from)
  assert.ok(rules.length, `${parameters.TZID} says nothing about ${value}`)
  return new Date(wall(value) - rules.at(-1)!.offset * 1000).toISOString()
}
