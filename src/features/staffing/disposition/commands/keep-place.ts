import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { forgetPlaceBasis } from '#features/staffing/staffing/commands/place-basis.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findRecords } from '../queries/people.ts'
import type { CardPerson } from '../rules/cards.ts'

/** A responsible keeps a person who lost what the place needs: from now on the person counts again. */
export async function keepPlace(context: CommandContext, { shiftId, who }: { shiftId: number; who: CardPerson }): Promise<void> {
  await transact(context.db, async (tx) => {
    const eventId = await getChangeableEventOf(tx, context.actor, shiftId)
    if (eventId === undefined) throw await refuseShift(tx, context.actor, shiftId)
    if ('kind' in who) await GUARD.lockPeople(tx, [who])
    await GUARD.lockEvent(tx, eventId)
    const [found] = await findRecords(tx, [who], [shiftId])
    if (!found) throw new Problem('not_found')
    if (!found.basis) return
    await forgetPlaceBasis(tx, found.id)
    await refreshStatistics(tx, [shiftId])
    await record(tx, context, { kind: 'participation.kept', subject: { kind: 'participation', id: found.id }, eventId })
  })
}
