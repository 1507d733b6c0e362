import { copyGuestShare } from '#features/participations/commands/guest-shares.ts'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { getCopiedEvent } from '../queries/events.ts'
import { findStoredShifts } from '../queries/shifts.ts'
import { changesBetween } from '../rules/changes.ts'
import { moveShift, relink } from '../rules/copying.ts'
import { dayOf, daysBetween } from '../rules/moving-dates.ts'
import { eventFacts, insertEvent, limitToPublishable } from './events.ts'
import { insertShift } from './store-shifts.ts'

/** What other rooms keep with an event, copied in the same transaction. */
export type CopyAlong = (tx: Tx, context: CommandContext, fromEventId: number, toEventId: number) => Promise<void>

const SHIFTS_AT_ONCE = 100

/** One copy for each date, which is that of its first shift; everything but the participations. */
export function duplicateEvent(
  context: CommandContext,
  { eventId, dates, along = [] }: { eventId: number; dates: readonly string[]; along?: readonly CopyAlong[] },
): Promise<number[]> {
  const { actor, site } = context
  if (actor.kind !== 'user' || !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const source = await getCopiedEvent(tx, actor, eventId)
    if (!source) throw new Problem('not_found')
    const shifts = await findStoredShifts(tx, eventId)
    const first = shifts.map(({ times }) => times.start).sort((a, b) => a.getTime() - b.getTime())[0]
    const wish = {
      ...source,
      groups: await limitToPublishable(tx, context, source.groups),
      responsibleUsers: [...source.responsibleUsers, actor.userId],
    }
    const copies: number[] = []
    let made: number[] = []
    // Not all at once: what triggers keep is compared row by row, and a thousand copies would outlast any statement.
    const settle = async () => {
      await refreshStatistics(tx, made)
      made = []
    }
    for (const date of dates) {
      const days = first ? daysBetween(dayOf(first, site.timeZone), date) : 0
      const copyId = await insertEvent(tx, context, wish)
      const counterparts = new Map<number, number>()
      // Leaders first: their counterparts have ids when those who follow them need one.
      for (const shift of [...shifts].sort((a, b) => Number(a.flowSlug === 'coupled') - Number(b.flowSlug === 'coupled'))) {
        const id = await insertShift(tx, copyId, relink(moveShift(shift, days, site.timeZone), counterparts))
        counterparts.set(shift.id, id)
        made.push(id)
      }
      await copyGuestShare(tx, context, eventId, copyId)
      for (const copy of along) await copy(tx, context, eventId, copyId)
      await record(tx, context, {
        kind: 'event.duplicated',
        subject: { kind: 'event', id: copyId },
        eventId: copyId,
        changes: { ...changesBetween(undefined, eventFacts(wish)), copied_from: [null, eventId], date: [null, date] },
      })
      copies.push(copyId)
      if (made.length >= SHIFTS_AT_ONCE) await settle()
    }
    await settle()
    return copies
  })
}
