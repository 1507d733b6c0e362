import { type Kysely, sql } from 'kysely'
import { extendQualification } from '#features/accounts/people/commands/grants.ts'
import { createRequest } from '#features/accounts/requests/commands.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { endOfDay, expiryAfter } from '#features/accounts/users/rules.ts'
import { isMarkedNoShow } from '#features/on-the-day/check-in/access.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext, Site } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { decidesAllQualifications, QUALIFICATION_REQUEST } from '../access.ts'
import { getEventQualification } from '../queries.ts'
import { attendees, laterExpiry, type Mode, type Recipients, receives } from '../rules.ts'
import type { EventQualificationForm } from '../schema.ts'

/** Saves the section of the event form. Other planners keep what is stored, and what was applied stays. */
export async function saveEventQualification(
  tx: Tx,
  context: CommandContext,
  eventId: number,
  form: EventQualificationForm,
): Promise<void> {
  if (!decidesAllQualifications(context.actor)) return
  const before = await getEventQualification(tx, eventId)
  if (before?.appliedAt) return
  const wanted = await readWanted(tx, context, form)
  const isSame = (name: keyof NonNullable<typeof wanted>) =>
    String(wanted?.[name] ?? '') === String(storedValues(before)?.[name] ?? '')
  if (!wanted && !before) return
  if (wanted && before && (Object.keys(wanted) as (keyof typeof wanted)[]).every(isSame)) return
  await tx.deleteFrom('event_qualification').where('event_id', '=', eventId).execute()
  if (wanted)
    await tx
      .insertInto('event_qualification')
      .values({ event_id: eventId, ...wanted })
      .execute()
  await record(tx, context, {
    kind: 'event.qualification_changed',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { qualification_id: [before?.qualificationId ?? null, wanted?.qualification_id ?? null] },
  })
}

const storedValues = (stored: Awaited<ReturnType<typeof getEventQualification>>) =>
  stored && {
    qualification_id: stored.qualificationId,
    mode: stored.mode,
    recipients: stored.recipients,
    expires_at: stored.expiresAt,
    valid_months: stored.validMonths,
    needs_decision: stored.needsDecision,
  }

/** Undefined: the event grants nothing, also if the qualification was deleted while the form was open. */
async function readWanted(tx: Tx, { site }: CommandContext, form: EventQualificationForm) {
  if (form.auto_qualification === '') return undefined
  const id = Number(form.auto_qualification)
  const exists = await tx.selectFrom('qualification').select('id').where('id', '=', id).executeTakeFirst()
  return (
    exists && {
      qualification_id: id,
      mode: form.auto_mode,
      recipients: form.auto_recipients,
      expires_at: form.auto_expiry === 'date' ? endOfDay(form.auto_expires_on, site.timeZone) : null,
      valid_months: form.auto_expiry === 'months' ? Number(form.auto_valid_months) : null,
      needs_decision: form.auto_needs_decision !== undefined,
    }
  )
}

/** A copy of an event grants the same qualification. */
export async function copyEventQualification(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`insert into event_qualification (event_id, qualification_id, mode, recipients, expires_at, valid_months, needs_decision)
    select ${to}, qualification_id, mode, recipients, expires_at, valid_months, needs_decision
    from event_qualification where event_id = ${from}`.execute(tx)
}

type Pending = {
  qualification_id: number
  mode: Mode
  recipients: Recipients
  expires_at: Date | null
  valid_months: number | null
  needs_decision: boolean
  end_time: Date | null
}

/** The row lock makes two workers take turns: the second one sees that the qualification was applied. */
async function lockPending(tx: Tx, eventId: number): Promise<Pending | undefined> {
  return rowsOf(tx).first(sql<Pending>`
    select g.qualification_id, g.mode, g.recipients, g.expires_at, g.valid_months, g.needs_decision, e.end_time
    from event_qualification g join event e on e.id = g.event_id
    where g.event_id = ${eventId} and g.applied_at is null and e.listed and e.end_time is not null
    for update of g`)
}

type SystemContext = Pick<CommandContext, 'actor' | 'now' | 'requestId' | 'site'>
type Options = { now: Date; site: Site; lock?: typeof lockPending }

/** Gives the participants of an ended event its qualification, or requests it for them, once. */
export async function applyEventQualification(
  db: Kysely<DB>,
  eventId: number,
  { now, site, lock = lockPending }: Options,
): Promise<void> {
  await transact(db, async (tx) => {
    // People before records of events, as everywhere.
    const present = await findAttendance(tx, eventId)
    for (const userId of [...new Set(present.map(({ userId }) => userId))].sort((a, b) => a - b)) await lockPerson(tx, userId)
    const pending = await lock(tx, eventId)
    if (!pending) return
    const context: SystemContext = { actor: ANONYMOUS, now, site, requestId: null }
    const shifts = await tx.selectFrom('shift').select(['id', 'end_time as end']).where('event_id', '=', eventId).execute()
    const expiresAt =
      pending.valid_months === null ? pending.expires_at : expiryAfter(pending.end_time!, pending.valid_months, site.timeZone)
    const received: number[] = []
    for (const userId of attendees(pending.mode, shifts, present)) {
      const person = { userId, eventId, qualificationId: pending.qualification_id, expiresAt }
      if (await give(tx, context, { pending, person })) received.push(userId)
    }
    await tx.updateTable('event_qualification').set({ applied_at: now }).where('event_id', '=', eventId).execute()
    await record(tx, context, {
      kind: pending.needs_decision ? 'event.qualification_requested' : 'event.qualification_granted',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { qualification_id: pending.qualification_id, users: received },
    })
  })
}

/** Members who were confirmed in a shift of the event. */
async function findAttendance(tx: Tx, eventId: number): Promise<{ userId: number; shiftId: number }[]> {
  return rowsOf(tx).all(sql<{ userId: number; shiftId: number }>`
    select u.id as "userId", p.shift_id as "shiftId" from participation p join user_profile u on u.id = p.user_id
    where p.event_id = ${eventId} and p.kind = 'local' and p.state = 1 and u.deleted_at is null
      and not ${isMarkedNoShow}`)
}

type Person = { userId: number; eventId: number; qualificationId: number; expiresAt: Date | null }

async function give(tx: Tx, context: SystemContext, { pending, person }: { pending: Pending; person: Person }): Promise<boolean> {
  const { userId, qualificationId, expiresAt, eventId } = person
  const stored = await tx
    .selectFrom('qualification_grant')
    .select(['expires_at', 'externally_managed'])
    .where('user_id', '=', userId)
    .where('qualification_id', '=', qualificationId)
    .executeTakeFirst()
  const held = stored && { expiresAt: stored.expires_at, isExternal: stored.externally_managed }
  if (!receives(pending.recipients, held, { expiresAt, now: context.now })) return false
  if (!pending.needs_decision) {
    await extendQualification(tx, context, person)
    return true
  }
  const expires = held ? laterExpiry(held.expiresAt, expiresAt) : expiresAt
  const data = { qualification_id: qualificationId, event_id: eventId, expires: expires?.toISOString() ?? null }
  await createRequest(tx, context, { kind: QUALIFICATION_REQUEST, userId, data, eventId })
  return true
}
