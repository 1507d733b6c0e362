import { sql } from 'kysely'
import { deleteIn } from '#features/planning/planning/commands/events.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { keysOf, planDates } from '../rules/linking.ts'
import type { ChosenDates } from '../rules/recurrence.ts'
import { lockSeriesOf, SERIES_GUARD, type SeriesGuard } from './change.ts'
import { makeCopies } from './copies.ts'
import { addMembers, storedRule } from './link.ts'

type RuleOutcome = { step: number; added: number[]; removed: number; kept: number }

/**
 * Changes the rule of a series: copies the event to new dates, and moves events on former dates to the bin, if nobody takes part. Others
 * stay in the series.
 */
export function changeRule(
  context: CommandContext,
  { eventId, chosen }: { eventId: number; chosen: ChosenDates },
  guard: SeriesGuard = SERIES_GUARD,
): Promise<RuleOutcome> {
  return transact(context.db, async (tx) => {
    const { series, members, source } = await lockSeriesOf(tx, context, eventId, guard)
    const mayDelete = hasPermission(context.actor, 'delete_event')
    const { added, removed, kept } = planDates(members, chosen.dates, { now: context.now, mayDelete })
    const rule = storedRule(chosen)
    await guard.checked()
    const step = await record(tx, context, {
      kind: 'event.series_rule_changed',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: {
        rule: [series.rrule, rule.rrule],
        start_date: [series.start, rule.start_date],
        exdates: [series.exdates, rule.exdates],
        rdates: [series.rdates, rule.rdates],
      },
    })
    await sql`update event_series set start_date = ${rule.start_date}::date, rrule = ${rule.rrule}, exdates = ${rule.exdates}::date[],
      rdates = ${rule.rdates}::date[] where id = ${series.id}`.execute(tx)
    // An event in the bin makes room for a new one on its date.
    await sql`delete from event_series_member m using event e
      where e.id = m.event_id and e.deleted_at is not null and m.series_id = ${series.id} and m.date = any (${added}::date[])`.execute(
      tx,
    )
    const { copies } = added.length ? await makeCopies(tx, context, { eventId, dates: added }) : { copies: [] }
    // After the copies: the event itself may be among them.
    for (const { event } of removed) await deleteIn(tx, context, { eventId: event.id })
    const keys = keysOf(source)
    await addMembers(
      tx,
      context,
      series.id,
      copies.map(({ id, date, shifts }) => ({
        id,
        date,
        shifts: new Map([...shifts].map(([original, copy]) => [keys.get(original) ?? original, copy])),
      })),
    )
    return { step, added: copies.map(({ id }) => id), removed: removed.length, kept: kept.length }
  })
}
