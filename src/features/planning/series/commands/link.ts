import { sql } from 'kysely'
import { findPlannedEvents, getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findShiftsOfEvents, findStoredShifts } from '#features/planning/planning/queries/shifts.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { mapInTurns } from '#platform/thread.ts'
import { getSeriesOf } from '../queries/series.ts'
import { dateOf, type Generated, generatedFrom } from '../rules/linking.ts'
import type { ChosenDates } from '../rules/recurrence.ts'
import { writeRrule } from '../rules/rrule.ts'
import { makeCopies } from './copies.ts'

/** The rule, as it is stored. */
export const storedRule = ({ dates, rule, singles, skipped }: Omit<ChosenDates, 'faults'>) => ({
  start_date: rule?.first ?? dates[0]!,
  rrule: rule ? writeRrule(rule) : null,
  exdates: [...new Set(skipped)].sort(),
  rdates: [...new Set(singles)].sort(),
})

/** Makes one draft per date, and links the drafts and the event that was copied, if the caller may change it, as a series. */
export function createSeries(
  context: CommandContext,
  { eventId, chosen }: { eventId: number; chosen: ChosenDates },
): Promise<{ seriesId: number; copies: number[] }> {
  const { actor, site } = context
  return transact(context.db, async (tx) => {
    // Locked, so that the event cannot be put into two series at once.
    const own = await getPlannedEvent(tx, actor, eventId)
    if (own) await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
    const { copies } = await makeCopies(tx, context, { eventId, dates: chosen.dates })
    const shifts = await findStoredShifts(tx, eventId)
    const date = dateOf(shifts, site.timeZone)
    const isMember = own && date && !chosen.dates.includes(date) && !(await getSeriesOf(tx, eventId))
    const seriesId = await insertSeries(tx, context, chosen)
    const itself = isMember ? [{ id: eventId, date, shifts: new Map(shifts.map(({ id }) => [id, id])) }] : []
    await addMembers(tx, context, seriesId, [...itself, ...copies])
    await record(tx, context, {
      kind: 'event.series_created',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { rule: [null, storedRule(chosen).rrule], dates: [null, chosen.dates.length] },
    })
    return { seriesId, copies: copies.map(({ id }) => id) }
  })
}

/** A series without events; the caller links them. */
export async function insertSeries(tx: Tx, { now }: CommandContext, chosen: ChosenDates): Promise<number> {
  const rule = storedRule(chosen)
  const { id } = await tx
    .insertInto('event_series')
    .values({
      start_date: sql`${rule.start_date}::date`,
      rrule: rule.rrule,
      exdates: sql`${rule.exdates}::date[]`,
      rdates: sql`${rule.rdates}::date[]`,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewMember = { id: number; date: string /** Ids of its shifts by their keys. */; shifts: ReadonlyMap<number, number> }

/** Links events whose shifts have the given keys. What they are now counts as made by the series. */
export async function addMembers(
  tx: Tx,
  { actor, site }: CommandContext,
  seriesId: number,
  members: readonly NewMember[],
): Promise<void> {
  const ids = members.map(({ id }) => id)
  const events = new Map((await findPlannedEvents(tx, actor, ids)).map((event) => [event.id, event]))
  const shifts = Map.groupBy(await findShiftsOfEvents(tx, ids), ({ eventId }) => eventId)
  const rows = await mapInTurns(members, ({ id, date, shifts: keys }) => {
    const event = events.get(id)
    if (!event) return undefined
    const known: Generated = { event: {}, shifts: [...keys].map(([key, shift]) => ({ id: shift, key, parts: {} })) }
    const generated = generatedFrom({ date, event, shifts: shifts.get(id) ?? [], generated: known }, site.timeZone)
    return { event_id: id, date, generated }
  })
  await sql`insert into event_series_member (event_id, series_id, date, generated)
    select event_id, ${seriesId}, date, generated
    from jsonb_to_recordset(${JSON.stringify(rows.filter((row) => row !== undefined))}::jsonb) as member (event_id bigint, date date, generated jsonb)`.execute(
    tx,
  )
}
