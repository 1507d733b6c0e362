import { sql } from 'kysely'
import { changeableBy, openTo } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { type EventColumn, type EventInput, eventFields, eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { hasPermission, userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { countNotified, findGroupChoices, type PlannedEvent, requirePlannedEvent } from '../queries/events.ts'
import { changesBetween } from '../rules/changes.ts'
import { changedSince, type FormVersion } from '../rules/form-version.ts'

type EventPeople = Pick<EventInput, 'groups' | 'responsibleGroups' | 'responsibleUsers'>

const columnsOf = (event: EventInput) =>
  ({ ...eventFields.pick(event), type_id: event.typeId }) satisfies Record<EventColumn, unknown>

export async function lockEvent(tx: Tx, eventId: number): Promise<void> {
  await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
}

/** Locks first and checks access afterwards, because it may have changed while waiting. */
export async function lockPlannedEvent(
  tx: Tx,
  context: CommandContext,
  eventId: number,
  lock: (tx: Tx, eventId: number) => Promise<unknown> = lockEvent,
): Promise<PlannedEvent> {
  await lock(tx, eventId)
  return requirePlannedEvent({ db: tx, actor: context.actor }, eventId)
}

/** Writes no journal entry: the calling command does. */
export async function insertEvent(tx: Tx, context: CommandContext, input: EventInput & { active: boolean }): Promise<number> {
  const createdBy = userIdOrNull(context.actor)
  const { id } = await tx
    .insertInto('event')
    .values({ ...columnsOf(input), active: input.active, created_at: context.now, created_by_id: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addPeople(tx, id, input)
  return id
}

/** Replaces the grants of the event; unchanged rows are not rewritten. */
async function replacePeople(tx: Tx, eventId: number, people: EventPeople): Promise<void> {
  const wanted = { view: people.groups, change: people.responsibleGroups }
  for (const permission of ['view', 'change'] as const)
    await sql`delete from event_group_grant where event_id = ${eventId} and permission = ${permission}
      and group_id <> all (${wanted[permission]}::bigint[])`.execute(tx)
  await sql`delete from event_user_grant where event_id = ${eventId} and permission = 'change'
    and user_id <> all (${people.responsibleUsers}::bigint[])`.execute(tx)
  await addPeople(tx, eventId, people)
}

async function addPeople(tx: Tx, eventId: number, { groups, responsibleGroups, responsibleUsers }: EventPeople): Promise<void> {
  await sql`insert into event_group_grant (event_id, group_id, permission)
    select ${eventId}::bigint, g.id, 'view' from user_group g where g.id = any (${groups}::bigint[])
    union all
    select ${eventId}::bigint, g.id, 'change' from user_group g where g.id = any (${responsibleGroups}::bigint[])
    on conflict do nothing`.execute(tx)
  await sql`insert into event_user_grant (event_id, user_id, permission)
    select ${eventId}, u.id, 'change' from user_profile u where u.id = any (${responsibleUsers}::bigint[])
    on conflict do nothing`.execute(tx)
}

/** Groups that the caller may publish for. */
export async function limitToPublishable(tx: Tx, context: CommandContext, groups: readonly number[]): Promise<number[]> {
  const choices = await findGroupChoices({ db: tx, actor: context.actor })
  const publishable = new Set(choices.filter(({ isPublishable }) => isPublishable).map(({ id }) => id))
  return groups.filter((id) => publishable.has(id))
}

/** `notified`: number of people who are notified of the change. */
export type ChangeOutcome =
  | { ok: true; hasChanged: boolean; notified: number }
  | { ok: false; changed: string[]; current: PlannedEvent }

/** Keeps groups that the caller may not publish for. */
export async function changeEvent(
  tx: Tx,
  context: CommandContext,
  { eventId, input, version }: { eventId: number; input: EventInput; version: FormVersion },
): Promise<ChangeOutcome> {
  const before = await lockPlannedEvent(tx, context, eventId)
  const chosen = await limitToPublishable(tx, context, input.groups)
  const own = new Set(await limitToPublishable(tx, context, before.groups))
  const after = { ...input, groups: [...chosen, ...before.groups.filter((id) => !own.has(id))] }
  const changed = changedSince(version, eventSnapshot(before), eventSnapshot(after))
  if (changed.length) return { ok: false, changed, current: before }
  const changes = changesBetween(eventSnapshot(before), eventSnapshot(after))
  if (!Object.keys(changes).length) return { ok: true, hasChanged: false, notified: 0 }
  const columns = columnsOf(after)
  if (Object.keys(columns).some((name) => name in changes))
    await tx.updateTable('event').set(columns).where('id', '=', eventId).execute()
  await replacePeople(tx, eventId, after)
  await record(tx, context, { kind: 'event.changed', subject: { kind: 'event', id: eventId }, eventId, changes })
  const notified = 'location' in changes ? await countNotified(tx, context.actor, { eventId }) : 0
  return { ok: true, hasChanged: true, notified }
}

type Named = { title: string }

/** Publishes a draft that has shifts; needs `add_event` and access to the draft. */
export function publishEvent(context: CommandContext, { eventId }: { eventId: number }): Promise<Named & { ok: boolean }> {
  return transact(context.db, (tx) => publish(tx, context, eventId))
}

/** Publishes all of them or, if one cannot be reached, none. Events without shifts stay drafts. */
export function publishEvents(
  context: CommandContext,
  eventIds: readonly number[],
): Promise<{ published: number; left: number }> {
  return transact(context.db, async (tx) => {
    let published = 0
    // In one order, so that two requests cannot wait for each other.
    for (const id of [...eventIds].sort((a, b) => a - b)) if ((await publish(tx, context, id)).ok) published++
    return { published, left: eventIds.length - published }
  })
}

async function publish(tx: Tx, context: CommandContext, eventId: number): Promise<Named & { ok: boolean }> {
  await lockEvent(tx, eventId)
  const found = await rowsOf(tx).first(sql<{ title: string; active: boolean; shifts: number }>`
    select e.title, e.active, e.shift_count as shifts from event e where e.id = ${eventId} and ${openTo(context.actor)}`)
  if (!hasPermission(context.actor, 'add_event')) throw await refuseEvent(tx, context.actor, eventId)
  if (!found) throw new Problem('not_found')
  if (found.active) return { ok: true, title: found.title }
  if (!found.shifts) return { ok: false, title: found.title }
  await markPublished(tx, context, eventId)
  return { ok: true, title: found.title }
}

export async function markPublished(tx: Tx, context: CommandContext, eventId: number): Promise<void> {
  await tx.updateTable('event').set({ active: true }).where('id', '=', eventId).execute()
  await record(tx, context, {
    kind: 'event.published',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { active: [false, true] },
  })
}

export const cancelEvent = (context: CommandContext, what: { eventId: number; reason: string }): Promise<Named> =>
  transact(context.db, (tx) => cancelIn(tx, context, what))

type Cancellation = { cancelled_at: Date | null; cancellation_reason: string | null }

/** In the transaction of the caller. */
export async function cancelIn(
  tx: Tx,
  context: CommandContext,
  { eventId, reason }: { eventId: number; reason: string },
): Promise<Named> {
  const { title, cancelledAt, cancellationReason } = await lockPlannedEvent(tx, context, eventId)
  if (cancelledAt && cancellationReason === reason) return { title }
  await tx
    .updateTable('event')
    .set({ cancelled_at: cancelledAt ?? context.now, cancellation_reason: reason })
    .where('id', '=', eventId)
    .execute()
  const changes = changesBetween<Cancellation>(
    { cancelled_at: cancelledAt, cancellation_reason: cancellationReason },
    { cancelled_at: cancelledAt ?? context.now, cancellation_reason: reason },
  )
  await record(tx, context, { kind: 'event.cancelled', subject: { kind: 'event', id: eventId }, eventId, changes })
  return { title }
}

export const reopenEvent = (context: CommandContext, what: { eventId: number }): Promise<Named> =>
  transact(context.db, (tx) => reopenIn(tx, context, what))

/** In the transaction of the caller. */
export async function reopenIn(tx: Tx, context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  const { title, cancelledAt, cancellationReason } = await lockPlannedEvent(tx, context, eventId)
  if (!cancelledAt) return { title }
  await tx.updateTable('event').set({ cancelled_at: null, cancellation_reason: null }).where('id', '=', eventId).execute()
  const changes = changesBetween<Cancellation>(
    { cancelled_at: cancelledAt, cancellation_reason: cancellationReason },
    { cancelled_at: null, cancellation_reason: null },
  )
  await record(tx, context, { kind: 'event.reopened', subject: { kind: 'event', id: eventId }, eventId, changes })
  return { title }
}

/** Moves the event with its shifts and participations to the bin. */
export const deleteEvent = (context: CommandContext, what: { eventId: number }): Promise<Named> =>
  transact(context.db, (tx) => deleteIn(tx, context, what))

/** In the transaction of the caller. */
export async function deleteIn(tx: Tx, context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  const { title } = await lockPlannedEvent(tx, context, eventId)
  if (!hasPermission(context.actor, 'delete_event')) throw new Problem('permission_denied')
  await tx.updateTable('event').set({ deleted_at: context.now }).where('id', '=', eventId).execute()
  await record(tx, context, {
    kind: 'event.deleted',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { deleted_at: [null, context.now.toISOString()], title: [title, title] },
  })
  return { title }
}

export const restoreEvent = (context: CommandContext, what: { eventId: number }): Promise<Named> =>
  transact(context.db, (tx) => restoreIn(tx, context, what))

/** In the transaction of the caller. */
export async function restoreIn(tx: Tx, context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  await lockEvent(tx, eventId)
  const found = await rowsOf(tx).first(sql<{ title: string; deletedAt: Date | null }>`
    select e.title, e.deleted_at as "deletedAt" from event e where e.id = ${eventId} and ${changeableBy(context.actor)}`)
  if (!found) throw await refuseEvent(tx, context.actor, eventId)
  if (!hasPermission(context.actor, 'delete_event')) throw new Problem('permission_denied')
  if (!found.deletedAt) return { title: found.title }
  await tx.updateTable('event').set({ deleted_at: null }).where('id', '=', eventId).execute()
  await record(tx, context, {
    kind: 'event.restored',
    subject: { kind: 'event', id: eventId },
    eventId,
    changes: { deleted_at: [found.deletedAt.toISOString(), null] },
  })
  return { title: found.title }
}

/** Called when a person is deleted. */
export async function removeResponsible(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('event_user_grant').where('user_id', '=', userId).execute()
}
