import { sql } from 'kysely'
import { shownTo } from '#features/events/access.ts'
import type { SignupStats, State } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll } from '#platform/db/conditions.ts'
import { type Abroad, abroadConditions, findCalendarAbroad } from './abroad.ts'
import { shiftConditions, userOf, type WideFilter } from './event-filters.ts'
import { keepFitting, mayFit } from './fitting.ts'

export type CalendarShift = SignupStats & {
  shift_id: number
  label: string
  event_id: number
  event_title: string
  location: string
  type_title: string
  type_color: string
  /** The caller's own times where they have some. */
  start_time: Date
  end_time: Date
  own: State | null
  cancellation_reason: string | null
  abroad?: Abroad | undefined
}

/** More than anybody can look through; a month with more of them is to be narrowed. */
const MOST_SHIFTS = 3000
const MOST_JUDGED = 600

export type CalendarFound = { shifts: CalendarShift[]; isCut: boolean }

/** Shifts that take place between two moments, cancelled ones too, in order of time. */
export async function findCalendarShifts(
  context: RequestContext,
  filter: WideFilter,
  { from, until }: { from: Date; until: Date },
): Promise<CalendarFound> {
  const most = filter.fitsMe ? MOST_JUDGED : MOST_SHIFTS
  const abroad = abroadConditions(context, filter)
  const theirs = abroad ? await findCalendarAbroad(context, abroad, { from, until }, most + 1) : []
  if (filter.whose === 'others') return merged([], theirs, most)
  const conditions = [...shiftConditions(context, filter), ...(filter.fitsMe ? [sql`e.listed and ${mayFit(context)}`] : [])]
  const { rows } = await sql<CalendarShift>`
    select s.id as shift_id, s.label, e.id as event_id, e.title as event_title, e.location, t.title as type_title, t.color as type_color,
      case when p.state in (0, 1) then p.start_time else s.start_time end as start_time,
      case when p.state in (0, 1) then p.end_time else s.end_time end as end_time,
      p.state as own, e.cancellation_reason,
      s.requested_count as "requestedCount", s.confirmed_count as "confirmedCount", s.missing, s.free,
      s.min_count as "minCount", s.max_count as "maxCount"
    from shift s join event e on e.id = s.event_id join event_type t on t.id = e.type_id
      left join participation p on p.shift_id = s.id and p.user_id = ${userOf(context)}
    where ${shownTo(context.actor)} and e.start_time < ${until} and e.end_time > ${from}
      and s.start_time < ${until} and s.end_time > ${from}${andAll(conditions)}
    order by s.start_time, s.end_time, s.id limit ${most + 1}`.execute(context.db)
  const isCut = rows.length > most
  const shifts = rows.slice(0, most)
  if (!filter.fitsMe) return merged(rows, theirs, most)
  const fitting = await keepFitting(
    context,
    shifts.map(({ shift_id }) => shift_id),
  )
  return { shifts: shifts.filter(({ shift_id }) => fitting.has(shift_id)), isCut }
}

/** In order of time, whoever plans them. */
function merged(ours: readonly CalendarShift[], theirs: readonly CalendarShift[], most: number): CalendarFound {
  const all = theirs.length
    ? [...ours, ...theirs].sort(
        (a, b) => a.start_time.getTime() - b.start_time.getTime() || a.end_time.getTime() - b.end_time.getTime(),
      )
    : [...ours]
  return { shifts: all.slice(0, most), isCut: all.length > most }
}
