import { type RawBuilder, sql } from 'kysely'
import { changeableBy, eventsBesideAudiences, seesAllEvents } from '#features/events/events/access.ts'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import { andAll, type Condition } from '#platform/db/conditions.ts'

/**
 * Lists of events that cost what the caller sees and not what there is: each audience of the caller gives the first rows of its index,
 * and the events that the caller sees for other reasons are added.
 */

/** `listed`: without cancelled events. Both conditions are those of indexes. */
const PUBLISHED = {
  shown: sql`e.active and e.deleted_at is null`,
  listed: sql`e.listed and e.active and e.deleted_at is null`,
}

/** Events that last longer have an index of their own, so that those that began before a time and go on are found quickly. */
const LONG = sql`interval '2 days'`
const isLong = sql`e.end_time - e.start_time > ${LONG}`

export type EventSpan = {
  published: keyof typeof PUBLISHED
  /** Inclusive. */
  endsFrom?: Date | undefined
  /** Exclusive. */
  endsBefore?: Date | undefined
  /** Exclusive. */
  startsBefore?: Date | undefined
}

/** A condition on `event` as `e`. `few`: finds few events by an index of their own; otherwise a range of an index by the start. */
type Range = { condition: Condition; few: boolean }

function rangesOf({ published, endsFrom, endsBefore, startsBefore }: EventSpan): Range[] {
  const common = [
    PUBLISHED[published],
    ...(startsBefore ? [sql`e.start_time < ${startsBefore}`] : []),
    ...(endsBefore ? [sql`e.start_time < ${endsBefore} and e.end_time < ${endsBefore}`] : []),
  ]
  if (!endsFrom) return [{ condition: sql`${common[0]!}${andAll(common.slice(1))}`, few: false }]
  const isRecent = sql`e.start_time >= ${endsFrom}::timestamptz - ${LONG} and e.end_time >= ${endsFrom} and not ${isLong}`
  return [
    { condition: sql`${isRecent}${andAll(common)}`, few: false },
    { condition: sql`${isLong} and e.end_time >= ${endsFrom}${andAll(common)}`, few: true },
  ]
}

type Selection = {
  columns: RawBuilder<unknown>
  /** Follows `from event e`; may join other tables. */
  joins?: RawBuilder<unknown>
  conditions?: readonly Condition[]
  order: RawBuilder<unknown>
  /** At most so many of each audience; all if undefined. */
  most: number | RawBuilder<unknown> | undefined
}

/**
 * Rows of the events in the span that the caller sees, in a statement with `seenAudiences`. Unordered: several sources, each with its
 * first rows.
 */
export const visibleEvents = (actor: Actor, span: EventSpan, selection: Selection): RawBuilder<unknown> =>
  eventsOf(actor, span, selection, { all: seesAllEvents(actor) })

/** Rows of the events in the span that the caller is responsible for, in a statement with `plannedAudiences`. */
export const plannedEvents = (actor: Actor, span: EventSpan, selection: Selection): RawBuilder<unknown> =>
  eventsOf(
    actor,
    span,
    { ...selection, conditions: [changeableBy(actor), ...(selection.conditions ?? [])] },
    { all: hasPermission(actor, 'change_event') },
  )

function eventsOf(actor: Actor, span: EventSpan, selection: Selection, { all }: { all: boolean }): RawBuilder<unknown> {
  const { columns, joins = sql``, conditions = [], order, most } = selection
  const first = most === undefined ? sql`offset 0` : sql`order by ${order} limit ${most}`
  const ranges = rangesOf(span)
  // `offset 0`: the database cannot estimate how few events are long, and would walk through the index by the start to find the first.
  const select = (range: Range, limit: Condition = sql`true`) =>
    range.few
      ? sql`select ${columns} from (select e.* from event e where ${limit} and ${range.condition} offset 0) e ${joins}
          where true${andAll([...conditions])} ${first}`
      : sql`select ${columns} from event e ${joins} where ${limit} and ${range.condition}${andAll([...conditions])} ${first}`
  if (all)
    return sql.join(
      ranges.map((range) => sql`(${select(range)})`),
      sql` union all `,
    )
  const ofAudiences = ranges.map(
    (range) => sql`select own.* from seen cross join lateral (${select(range, sql`e.audience_id = seen.id`)}) own`,
  )
  const inSpan = {
    condition: sql`(${sql.join(
      ranges.map(({ condition }) => condition),
      sql` or `,
    )})`,
    few: false,
  }
  const ofPerson = sql`select own.* from (${eventsBesideAudiences(actor, { unlisted: true })}) beside
    cross join lateral (${select(inSpan, sql`e.id = beside.event_id and e.audience_id not in (select id from seen)`)}) own`
  return sql.join([...ofAudiences, ofPerson], sql` union all `)
}
