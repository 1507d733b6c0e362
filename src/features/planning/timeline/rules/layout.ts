import { type Day, spanOfDay } from '#platform/i18n/days.ts'
import { overlaps, type Span } from '#platform/time-span.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Blocks begin and end on steps of so many minutes: the first at which all shifts do, so that lengths are exact. */
const STEPS = [15, 5, 1]
/** More days with a step of each minute are too many cells. */
const SHORTEST_STEP_OF_DAYS = 5
/** Hours before the first and after the last shift that the grid shows, as room for moving. */
const ROOM_HOURS = 2

/** An hour of the grid; the last one of a day can be shorter where the clocks change by half an hour. */
export type Column = Span & { day: Day; steps: number }

type Labelled = Span & { id: number; label: string }
/** A shift within the visible hours. `from` and `until` count steps from the first column. */
type Block<Shift> = { shift: Shift; from: number; until: number; startsBefore: boolean; endsAfter: boolean }
type Row<Shift> = { label: string; lanes: Block<Shift>[][] }
export type Cell<Shift> = { kind: 'space'; steps: number } | { kind: 'block'; steps: number; block: Block<Shift> }

/** The hours of these days: 23, 24 or 25 a day. */
const hoursOf = (days: readonly Day[], timeZone: string, stepMs: number): Column[] =>
  days.flatMap((day) => {
    const { start, end } = spanOfDay(day, timeZone)
    const count = Math.ceil((end.getTime() - start.getTime()) / HOUR_MS)
    return Array.from({ length: count }, (_, index): Column => {
      const from = start.getTime() + index * HOUR_MS
      const until = Math.min(from + HOUR_MS, end.getTime())
      return { day, start: new Date(from), end: new Date(until), steps: (until - from) / stepMs }
    })
  })

/** The hours of the days from the first to the last shift, with some room. All hours if no shift is on these days. */
export function columnsOf(days: readonly Day[], shifts: readonly Span[], timeZone: string): Column[] {
  const all = hoursOf(days, timeZone, stepOf(days, shifts, timeZone))
  const used = all.flatMap((column, index) => (shifts.some((shift) => overlaps(shift, column)) ? [index] : []))
  if (!used.length) return all
  return all.slice(Math.max(0, used[0]! - ROOM_HOURS), used.at(-1)! + 1 + ROOM_HOURS)
}

function stepOf(days: readonly Day[], shifts: readonly Span[], timeZone: string): number {
  const shown = { start: spanOfDay(days[0]!, timeZone).start, end: spanOfDay(days.at(-1)!, timeZone).end }
  const times = shifts.filter((shift) => overlaps(shift, shown)).flatMap(({ start, end }) => [start.getTime(), end.getTime()])
  const allowed = days.length > 1 ? STEPS.filter((step) => step >= SHORTEST_STEP_OF_DAYS) : STEPS
  const step = allowed.find((minutes) => times.every((time) => time % (minutes * MINUTE_MS) === 0)) ?? allowed.at(-1)!
  return step * MINUTE_MS
}

export const stepMsOf = ([first]: readonly Column[]): number => (first!.end.getTime() - first!.start.getTime()) / first!.steps

/** Blocks that are shorter than this are as wide as if they were so long. */
const SHORTEST_READABLE_MS = 15 * MINUTE_MS

/** The width of an hour in which the shortest block has a width of `least`. */
export function hourWidth(shifts: readonly Span[], columns: readonly Column[], least: number): number {
  const span = spanOf(columns)
  const lengths = shifts.filter((shift) => overlaps(shift, span)).map(({ start, end }) => end.getTime() - start.getTime())
  const shortest = Math.max(SHORTEST_READABLE_MS, Math.min(HOUR_MS, ...lengths))
  return Math.ceil((least * HOUR_MS) / shortest)
}

export const spanOf = (columns: readonly Column[]): Span => ({ start: columns[0]!.start, end: columns.at(-1)!.end })

/** Shifts with the same label share a row; those without a label have their own. Rows are in the order of their first shift. */
export function rowsOf<Shift extends Labelled>(shifts: readonly Shift[], columns: readonly Column[]): Row<Shift>[] {
  const span = spanOf(columns)
  const byTime = [...shifts].sort((a, b) => a.start.getTime() - b.start.getTime() || a.id - b.id)
  const groups = Map.groupBy(byTime, ({ id, label }) => label.trim() || id)
  return [...groups.values()].flatMap((group) => {
    const blocks = group.filter((shift) => overlaps(shift, span)).map((shift) => blockOf(shift, span, stepMsOf(columns)))
    return blocks.length ? [{ label: group[0]!.label.trim(), lanes: lanesOf(blocks) }] : []
  })
}

function blockOf<Shift extends Span>(shift: Shift, span: Span, stepMs: number): Block<Shift> {
  const last = (span.end.getTime() - span.start.getTime()) / stepMs
  const stepsTo = (at: Date) => (at.getTime() - span.start.getTime()) / stepMs
  const from = Math.max(0, Math.floor(stepsTo(shift.start)))
  const until = Math.min(last, Math.max(from + 1, Math.ceil(stepsTo(shift.end))))
  return { shift, from, until, startsBefore: shift.start < span.start, endsAfter: shift.end > span.end }
}

/** Each block in the first lane that is free. */
function lanesOf<Shift>(blocks: readonly Block<Shift>[]): Block<Shift>[][] {
  const lanes: Block<Shift>[][] = []
  for (const block of blocks) {
    const free = lanes.find((lane) => lane.at(-1)!.until <= block.from)
    if (free) free.push(block)
    else lanes.push([block])
  }
  return lanes
}

/** The cells of a lane: blocks and the space between them. */
export function cellsOf<Shift>(lane: readonly Block<Shift>[], columns: readonly Column[]): Cell<Shift>[] {
  const last = columns.reduce((sum, { steps }) => sum + steps, 0)
  const space = (from: number, until: number): Cell<Shift>[] => (until > from ? [{ kind: 'space', steps: until - from }] : [])
  const cells = lane.flatMap((block, index): Cell<Shift>[] => [
    ...space(lane[index - 1]?.until ?? 0, block.from),
    { kind: 'block', steps: block.until - block.from, block },
  ])
  return [...cells, ...space(lane.at(-1)?.until ?? 0, last)]
}

/** The most people who are missing at the same time in each hour. */
export function missingByHour(columns: readonly Column[], gaps: readonly (Span & { count: number })[]): number[] {
  return columns.map((column) => {
    const here = gaps.filter((gap) => overlaps(gap, column))
    const moments = [column.start, ...here.map(({ start }) => start).filter((start) => start > column.start)]
    const at = (moment: Date) => here.filter(({ start, end }) => start <= moment && moment < end)
    return Math.max(...moments.map((moment) => at(moment).reduce((sum, { count }) => sum + count, 0)))
  })
}

/** Where a moment is, in percent of the width. Undefined if the grid does not show it. */
export function placeOf(at: Date, { start, end }: Span): number | undefined {
  if (at < start || at > end) return undefined
  const share = (at.getTime() - start.getTime()) / (end.getTime() - start.getTime())
  return Math.round(share * 100_000) / 1000
}
