import { hash } from 'node:crypto'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { stableStringify } from '#features/planning/planning/rules/changes.ts'
import { dayOf, daysBetween, moveShift } from '#features/planning/series/rules/moving-dates.ts'
import { newShiftValues, readShift, type ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import type { Span } from '#platform/time-span.ts'
import type { Session } from '../formats/programme-file.ts'
import { type Facet, labelOf, leftOutBy, type ProgrammeOptions } from './options.ts'
import type { ContentFault, ProgrammeContent } from './recurring.ts'

const MINUTE_MS = 60_000

/** A shift that the programme asks for. */
export type Wish = Span & { keys: string[]; label: string; sessions: Session[] }
/** A shift that was made from the programme, and what the programme put into it. `shiftId` null: a planner deleted the shift. */
export type Link = Span & { id: number; shiftId: number | null; keys: string[]; label: string }

export type Part = 'times' | 'label'
/**
 * `apply`: the shift is as the programme left it. `conflict`: both were changed, and the shift keeps its own value. `own`: only the shift
 * was changed.
 */
export type PartChange = { part: Part; does: 'apply' | 'conflict' | 'own' }

export const VERDICTS = ['new', 'changed', 'own', 'removed', 'deleted', 'error', 'outside', 'same', 'left_out'] as const
export type Verdict = (typeof VERDICTS)[number]
export type PlanRow =
  | { verdict: 'new'; wish: Wish }
  | { verdict: 'changed' | 'own' | 'same'; wish: Wish; link: Link; shift: PlannedShift; parts: PartChange[] }
  /** The shift was deleted by hand. */
  | { verdict: 'deleted'; wish: Wish; link: Link }
  | { verdict: 'removed'; link: Link; shift: PlannedShift; because: 'gone' | 'left_out' }
  | { verdict: 'outside'; wish: Wish; because: 'over' | 'period' }
  | { verdict: 'left_out'; session: Session; because: Facet }
  | { verdict: 'error'; fault: ContentFault }

export type Plan = {
  rows: PlanRow[]
  /** Links whose shift and sessions are gone: they are deleted when the plan is applied. */
  obsolete: number[]
}

export const peopleOf = ({ confirmed, requested }: PlannedShift): number => confirmed + requested

type PlanInput = {
  content: ProgrammeContent
  options: ProgrammeOptions
  links: readonly Link[]
  shifts: readonly PlannedShift[]
  now: Date
  timeZone: string
}

/** Compares the programme with the shifts of the event. Shifts that are over stay as they are. */
export function planProgramme({ content, options, links, shifts, now, timeZone }: PlanInput): Plan {
  const { wishes, leftOut, outside } = wishesOf(content.sessions, options, timeZone)
  const byId = new Map(shifts.map((shift) => [shift.id, shift]))
  const linked = matchLinks(wishes, links)
  const obsolete: number[] = []
  const rows: PlanRow[] = []
  for (const wish of wishes) {
    const link = linked.get(wish)
    const shift = link?.shiftId == null ? undefined : byId.get(link.shiftId)
    if (link && shift) rows.push(compare(wish, link, shift, now))
    else if (wish.end <= now) rows.push({ verdict: 'outside', wish, because: 'over' })
    else rows.push(link ? { verdict: 'deleted', wish, link } : { verdict: 'new', wish })
  }
  const used = new Set([...linked.values()].map(({ id }) => id))
  const known = new Set([...leftOut.map(({ session }) => session.key), ...outside.flatMap(({ keys }) => keys)])
  for (const link of links.filter(({ id }) => !used.has(id))) {
    const shift = link.shiftId === null ? undefined : byId.get(link.shiftId)
    if (!shift) obsolete.push(link.id)
    else if (shift.times.end > now)
      rows.push({ verdict: 'removed', link, shift, because: link.keys.some((key) => known.has(key)) ? 'left_out' : 'gone' })
  }
  rows.push(
    ...content.faults.map((fault): PlanRow => ({ verdict: 'error', fault })),
    ...outside.map((wish): PlanRow => ({ verdict: 'outside', wish, because: 'period' })),
    ...leftOut.map(({ session, because }): PlanRow => ({ verdict: 'left_out', session, because })),
  )
  return { rows, obsolete }
}

/** Shifts of the sessions that the options choose: one each, or one for sessions of a room that follow each other. */
export function wishesOf(sessions: readonly Session[], options: ProgrammeOptions, timeZone: string) {
  const leftOut = sessions.flatMap((session) => {
    const because = leftOutBy(session, options)
    return because ? [{ session, because }] : []
  })
  const chosen = sessions.filter((session) => !leftOutBy(session, options))
  const isWithin = ({ start }: Session) => {
    const day = dayOf(new Date(start), timeZone)
    return (!options.from || day >= options.from) && (!options.until || day <= options.until)
  }
  const toWish = (group: Session[]) => wishOf(group, options)
  return {
    wishes: groupSessions(chosen.filter(isWithin), options).map(toWish).sort(byStart),
    outside: chosen.filter((session) => !isWithin(session)).map((session) => toWish([session])),
    leftOut,
  }
}

const byStart = (a: Wish, b: Wish): number => a.start.getTime() - b.start.getTime() || a.label.localeCompare(b.label)

function groupSessions(sessions: readonly Session[], { split, gap }: ProgrammeOptions): Session[][] {
  if (split === 'session') return sessions.map((session) => [session])
  const groups: Session[][] = []
  for (const inRoom of Map.groupBy(sessions, ({ room }) => room).values()) {
    let last = Number.NEGATIVE_INFINITY
    for (const session of inRoom.toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start) || (a.key < b.key ? -1 : 1))) {
      if (Date.parse(session.start) - last > gap * MINUTE_MS) groups.push([])
      groups.at(-1)!.push(session)
      last = Math.max(last, Date.parse(session.end))
    }
  }
  return groups
}

function wishOf(sessions: Session[], { lead, followUp, label }: ProgrammeOptions): Wish {
  return {
    keys: sessions.map(({ key }) => key),
    label: labelOf(label, sessions),
    start: new Date(Math.min(...sessions.map(({ start }) => Date.parse(start))) - lead * MINUTE_MS),
    end: new Date(Math.max(...sessions.map(({ end }) => Date.parse(end))) + followUp * MINUTE_MS),
    sessions,
  }
}

/** A shift belongs to the wish with which it shares most sessions, then the larger part of its own; then older shifts first. */
function matchLinks(wishes: readonly Wish[], links: readonly Link[]): Map<Wish, Link> {
  const wishOfKey = new Map(wishes.flatMap((wish) => wish.keys.map((key) => [key, wish] as const)))
  const pairs = links.flatMap((link) => {
    const shared = new Map<Wish, number>()
    for (const key of link.keys) {
      const wish = wishOfKey.get(key)
      if (wish) shared.set(wish, (shared.get(wish) ?? 0) + 1)
    }
    return [...shared].map(([wish, count]) => ({ wish, link, count, share: count / link.keys.length }))
  })
  const matched = new Map<Wish, Link>()
  const used = new Set<number>()
  for (const { wish, link } of pairs.sort((a, b) => b.count - a.count || b.share - a.share || a.link.id - b.link.id)) {
    if (matched.has(wish) || used.has(link.id)) continue
    matched.set(wish, link)
    used.add(link.id)
  }
  return matched
}

const isSameSpan = (a: Span, b: Span): boolean => a.start.getTime() === b.start.getTime() && a.end.getTime() === b.end.getTime()

function compare(wish: Wish, link: Link, shift: PlannedShift, now: Date): PlanRow {
  const judge = (part: Part, isWished: boolean, isUntouched: boolean, isNews: boolean): PartChange[] => {
    if (isWished) return []
    if (isUntouched) return [{ part, does: 'apply' }]
    return [{ part, does: isNews ? 'conflict' : 'own' }]
  }
  const isOver = shift.times.end <= now
  const parts = isOver
    ? []
    : [
        ...judge('times', isSameSpan(shift.times, wish), isSameSpan(shift.times, link), !isSameSpan(link, wish)),
        ...judge('label', shift.label === wish.label, shift.label === link.label, link.label !== wish.label),
      ]
  const verdict = parts.some(({ does }) => does === 'apply') ? 'changed' : parts.length ? 'own' : 'same'
  return { verdict, wish, link, shift, parts }
}

/** The meeting time keeps its distance to the start. */
const timesAt = ({ start, end }: Span, { start: from, meeting }: ShiftTimes): ShiftTimes => ({
  start,
  end,
  meeting: new Date(start.getTime() - (from.getTime() - meeting.getTime())),
})

const NO_VALUES = newShiftValues('')

/** The defaults of a new shift. */
function defaultShift({ start, end }: Span, timeZone: string): ShiftInput {
  const { input } = readShift(NO_VALUES, '', { timeZone, leaders: new Set(), newUuid: () => '' })
  return { ...input, times: { meeting: start, start, end } }
}

/** A new shift like `like`, on the day of the sessions; without it, with the defaults of new shifts. */
export function shiftFor(wish: Wish, like: ShiftInput | undefined, timeZone: string): ShiftInput {
  const pattern = like ?? defaultShift(wish, timeZone)
  const days = daysBetween(dayOf(pattern.times.start, timeZone), dayOf(wish.start, timeZone))
  return { ...moveShift(pattern, days, timeZone), label: wish.label, times: timesAt(wish, pattern.times) }
}

/** The shift with some parts as the programme has them. */
export function withParts(shift: ShiftInput, wish: Wish, parts: readonly Part[]): ShiftInput {
  return {
    ...shift,
    ...(parts.includes('label') ? { label: wish.label } : {}),
    ...(parts.includes('times') ? { times: timesAt(wish, shift.times) } : {}),
  }
}

const digest = (value: unknown): string => hash('sha256', stableStringify(value), 'base64url').slice(0, 22)

/** Changes with everything that the preview shows and that applying it depends on. */
export const digestOf = ({ rows }: Plan, options: ProgrammeOptions): string => digest([rows, options])

/** What planners are told about: the programme differs from the shifts, and nobody has decided yet. */
export const newsOf = ({ rows }: Plan): PlanRow[] =>
  rows.filter(
    (row) =>
      row.verdict === 'new' ||
      row.verdict === 'changed' ||
      row.verdict === 'removed' ||
      (row.verdict === 'own' && row.parts.some(({ does }) => does === 'conflict')),
  )

/** Null if there is no news. Changes only if a shift would: not with sign-ups, and not with tracks or speakers of a session. */
export function newsDigest(plan: Plan): string | null {
  const news = newsOf(plan)
  if (!news.length) return null
  return digest(
    news.map((row) => {
      if (row.verdict === 'removed') return [row.verdict, row.link.id]
      if (!('wish' in row)) return []
      const { keys, label, start, end } = row.wish
      return [row.verdict, keys, label, start, end]
    }),
  )
}
