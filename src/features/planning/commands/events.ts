import { sql } from 'kysely'
import { changeableBy, openTo } from '#features/events/access.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { findGroupChoices, getPlannedEvent, type PlannedEvent } from '../queries/events.ts'
import { changesBetween } from '../rules/changes.ts'
import { changedSince, type Seen } from '../rules/seen.ts'

export type EventFields = { title: string; location: string; description: string | null; typeId: number }
export type EventPeople = { groups: readonly number[]; responsibleGroups: readonly number[]; responsibleUsers: readonly number[] }
export type EventWish = EventFields & EventPeople

const sorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** As the journal writes an event, and as forms remember what they showed. */
export const eventFacts = (event: EventWish): Record<string, unknown> => ({
  title: event.title,
  location: event.location,
  description: event.description,
  type_id: event.typeId,
  groups: sorted(event.groups),
  responsible_groups: sorted(event.responsibleGroups),
  responsible_users: sorted(event.responsibleUsers),
})

export async function lockEvent(tx: Tx, eventId: number): Promise<void> {
  await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
}

/** Locked, and looked at afterwards: what was allowed before the lock may not be any more. */
export async function lockPlanned(tx: Tx, context: CommandContext, eventId: number, lock = lockEvent): Promise<PlannedEvent> {
  await lock(tx, eventId)
  const event = await getPlannedEvent(tx, context.actor, eventId)
  if (!event) throw new Problem('not_found')
  return event
}

/** For commands that make events with all that belongs to them; each records what it did. */
export async function insertEvent(tx: Tx, context: CommandContext, wish: EventWish & { active: boolean }): Promise<number> {
  const { title, location, description, typeId, active } = wish
  const createdBy = context.actor.kind === 'user' ? context.actor.userId : null
  const { id } = await tx
    .insertInto('event')
    .values({ title, location, description, type_id: typeId, active, created_at: context.now, created_by_id: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writePeople(tx, id, wish)
  return id
}

/** Whoever sees it and whoever is responsible are exactly these; what stays is not written again. */
async function writePeople(tx: Tx, eventId: number, { groups, responsibleGroups, responsibleUsers }: EventPeople): Promise<void> {
  const wanted = { view: sorted(groups), change: sorted(responsibleGroups) }
  for (const permission of ['view', 'change'] as const) {
    await sql`delete from event_group_grant where event_id = ${eventId} and permission = ${permission}
      and group_id <> all (${wanted[permission]}::bigint[])`.execute(tx)
    await sql`insert into event_group_grant (event_id, group_id, permission)
      select ${eventId}, g.id, ${permission} from user_group g where g.id = any (${wanted[permission]}::bigint[])
      on conflict do nothing`.execute(tx)
  }
  await sql`delete from event_user_grant where event_id = ${eventId} and permission = 'change'
    and user_id <> all (${sorted(responsibleUsers)}::bigint[])`.execute(tx)
  await sql`insert into event_user_grant (event_id, user_id, permission)
    select ${eventId}, u.id, 'change' from user_profile u where u.id = any (${sorted(responsibleUsers)}::bigint[])
    on conflict do nothing`.execute(tx)
}

/** What the caller may make it visible for. */
export async function limitToPublishable(tx: Tx, context: CommandContext, groups: readonly number[]): Promise<number[]> {
  const choices = await findGroupChoices({ db: tx, actor: context.actor })
  const publishable = new Set(choices.filter(({ isPublishable }) => isPublishable).map(({ id }) => id))
  return groups.filter((id) => publishable.has(id))
}

export type ChangeOutcome = { ok: true; hasChanged: boolean } | { ok: false; changed: string[]; current: PlannedEvent }

/** Groups that already see it and are not the caller's to choose stay as they are. */
export async function changeEvent(
  tx: Tx,
  context: CommandContext,
  { eventId, wish, seen }: { eventId: number; wish: EventWish; seen: Seen },
): Promise<ChangeOutcome> {
  const before = await lockPlanned(tx, context, eventId)
  const chosen = await limitToPublishable(tx, context, wish.groups)
  const own = new Set(await limitToPublishable(tx, context, before.groups))
  const after = { ...wish, groups: [...chosen, ...before.groups.filter((id) => !own.has(id))] }
  const changed = changedSince(seen, eventFacts(before), eventFacts(after))
  if (changed.length) return { ok: false, changed, current: before }
  const changes = changesBetween(eventFacts(before), eventFacts(after))
  if (!Object.keys(changes).length) return { ok: true, hasChanged: false }
  const { title, location, description, typeId } = after
  if (['title', 'location', 'description', 'type_id'].some((name) => name in changes))
    await tx.updateTable('event').set({ title, location, description, type_id: typeId }).where('id', '=', eventId).execute()
  await writePeople(tx, eventId, after)
  await record(tx, context, { kind: 'event.changed', subject: { kind: 'event', id: eventId }, eventId, changes })
  return { ok: true, hasChanged: true }
}

type Named = { title: string }

/** A draft that has shifts; whoever may add events and sees it. */
export function publishEvent(context: CommandContext, { eventId }: { eventId: number }): Promise<Named & { ok: boolean }> {
  return transact(context.db, async (tx) => {
    await lockEvent(tx, eventId)
    const { rows } = await sql<{ title: string; active: boolean; shifts: number }>`
      select e.title, e.active, e.shift_count as shifts from event e where e.id = ${eventId} and ${openTo(context.actor)}`.execute(
      tx,
    )
    const found = rows[0]
    if (!found || !hasPermission(context.actor, 'add_event')) throw new Problem('not_found')
    if (found.active) return { ok: true, title: found.title }
    if (!found.shifts) return { ok: false, title: found.title }
    await markPublished(tx, context, eventId)
    return { ok: true, title: found.title }
  })
}

export async function markPublished(tx: Tx, context: CommandContext, eventId: number): Promise<void> {
  await tx.updateTable('event').set({ active: true }).where('id', '=', eventId).execute()
  const changes = { active: [false, true] }
  await record(tx, context, { kind: 'event.published', subject: { kind: 'event', id: eventId }, eventId, changes })
}

export function cancelEvent(context: CommandContext, { eventId, reason }: { eventId: number; reason: string }): Promise<Named> {
  return transact(context.db, async (tx) => {
    const { title, cancelledAt, cancellationReason } = await lockPlanned(tx, context, eventId)
    if (cancelledAt && cancellationReason === reason) return { title }
    await tx
      .updateTable('event')
      .set({ cancelled_at: cancelledAt ?? context.now, cancellation_reason: reason })
      .where('id', '=', eventId)
      .execute()
    const changes = changesBetween(
      { cancelled_at: cancelledAt, cancellation_reason: cancellationReason },
      { cancelled_at: cancelledAt ?? context.now, cancellation_reason: reason },
    )
    await record(tx, context, { kind: 'event.cancelled', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { title }
  })
}

export function reopenEvent(context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  return transact(context.db, async (tx) => {
    const { title, cancelledAt, cancellationReason } = await lockPlanned(tx, context, eventId)
    if (!cancelledAt) return { title }
    await tx.updateTable('event').set({ cancelled_at: null, cancellation_reason: null }).where('id', '=', eventId).execute()
    const changes = changesBetween(
      { cancelled_at: cancelledAt, cancellation_reason: cancellationReason },
      { cancelled_at: null, cancellation_reason: null },
    )
    await record(tx, context, { kind: 'event.reopened', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { title }
  })
}

/** Into the bin, with everything that belongs to it. */
export function deleteEvent(context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  return transact(context.db, async (tx) => {
    const { title } = await lockPlanned(tx, context, eventId)
    if (!hasPermission(context.actor, 'delete_event')) throw new Problem('permission_denied')
    await tx.updateTable('event').set({ deleted_at: context.now }).where('id', '=', eventId).execute()
    const changes = { deleted_at: [null, context.now.toISOString()], title: [title, title] }
    await record(tx, context, { kind: 'event.deleted', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { title }
  })
}

export function restoreEvent(context: CommandContext, { eventId }: { eventId: number }): Promise<Named> {
  return transact(context.db, async (tx) => {
    await lockEvent(tx, eventId)
    const { rows } = await sql<{ title: string; deletedAt: Date | null }>`
      select e.title, e.deleted_at as "deletedAt" from event e where e.id = ${eventId} and ${changeableBy(context.actor)}`.execute(
      tx,
    )
    const found = rows[0]
    if (!found || !hasPermission(context.actor, 'delete_event')) throw new Problem('not_found')
    if (!found.deletedAt) return { title: found.title }
    await tx.updateTable('event').set({ deleted_at: null }).where('id', '=', eventId).execute()
    const changes = { deleted_at: [found.deletedAt.toISOString(), null] }
    await record(tx, context, { kind: 'event.restored', subject: { kind: 'event', id: eventId }, eventId, changes })
    return { title: found.title }
  })
}
