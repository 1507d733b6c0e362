import { hash } from 'node:crypto'
import type { Temporal } from 'temporal-polyfill'
import {
  COPIED_EVENT_PARTS,
  type EventInput,
  type EventPart,
  eventSnapshot,
  inputNameOf,
} from '#features/events/events/rules/event-fields.ts'
import { COPIED_PARTS, type ShiftPart, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { PlannedEvent } from '#features/planning/planning/queries/events.ts'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { stableStringify } from '#features/planning/planning/rules/changes.ts'
import { type FormVersion, makeFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { DEADLINES } from '#features/planning/shift-forms/rules/flow-checks.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import { toWallTime } from '#features/planning/shift-forms/rules/shift-times.ts'
import { readFixedMoment } from '#features/staffing/staffing/rules/opening.ts'
import { dayOf, daysBetween, moveShift } from './moving-dates.ts'

/** `key`: the same for the counterparts of a shift in all events of the series. */
type GeneratedShift = { id: number; key: number; parts: FormVersion }
/** Hashes of what the series put into an event. */
export type Generated = { event: FormVersion; shifts: GeneratedShift[] }

export type SeriesEvent = { date: string; event: PlannedEvent; shifts: PlannedShift[]; generated: Generated }

/** A change of one event that can be applied to others. Its id is the value of a checkbox. */
export type SeriesChange = { id: string } & (
  | { kind: 'event'; part: EventPart }
  | { kind: 'shift'; key: number; part: ShiftPart; shift: PlannedShift }
  | { kind: 'added'; key: number; shift: PlannedShift }
  | { kind: 'removed'; key: number }
)

export const withEventPart = (event: EventInput, part: EventPart, from: EventInput): EventInput => ({
  ...event,
  [inputNameOf(part)]: from[inputNameOf(part)],
})

function relativeTo(date: string, wall: Temporal.PlainDateTime): string {
  return `${daysBetween(date, wall.toPlainDate().toString())} ${wall.toPlainTime().toString()}`
}

/** A fixed deadline counted from the day of the event; durations and invalid texts stay. */
function relativeDeadline(text: string, date: string, timeZone: string): string {
  const at = readFixedMoment(text, timeZone)
  return at ? relativeTo(date, toWallTime(at, timeZone)) : text
}

type Place = { date: string; timeZone: string; keyOf: (shiftId: number) => number | undefined }

/** The parts of a shift without its date, to compare shifts on different days. */
function shiftParts(shift: ShiftInput, { date, timeZone, keyOf }: Place): Record<ShiftPart, unknown> {
  const { meeting, start, end } = shift.times
  const configuration = Object.entries(shift.flowConfiguration).map(([name, value]) => {
    if (name === 'leader_shift_id') return [name, keyOf(Number(value)) ?? null]
    return [name, DEADLINES.includes(name) && typeof value === 'string' ? relativeDeadline(value, date, timeZone) : value]
  })
  return {
    ...shiftFields.pick(shift),
    times: [meeting, start, end].map((at) => relativeTo(date, toWallTime(at, timeZone))),
    flow: [shift.flowSlug, Object.fromEntries(configuration)],
    structure: [shift.structureSlug, shift.structureConfiguration],
    questions: [...shift.questions],
  }
}

export function withShiftPart(shift: ShiftInput, part: ShiftPart, from: ShiftInput): ShiftInput {
  if (part === 'flow') return { ...shift, flowSlug: from.flowSlug, flowConfiguration: from.flowConfiguration }
  if (part === 'structure')
    return { ...shift, structureSlug: from.structureSlug, structureConfiguration: from.structureConfiguration }
  return { ...shift, [part]: from[part] }
}

type Hashed = { event: FormVersion; shifts: Map<number, { shift: PlannedShift; parts: FormVersion }> }

/** Shifts that the series does not know have their own id as key. */
export function keysOf({ generated, shifts }: Pick<SeriesEvent, 'generated' | 'shifts'>): Map<number, number> {
  const known = new Map(generated.shifts.map(({ id, key }) => [id, key]))
  return new Map(shifts.map(({ id }) => [id, known.get(id) ?? id]))
}

function hashed(member: SeriesEvent, timeZone: string): Hashed {
  const keys = keysOf(member)
  const place = { date: member.date, timeZone, keyOf: (id: number) => keys.get(id) }
  return {
    event: makeFormVersion(eventSnapshot(member.event)),
    shifts: new Map(
      member.shifts.map((shift) => [keys.get(shift.id)!, { shift, parts: makeFormVersion(shiftParts(shift, place)) }]),
    ),
  }
}

/** What an event is now, as what the series put into it. */
export function generatedFrom(member: SeriesEvent, timeZone: string): Generated {
  const { event, shifts } = hashed(member, timeZone)
  return { event, shifts: [...shifts].map(([key, { shift, parts }]) => ({ id: shift.id, key, parts })) }
}

/** Changes with every value of the event, but not with its participations. */
export const digestOf = (member: SeriesEvent, timeZone: string): string =>
  hash('sha256', stableStringify(generatedFrom(member, timeZone)), 'base64url').slice(0, 12)

/** How an event differs from what the series put into it. */
export function changesOf(member: SeriesEvent, timeZone: string): SeriesChange[] {
  const now = hashed(member, timeZone)
  const { generated } = member
  const known = new Map(generated.shifts.map((each) => [each.key, each]))
  return [
    ...COPIED_EVENT_PARTS.filter((part) => now.event[part] !== (generated.event[part] ?? now.event[part])).map(
      (part): SeriesChange => ({ id: `event-${part}`, kind: 'event', part }),
    ),
    ...[...now.shifts].flatMap(([key, { shift, parts }]): SeriesChange[] => {
      const before = known.get(key)?.parts
      if (!before) return [{ id: `added-${key}`, kind: 'added', key, shift }]
      return COPIED_PARTS.filter((part) => parts[part] !== (before[part] ?? parts[part])).map((part) => ({
        id: `shift-${key}-${part}`,
        kind: 'shift',
        key,
        part,
        shift,
      }))
    }),
    ...[...known.keys()]
      .filter((key) => !now.shifts.has(key))
      .map((key): SeriesChange => ({ id: `removed-${key}`, kind: 'removed', key })),
  ]
}

type Blocked = 'no_shift' | 'people' | 'last_shift'
/** What a change does to one event. `differs`: it was changed there by hand, `shift` is the one of that event. */
export type Effect = { change: SeriesChange; shift?: PlannedShift | undefined } & (
  | { does: 'apply' | 'same' | 'differs' }
  | { does: 'blocked'; because: Blocked }
)

/** What the changes of `source` do to another event of the series. `overwrite`: also what was changed there by hand. */
export function effectsOn(
  target: SeriesEvent,
  {
    source,
    changes,
    overwrite,
    timeZone,
  }: { source: SeriesEvent; changes: readonly SeriesChange[]; overwrite: boolean; timeZone: string },
): Effect[] {
  const wanted = hashed(source, timeZone)
  const now = hashed(target, timeZone)
  const known = new Map(target.generated.shifts.map(({ key, parts }) => [key, parts]))
  const judge = (
    current: string | undefined,
    wish: string | undefined,
    before: string | undefined,
  ): 'apply' | 'same' | 'differs' => {
    if (current === wish) return 'same'
    return overwrite || before === undefined || current === before ? 'apply' : 'differs'
  }
  let left = target.shifts.length
  return changes.map((change): Effect => {
    if (change.kind === 'event') {
      const { part } = change
      return { change, does: judge(now.event[part], wanted.event[part], target.generated.event[part]) }
    }
    const found = now.shifts.get(change.key)
    if (change.kind === 'added') return { change, does: found ? 'same' : 'apply' }
    if (change.kind === 'removed') {
      if (!found) return { change, does: 'same' }
      const { shift, parts } = found
      if (shift.confirmed + shift.requested) return { change, shift, does: 'blocked', because: 'people' }
      if (left < 2) return { change, shift, does: 'blocked', because: 'last_shift' }
      const before = known.get(change.key)
      const isOwn = before !== undefined && COPIED_PARTS.some((part) => before[part] !== parts[part])
      if (isOwn && !overwrite) return { change, shift, does: 'differs' }
      left--
      return { change, shift, does: 'apply' }
    }
    if (!found) return { change, does: 'blocked', because: 'no_shift' }
    const { part, key } = change
    return {
      change,
      shift: found.shift,
      does: judge(found.parts[part], wanted.shifts.get(key)?.parts[part], known.get(key)?.[part]),
    }
  })
}

/** The hashes of what was applied are taken from `now`, all others stay. */
export function advance(before: Generated, now: Generated, done: readonly Effect[]): Generated {
  const event = { ...before.event }
  const shifts = new Map(before.shifts.map((shift) => [shift.key, { ...shift, parts: { ...shift.parts } }]))
  for (const { change } of done) {
    if (change.kind === 'event') {
      event[change.part] = now.event[change.part]!
      continue
    }
    const current = now.shifts.find(({ key }) => key === change.key)
    if (change.kind === 'removed') shifts.delete(change.key)
    if (change.kind === 'added' && current) shifts.set(change.key, current)
    const stored = shifts.get(change.key)
    if (change.kind === 'shift' && stored && current) stored.parts[change.part] = current.parts[change.part]!
  }
  return { event, shifts: [...shifts.values()] }
}

/** A shift of `source` on the day of `target`, with the counterpart of its leader there. */
export function shiftFor(shift: PlannedShift, source: SeriesEvent, target: SeriesEvent, timeZone: string): ShiftInput {
  const moved = moveShift(shift, daysBetween(source.date, target.date), timeZone)
  if (moved.flowSlug !== 'coupled') return moved
  const key = keysOf(source).get(Number(moved.flowConfiguration.leader_shift_id))
  const leader = [...keysOf(target)].find(([, each]) => each === key)?.[0] ?? null
  return { ...moved, flowConfiguration: { ...moved.flowConfiguration, leader_shift_id: leader } }
}

export const isOver = ({ shifts }: SeriesEvent, now: Date): boolean =>
  shifts.length > 0 && shifts.every(({ times }) => times.end <= now)

export type Scope = 'following' | 'all'

/** The other events that a change is meant for: not those that are over. */
export function targetsOf(members: readonly SeriesEvent[], source: SeriesEvent, scope: Scope, now: Date): SeriesEvent[] {
  return members.filter(
    (member) => member.event.id !== source.event.id && (scope === 'all' || member.date >= source.date) && !isOver(member, now),
  )
}

/** The day that the times of an event count from: that of its first shift. */
export function dateOf(shifts: readonly { times: { start: Date } }[], timeZone: string): string | undefined {
  const [first] = shifts.map(({ times }) => times.start).sort((a, b) => a.getTime() - b.getTime())
  return first && dayOf(first, timeZone)
}

/** Which dates get new events, which events go, and which stay although the rule has no date for them. */
export function planDates(
  members: readonly SeriesEvent[],
  dates: readonly string[],
  { now, mayDelete }: { now: Date; mayDelete: boolean },
): { added: string[]; removed: SeriesEvent[]; kept: SeriesEvent[] } {
  const taken = new Set(members.map(({ date }) => date))
  const surplus = members.filter((member) => !dates.includes(member.date) && !isOver(member, now))
  const isFree = ({ shifts }: SeriesEvent) => mayDelete && shifts.every(({ confirmed, requested }) => confirmed + requested === 0)
  return {
    added: dates.filter((date) => !taken.has(date)),
    removed: surplus.filter(isFree),
    kept: surplus.filter((member) => !isFree(member)),
  }
}
