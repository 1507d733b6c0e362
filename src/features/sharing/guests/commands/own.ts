import { sql } from 'kysely'
import { reachableBy } from '#features/staffing/eligibility/access.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { GuestActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, type MailRefusal, type MailVerdict } from '#platform/http/mail-limits.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { GuestForm } from '../schema.ts'
import { areKnown, declare, queueLinkMail } from './register.ts'
import { deleteGuestRows } from './removal.ts'

function requireGuest({ actor }: CommandContext): GuestActor {
  if (actor.kind !== 'guest') throw new Problem('permission_denied')
  return actor
}

/**
 * Locks the guest, the event and the share, in this order as for sign-ups, and checks that the guest may act now: the event is
 * theirs and published, and its link is active.
 */
async function lockOwn(tx: Tx, context: CommandContext, { lockPeople, lockEvent, lockShare }: Guard): Promise<GuestActor> {
  const actor = requireGuest(context)
  await lockPeople(tx, [{ kind: 'guest', id: actor.guestId }])
  await lockEvent(tx, actor.eventId)
  await lockShare(tx, actor.eventId, actor)
  const { rows } = await sql`select from event e where e.id = ${actor.eventId} and ${reachableBy(actor)}`.execute(tx)
  if (!rows.length) throw new Problem('permission_denied')
  return actor
}

type ChangeOutcome =
  | { ok: true; isChanged: boolean; isMailed: boolean }
  | { ok: false; reason: 'email_taken' | 'unknown_qualification' }
  | { ok: false; reason: 'mails'; refusal: MailRefusal }

/** A new address has to be proved again; places that are confirmed stay. */
export async function changeOwnDetails(context: CommandContext, form: GuestForm, guard: Guard = GUARD): Promise<ChangeOutcome> {
  return transact(context.db, async (tx): Promise<ChangeOutcome> => {
    const { guestId, eventId } = await lockOwn(tx, context, guard)
    if (!(await areKnown(tx, form.qualifications))) return { ok: false, reason: 'unknown_qualification' }
    const before = await tx
      .selectFrom('guest')
      .select(['email', 'display_name', 'date_of_birth', 'phone'])
      .where('id', '=', guestId)
      .executeTakeFirstOrThrow()
    const isNewAddress = before.email.toLowerCase() !== form.email.toLowerCase()
    // Before the check of other guests, so that addresses cannot be tried without limit.
    const mail: MailVerdict = isNewAddress ? await claimMail(tx, context, form.email) : { ok: true }
    if (!mail.ok) return { ok: false, reason: 'mails', refusal: mail }
    if (isNewAddress && (await isTaken(tx, eventId, guestId, form.email))) return { ok: false, reason: 'email_taken' }
    const after = { email: form.email, display_name: form.name, date_of_birth: form.date_of_birth, phone: form.phone }
    const isSame = (Object.keys(after) as (keyof typeof after)[]).every((name) => before[name] === after[name])
    if (!isSame)
      await tx
        .updateTable('guest')
        .set({ ...after, ...(isNewAddress ? { email_confirmed_at: null } : {}) })
        .where('id', '=', guestId)
        .execute()
    const hasDeclared = await declareExactly(tx, context, { guestId, ids: form.qualifications })
    if (isSame && !hasDeclared) return { ok: true, isChanged: false, isMailed: false }
    if (isNewAddress) await queueLinkMail(tx, context, guestId)
    await record(tx, context, { kind: 'guest.changed', subject: { kind: 'guest', id: guestId }, eventId })
    return { ok: true, isChanged: true, isMailed: isNewAddress }
  })
}

async function isTaken(tx: Tx, eventId: number, guestId: number, email: string): Promise<boolean> {
  return rowsOf(tx).exists(sql`
    select from guest where event_id = ${eventId} and lower(email) = lower(${email}) and id <> ${guestId}`)
}

/** Returns whether the declarations changed. Those that stay keep their state. */
async function declareExactly(
  tx: Tx,
  { now }: CommandContext,
  { guestId, ids }: { guestId: number; ids: readonly number[] },
): Promise<boolean> {
  const stored = await tx.selectFrom('guest_qualification').select('qualification_id').where('guest_id', '=', guestId).execute()
  const removed = stored.map(({ qualification_id }) => qualification_id).filter((id) => !ids.includes(id))
  const added = ids.filter((id) => !stored.some(({ qualification_id }) => qualification_id === id))
  if (removed.length)
    await tx.deleteFrom('guest_qualification').where('guest_id', '=', guestId).where('qualification_id', 'in', removed).execute()
  await declare(tx, guestId, added)
  if (removed.length) await refreshShiftsOfGuest(tx, guestId, now)
  return removed.length + added.length > 0
}

/** Called under the lock of the event. Ended shifts keep their statistics. */
export async function refreshShiftsOfGuest(tx: Tx, guestId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ shift_id: number }>`
    select p.shift_id from participation p where p.guest_id = ${guestId} and p.state in (0, 1) and p.end_time > ${now}`.execute(
    tx,
  )
  await refreshStatistics(
    tx,
    rows.map(({ shift_id }) => shift_id),
  )
}

/** Deletes the caller. Places ahead become free, past ones stay without the name. */
export async function deleteSelf(context: CommandContext, guard: Guard = GUARD): Promise<void> {
  await transact(context.db, async (tx) => {
    const { guestId, eventId } = await lockOwn(tx, context, guard)
    await deleteGuestRows(tx, context, { eventId, guestIds: [guestId] })
    await record(tx, context, { kind: 'guest.left', subject: { kind: 'guest', id: guestId }, eventId })
  })
}

/** The link by mail, to the own address. */
export async function mailOwnLink(context: CommandContext, guard: Guard = GUARD): Promise<MailVerdict> {
  return transact(context.db, async (tx) => {
    const { guestId, eventId } = await lockOwn(tx, context, guard)
    const { email } = await tx.selectFrom('guest').select('email').where('id', '=', guestId).executeTakeFirstOrThrow()
    const mail = await claimMail(tx, context, email)
    if (!mail.ok) return mail
    await queueLinkMail(tx, context, guestId)
    await record(tx, context, { kind: 'guest.link_sent', subject: { kind: 'guest', id: guestId }, eventId })
    return mail
  })
}
