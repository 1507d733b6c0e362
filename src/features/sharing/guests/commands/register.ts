import { sql } from 'kysely'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { type GuestActor, makeActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimMail, type MailRefusal } from '#platform/http/mail-limits.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { MAX_UNPROVED_GUESTS, whyClosed } from '../rules.ts'
import { type GuestForm, LINK_MAIL_TASK } from '../schema.ts'
import { makeToken } from './share.ts'

type Registration = {
  eventId: number
  /** Of the registration link. */
  token: string
  language: Language
  /** Whether mails reach people; without, only the screen shows the personal link. */
  hasMail: boolean
  form: GuestForm
}

type RegistrationOutcome =
  | { ok: true; isNew: true; token: string; guestId: number }
  /** The address is registered already: its owner gets the link by mail, the caller learns nothing about the guest. */
  | { ok: true; isNew: false }
  | { ok: false; reason: 'closed' | 'too_many' | 'unknown_qualification' }
  | { ok: false; reason: 'mails'; refusal: MailRefusal }

/**
 * Registers a guest of an event. While nobody has proved the address, a second registration replaces the first one and its link, so
 * that nobody can prepare a registration with a foreign address and read what its owner enters later.
 */
export async function registerGuest(context: CommandContext, registration: Registration): Promise<RegistrationOutcome> {
  const { eventId, form } = registration
  return transact(context.db, async (tx): Promise<RegistrationOutcome> => {
    // Lock order: the person, then the share, as for sign-ups.
    const known = await lockGuestByEmail(tx, eventId, form.email)
    if (!(await isOpen(tx, context, registration))) return { ok: false, reason: 'closed' }
    if (!(await areKnown(tx, form.qualifications))) return { ok: false, reason: 'unknown_qualification' }
    if (!known && (await countUnproved(tx, eventId)) >= MAX_UNPROVED_GUESTS) return { ok: false, reason: 'too_many' }
    // Both cases send one mail, so a refusal does not tell whether the address is registered.
    const mail = await claimMail(tx, context, form.email)
    if (!mail.ok) return { ok: false, reason: 'mails', refusal: mail }
    if (known) return registerAgain(tx, context, registration, known)
    return insertGuest(tx, context, registration)
  })
}

type Chosen = { eventId: number; guestId: number; name: string; language: Language; shiftIds: readonly number[] }

/** Signs a new guest up for the shifts that they chose with the registration. Returns those for which something is still missing. */
export async function signUpNewGuest(context: CommandContext, chosen: Chosen): Promise<number[]> {
  const { eventId, guestId, name: displayName, language, shiftIds } = chosen
  const actor = makeActor<GuestActor>({ kind: 'guest', guestId, eventId, displayName, language })
  const left: number[] = []
  // One after the other: each locks the event.
  for (const shiftId of shiftIds) {
    const outcome = await signUp({ ...context, actor }, { shiftId })
    if (!outcome.ok) left.push(shiftId)
  }
  return left
}

type KnownGuest = { id: number; email_confirmed_at: Date | null }

async function lockGuestByEmail(tx: Tx, eventId: number, email: string): Promise<KnownGuest | undefined> {
  return rowsOf(tx).first(sql<KnownGuest>`
    select id, email_confirmed_at from guest
    where event_id = ${eventId} and lower(email) = lower(${email}) for no key update`)
}

type ShareRow = {
  isLinkActive: boolean
  isPublished: boolean
  isDeleted: boolean
  isCancelled: boolean
  end: Date | null
}

/** The lock orders registrations of one event, and a registration and a change of its link. */
async function isOpen(tx: Tx, { now }: CommandContext, { eventId, token }: Registration): Promise<boolean> {
  const { rows } = await sql<ShareRow>`
    select s.active as "isLinkActive", e.active as "isPublished", e.deleted_at is not null as "isDeleted",
      e.cancelled_at is not null as "isCancelled", e.end_time as end
    from guest_share s join event e on e.id = s.event_id
    where s.event_id = ${eventId} and s.token_hash = ${hashSecret(token)} for update of s`.execute(tx)
  return whyClosed(rows[0], now) === undefined
}

export async function areKnown(tx: Tx, qualificationIds: readonly number[]): Promise<boolean> {
  if (!qualificationIds.length) return true
  const known = await tx.selectFrom('qualification').select('id').where('id', 'in', qualificationIds).forKeyShare().execute()
  return known.length === qualificationIds.length
}

async function countUnproved(tx: Tx, eventId: number): Promise<number> {
  const { count } = await rowsOf(tx).one(sql<{ count: number }>`
    select count(*)::int as count from guest where event_id = ${eventId} and email_confirmed_at is null`)
  return count
}

const columnsOf = ({ form, language }: Registration) => ({
  email: form.email,
  display_name: form.name,
  date_of_birth: form.date_of_birth,
  phone: form.phone,
  language,
})

async function insertGuest(tx: Tx, context: CommandContext, registration: Registration): Promise<RegistrationOutcome> {
  const { eventId, form } = registration
  const { token, hash, sealed } = makeToken(context)
  const { id } = await tx
    .insertInto('guest')
    .values({
      ...columnsOf(registration),
      event_id: eventId,
      access_token_hash: hash,
      access_token_sealed: sealed,
      created_at: context.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await declare(tx, id, form.qualifications)
  await queueLinkMail(tx, context, id)
  await record(tx, context, { kind: 'guest.registered', subject: { kind: 'guest', id }, eventId })
  return { ok: true, isNew: true, token, guestId: id }
}

async function registerAgain(
  tx: Tx,
  context: CommandContext,
  registration: Registration,
  known: KnownGuest,
): Promise<RegistrationOutcome> {
  const { eventId, form, hasMail } = registration
  if (hasMail && known.email_confirmed_at === null) {
    const { hash, sealed } = makeToken(context)
    await tx
      .updateTable('guest')
      .set({ ...columnsOf(registration), access_token_hash: hash, access_token_sealed: sealed })
      .where('id', '=', known.id)
      .execute()
    await tx.deleteFrom('guest_qualification').where('guest_id', '=', known.id).where('verified_at', 'is', null).execute()
    await declare(tx, known.id, form.qualifications)
  }
  await queueLinkMail(tx, context, known.id)
  await record(tx, context, { kind: 'guest.registered_again', subject: { kind: 'guest', id: known.id }, eventId })
  return { ok: true, isNew: false }
}

/** Declared qualifications wait for a responsible; those that are stored keep their state. */
export async function declare(tx: Tx, guestId: number, qualificationIds: readonly number[]): Promise<void> {
  if (!qualificationIds.length) return
  await tx
    .insertInto('guest_qualification')
    .values(qualificationIds.map((qualification_id) => ({ guest_id: guestId, qualification_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The mail has a link of its own, which the caller does not get to know. */
export async function queueLinkMail(tx: Tx, { now }: Pick<CommandContext, 'now'>, guestId: number): Promise<void> {
  await tx.updateTable('guest').set({ link_mailed_at: now }).where('id', '=', guestId).execute()
  await sql`select graphile_worker.add_job(${LINK_MAIL_TASK}, ${JSON.stringify({ guestId })}::json, max_attempts := 8,
    job_key := ${`guest link ${guestId}`}, job_key_mode := 'replace')`.execute(tx)
}
