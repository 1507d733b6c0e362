import { sql } from 'kysely'
import { deleteIn } from '#features/planning/planning/commands/events.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { findKnownStarts, findOwnDrafts, findSourceEvents, spanOfMonths } from '../queries/months.ts'
import { type ChosenCopy, MAX_MONTH_COPIES, type MonthChoice, planCopies, writeChosen } from '../rules/months.ts'
import { makeCopies } from './copies.ts'

/** A parameter of the command, so that a test can show the race without the lock. */
type MonthGuard = { lock: (tx: Tx) => Promise<void>; checked: () => Promise<void> }

/** One planner at a time: others see the copies before they make their own. */
const MONTH_GUARD: MonthGuard = {
  lock: async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('turnout.copy_month'))`.execute(tx)
  },
  checked: async () => {},
}

type MonthOutcome = { copies: number[] /** Exist by now, or cannot be copied any more. */; skipped: number }

/**
 * Copies events of a month to the chosen dates as drafts. A copy is made only if as many events of this title and start exist as the
 * planner saw, so that a form that is sent twice copies once.
 */
export function copyMonth(
  context: CommandContext,
  { choice, chosen }: { choice: MonthChoice; chosen: readonly ChosenCopy[] },
  guard: Partial<MonthGuard> = {},
): Promise<MonthOutcome> {
  const { actor, site } = context
  if (!hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
  if (chosen.length > MAX_MONTH_COPIES) throw new Problem('invalid_input')
  return transact(context.db, async (tx): Promise<MonthOutcome> => {
    const { lock, checked } = { ...MONTH_GUARD, ...guard }
    await lock(tx)
    const caller = { db: tx, actor }
    const { events } = await findSourceEvents(caller, spanOfMonths(choice.source, 1, site.timeZone), choice.type)
    const known = await findKnownStarts(caller, spanOfMonths(choice.target, choice.months, site.timeZone))
    const plan = planCopies(events, choice, { known, timeZone: site.timeZone })
    const wanted = new Set(chosen.map(writeChosen))
    const now = plan.copies.filter((copy) => wanted.has(writeChosen(copy)))
    await checked()
    const copies: number[] = []
    for (const [eventId, rows] of Map.groupBy(now, (copy) => copy.eventId)) {
      const made = await makeCopies(tx, context, { eventId, dates: rows.map(({ date }) => date) })
      copies.push(...made.copies.map(({ id }) => id))
    }
    return { copies, skipped: wanted.size - now.length }
  })
}

/** Moves copies to the bin that the caller has made, as long as they are drafts without sign-ups. */
export function undoCopies(context: CommandContext, ids: readonly number[]): Promise<{ undone: number; left: number }> {
  return transact(context.db, async (tx) => {
    const drafts = await findOwnDrafts({ db: tx, actor: context.actor }, ids)
    for (const eventId of drafts) await deleteIn(tx, context, { eventId })
    return { undone: drafts.length, left: ids.length - drafts.length }
  })
}
