import { sql } from 'kysely'
import { reachableBy } from '#features/eligibility/access.ts'
import { getReachableEventOf } from '#features/eligibility/queries/reachable-shifts.ts'
import { GUARD, type Guard } from '#features/participations/commands/locks.ts'
import { takePlace } from '#features/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import { getFlow } from '#features/staffing/flows/registry.ts'
import type { GuestActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, secretsMatch } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, type MailRefusal, type MailVerdict } from '#platform/http/mail-limits.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { mailCode } from '../rules.ts'
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
  const { rows } = await sql`
    select from guest where event_id = ${eventId} and lower(email) = lower(${email}) and id <> ${guestId}`.execute(tx)
  return rows.length > 0
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

/** The caller opened the link from a mail. Requests for shifts that need no decision become confirmed, as far as places are free. */
export async function proveAddress(context: CommandContext, code: string): Promise<boolean> {
  const actor = requireGuest(context)
  const isNew = await transact(context.db, async (tx) => {
    const guest = await tx
      .selectFrom('guest')
      .select(['id', 'email', 'email_confirmed_at'])
      .where('id', '=', actor.guestId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!guest || guest.email_confirmed_at || !secretsMatch(code, mailCode(context.site.keyring, guest))) return false
    await tx.updateTable('guest').set({ email_confirmed_at: context.now }).where('id', '=', guest.id).execute()
    await record(tx, context, {
      kind: 'guest.address_proved',
      subject: { kind: 'guest', id: guest.id },
      eventId: actor.eventId,
    })
    return true
  })
  if (isNew) for (const shiftId of await findWaiting(context, actor)) await takePlace(context, shiftId)
  return isNew
}

/** Requests of the guest for shifts whose flow needs no decision. */
async function findWaiting({ db }: CommandContext, actor: GuestActor): Promise<number[]> {
  const { rows } = await sql<{ id: number; flow: string }>`
    select s.id, s.signup_flow_slug as flow from participation p join shift s on s.id = p.shift_id
    where p.guest_id = ${actor.guestId} and p.state = 0 order by p.id`.execute(db)
  const instant = rows.filter(({ flow }) => getFlow(flow)?.hasRequestStage === false).map(({ id }) => id)
  const reachable = await Promise.all(instant.map((id) => getReachableEventOf(db, actor, id)))
  return instant.filter((_, index) => reachable[index] !== undefined)
}

/** Stores the token of a link that an earlier version imported as a hash only, so that mails can contain it. */
export async function sealOwnToken({ db, site, actor }: CommandContext, token: string): Promise<void> {
  if (actor.kind !== 'guest') return
  await db
    .updateTable('guest')
    .set({ access_token_sealed: site.keyring.seal(token) })
    .where('id', '=', actor.guestId)
    .where('access_token_hash', '=', hashSecret(token))
    .where('access_token_sealed', 'is', null)
    .execute()
}
