import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getEventType } from '../queries/event-types.ts'
import type { EventTypeInput } from '../schema/event-types.ts'

const lockType = (tx: Tx, id: number) =>
  tx.selectFrom('event_type').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export async function createEventType(context: CommandContext, { title }: { title: string }): Promise<number> {
  return transact(context.db, async (tx) => {
    const { id } = await tx.insertInto('event_type').values({ title }).returning('id').executeTakeFirstOrThrow()
    await record(tx, context, { kind: 'event_type.created', subject: { kind: 'event_type', id }, changes: { title } })
    return id
  })
}

export type ChangeOutcome = { ok: true } | { ok: false; reason: 'gone' | 'changed_meanwhile' | 'unknown_choice' }

/** Cached bodies of events contain the version of their type, so a new title shows at once. Visibility of participants is never cached. */
export async function changeEventType(
  context: CommandContext,
  id: number,
  form: Omit<EventTypeInput, 'add_responsible'>,
): Promise<ChangeOutcome> {
  const set = {
    title: form.title,
    color: form.color,
    show_participant_data: form.show_participant_data,
    default_description: form.default_description,
    visible_for_all_groups: form.audience === 'all',
  }
  try {
    return await transact(context.db, async (tx) => {
      const before = (await lockType(tx, id)) && (await getEventType(tx, id))
      if (!before) return { ok: false, reason: 'gone' }
      if (before.version !== form.version) return { ok: false, reason: 'changed_meanwhile' }
      await tx.updateTable('event_type').set(set).where('id', '=', id).execute()
      await replaceDefaults(tx, id, form)
      const { version: _version, audience, ...after } = form
      await record(tx, context, {
        kind: 'event_type.changed',
        subject: { kind: 'event_type', id },
        changes: { ...after, audience, before: set.title === before.title ? undefined : before.title },
      })
      return { ok: true }
    })
  } catch (error) {
    // A group, person or qualification was deleted while the form was open.
    if (isForeignKey(error)) return { ok: false, reason: 'unknown_choice' }
    throw error
  }
}

async function replaceDefaults(tx: Tx, id: number, form: Omit<EventTypeInput, 'add_responsible'>): Promise<void> {
  for (const table of ['event_type_default_group', 'event_type_default_user', 'event_type_required_qualification'] as const)
    await tx.deleteFrom(table).where('event_type_id', '=', id).execute()
  const groups = [
    ...(form.audience === 'chosen' ? form.audience_groups : []).map((group_id) => ({ group_id, role: 'audience' })),
    ...form.responsible_groups.map((group_id) => ({ group_id, role: 'responsible' })),
  ].map((row) => ({ ...row, event_type_id: id }))
  const users = form.responsible_users.map((user_id) => ({ user_id, event_type_id: id }))
  const qualifications = form.required_qualifications.map((qualification_id) => ({ qualification_id, event_type_id: id }))
  if (groups.length) await tx.insertInto('event_type_default_group').values(groups).execute()
  if (users.length) await tx.insertInto('event_type_default_user').values(users).execute()
  if (qualifications.length) await tx.insertInto('event_type_required_qualification').values(qualifications).execute()
}

/** An archived type is not offered for new events; existing events keep it. */
export async function archiveEventType(context: CommandContext, id: number): Promise<boolean> {
  return setArchived(context, id, context.now)
}

export async function restoreEventType(context: CommandContext, id: number): Promise<boolean> {
  return setArchived(context, id, null)
}

async function setArchived(context: CommandContext, id: number, at: Date | null): Promise<boolean> {
  return transact(context.db, async (tx) => {
    const before = await lockType(tx, id)
    if (!before) return false
    // Archiving again keeps the first time.
    if ((before.archived_at === null) === (at === null)) return true
    await tx.updateTable('event_type').set({ archived_at: at }).where('id', '=', id).execute()
    await record(tx, context, {
      kind: at ? 'event_type.archived' : 'event_type.restored',
      subject: { kind: 'event_type', id },
      changes: { title: before.title },
    })
    return true
  })
}

export type MoveOutcome = { ok: true; count: number } | { ok: false; reason: 'gone' | 'no_target' }

/** Moves all events, including drafts and deleted ones. */
export async function moveEvents(context: CommandContext, id: number, { to }: { to: number }): Promise<MoveOutcome> {
  return transact(context.db, async (tx) => {
    // Locked in the order of ids, so that opposite moves cannot deadlock and the target cannot be deleted.
    const types = await tx
      .selectFrom('event_type')
      .selectAll()
      .where('id', 'in', [id, to])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
    const from = types.find((type) => type.id === id)
    const target = types.find((type) => type.id === to)
    if (!from) return { ok: false, reason: 'gone' }
    if (!target || to === id || target.archived_at) return { ok: false, reason: 'no_target' }
    // Locked in order before writing. Other commands lock only one event, so this cannot deadlock.
    await sql`select from event where type_id = ${id} order by id for no key update`.execute(tx)
    const moved = await tx.updateTable('event').set({ type_id: to }).where('type_id', '=', id).executeTakeFirst()
    const count = Number(moved.numUpdatedRows)
    await record(tx, context, {
      kind: 'event_type.events_moved',
      subject: { kind: 'event_type', id },
      changes: { from: from.title, to: target.title, to_id: to, count },
    })
    return { ok: true, count }
  })
}

export type DeleteOutcome = { ok: true } | { ok: false; reason: 'gone' | 'in_use' }

/** A foreign key refuses the deletion while events use the type, also if one is created concurrently. */
export async function deleteEventType(context: CommandContext, id: number): Promise<DeleteOutcome> {
  try {
    return await transact(context.db, async (tx) => {
      const gone = await tx.deleteFrom('event_type').where('id', '=', id).returning('title').executeTakeFirst()
      if (!gone) return { ok: false, reason: 'gone' }
      await record(tx, context, {
        kind: 'event_type.deleted',
        subject: { kind: 'event_type', id },
        changes: { title: gone.title },
      })
      return { ok: true }
    })
  } catch (error) {
    if (isForeignKey(error)) return { ok: false, reason: 'in_use' }
    throw error
  }
}

/** 23503: foreign key violation, 23001: the same from "restrict". */
const isForeignKey = (error: unknown): boolean => ['23503', '23001'].includes(String((error as { code?: unknown }).code))
