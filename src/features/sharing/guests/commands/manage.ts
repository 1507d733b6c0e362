import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getProvedGuest } from '../queries.ts'
import type { Verdict } from '../schema.ts'
import { refreshShiftsOfGuest } from './own.ts'
import { queueLinkMail } from './register.ts'
import { lockManagedEvent } from './share.ts'
import { takeWaitingPlaces } from './waiting.ts'

type Managed = { eventId: number; guestId: number }

/** Locks a guest of the event, then the event, and checks that the actor may change it. */
async function lockGuest(tx: Tx, context: CommandContext, { eventId, guestId }: Managed): Promise<boolean> {
  const guest = await tx
    .selectFrom('guest')
    .select('id')
    .where('id', '=', guestId)
    .where('event_id', '=', eventId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return guest !== undefined && (await lockManagedEvent(tx, context, eventId))
}

const KINDS = {
  confirm: 'guest.qualification_confirmed',
  reject: 'guest.qualification_rejected',
  reopen: 'guest.qualification_reopened',
} as const

/** Undefined: there is no such declaration, or the actor may not change the event. */
export async function decideQualification(
  context: CommandContext,
  { eventId, guestId, qualificationId, verdict }: Managed & { qualificationId: number; verdict: Verdict },
): Promise<{ isChanged: boolean } | undefined> {
  const { actor, now } = context
  const by = userIdOrNull(actor)
  const decided = await transact(context.db, async (tx) => {
    if (!(await lockGuest(tx, context, { eventId, guestId }))) return undefined
    const before = await tx
      .selectFrom('guest_qualification')
      .select(['verified_at', 'rejected_at'])
      .where('guest_id', '=', guestId)
      .where('qualification_id', '=', qualificationId)
      .executeTakeFirst()
    if (!before) return undefined
    const is = before.verified_at ? 'confirm' : before.rejected_at ? 'reject' : 'reopen'
    if (is === verdict) return { isChanged: false }
    await tx
      .updateTable('guest_qualification')
      .set({
        verified_at: verdict === 'confirm' ? now : null,
        verified_by_id: verdict === 'confirm' ? by : null,
        rejected_at: verdict === 'reject' ? now : null,
      })
      .where('guest_id', '=', guestId)
      .where('qualification_id', '=', qualificationId)
      .execute()
    await refreshShiftsOfGuest(tx, guestId, now)
    await record(tx, context, {
      kind: KINDS[verdict],
      subject: { kind: 'guest', id: guestId },
      eventId,
      changes: { qualification_id: qualificationId },
    })
    return { isChanged: true }
  })
  const guest = decided?.isChanged && verdict !== 'reopen' ? await getProvedGuest(context.db, guestId) : undefined
  if (guest) await takeWaitingPlaces({ ...context, actor: guest }, actor)
  return decided
}

/** False: the guest is not of this event, or the actor may not change it. */
export async function mailLinkTo(context: CommandContext, managed: Managed): Promise<boolean> {
  return transact(context.db, async (tx) => {
    if (!(await lockGuest(tx, context, managed))) return false
    await queueLinkMail(tx, context, managed.guestId)
    await record(tx, context, {
      kind: 'guest.link_sent',
      subject: { kind: 'guest', id: managed.guestId },
      eventId: managed.eventId,
    })
    return true
  })
}
