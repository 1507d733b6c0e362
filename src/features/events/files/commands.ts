import { type Kysely, sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { keepFile } from '#platform/files/stored-files.ts'
import type { Upload } from '#platform/files/upload.ts'
import { record } from '#platform/journal/journal.ts'
import type { Changes } from '#platform/journal/kinds.ts'
import { getAttachment, getPlannedEvent, getStoredAttachment, getUsedBytes } from './queries.ts'
import type { FileForm } from './schema.ts'

/** Replaced by a test that shows what the lock prevents. */
export const QUOTA = {
  lock: async (tx: Tx): Promise<void> =>
    void (await sql`select pg_advisory_xact_lock(hashtext('turnout.file_quota'))`.execute(tx)),
  getUsedBytes: (tx: Tx): Promise<number> => getUsedBytes(tx),
}

type Added = { ok: true } | { ok: false; reason: 'quota'; freeBytes: number }

type NewFiles = { files: readonly Upload[]; quotaBytes: number }

/** Within the space for all files. */
async function storeFiles(
  tx: Tx,
  context: CommandContext,
  { files, quotaBytes, isShared }: NewFiles & { isShared: boolean },
): Promise<{ ok: true; ids: number[] } | Extract<Added, { ok: false }>> {
  await QUOTA.lock(tx)
  const freeBytes = Math.max(quotaBytes - (await QUOTA.getUsedBytes(tx)), 0)
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > freeBytes) return { ok: false, reason: 'quota', freeBytes }
  const uploaderId = userIdOrNull(context.actor)
  const ids: number[] = []
  for (const file of files) {
    await keepFile(tx, file, context.now)
    const { id } = await tx
      .insertInto('attachment')
      .values({ title: file.name, file_id: file.id, uploader_id: uploaderId, created_at: context.now, shared: isShared })
      .returning('id')
      .executeTakeFirstOrThrow()
    ids.push(id)
  }
  return { ok: true, ids }
}

/** Adds uploaded files that every planner can choose for an event. */
export async function addSharedFiles(context: CommandContext, { files, quotaBytes }: NewFiles): Promise<Added> {
  requirePermission(context.actor, 'add_file')
  return transact(context.db, async (tx): Promise<Added> => {
    const stored = await storeFiles(tx, context, { files, quotaBytes, isShared: true })
    if (!stored.ok) return stored
    await record(tx, context, {
      kind: 'attachment.created',
      subject: { kind: 'attachment', id: stored.ids[0]! },
      changes: { files: [null, files.map(({ name }) => name)] },
    })
    return { ok: true }
  })
}

/** Undefined: there is no such file. */
export async function changeAttachment(
  context: CommandContext,
  id: number,
  { title, shared, version }: FileForm,
): Promise<{ ok: true; isChanged: boolean } | { ok: false; reason: 'outdated' } | undefined> {
  requirePermission(context.actor, 'change_file')
  return transact(context.db, async (tx) => {
    const before = await tx
      .selectFrom('attachment')
      .select(['title', 'shared', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) return undefined
    if (before.version !== version) return { ok: false, reason: 'outdated' }
    const changes: Changes<{ title: string; shared: boolean }> = {
      ...(before.title === title ? {} : { title: [before.title, title] }),
      ...(before.shared === shared ? {} : { shared: [before.shared, shared] }),
    }
    if (!Object.keys(changes).length) return { ok: true, isChanged: false }
    await tx.updateTable('attachment').set({ title, shared }).where('id', '=', id).execute()
    await record(tx, context, { kind: 'attachment.changed', subject: { kind: 'attachment', id }, changes })
    return { ok: true, isChanged: true }
  })
}

/** Adds shared files to an event; those that it has already stay. Undefined: the actor may not change the event. */
export async function chooseFiles(
  context: CommandContext,
  eventId: number,
  ids: readonly number[],
): Promise<{ added: number } | undefined> {
  return transact(context.db, async (tx) => {
    if (!(await getPlannedEvent({ db: tx, actor: context.actor }, eventId))) return undefined
    // The lock keeps the files from being deleted, or no longer shared, in the meantime.
    const { rows } = await sql<{ id: number; title: string }>`
      select a.id, a.title from attachment a where a.shared and a.id = any (${ids}::bigint[])
        and not exists (select from event_attachment l where l.event_id = ${eventId} and l.attachment_id = a.id)
      order by a.id for share of a`.execute(tx)
    if (!rows.length) return { added: 0 }
    const links = rows.map(({ id }) => ({ event_id: eventId, attachment_id: id }))
    await tx
      .insertInto('event_attachment')
      .values(links)
      // Another tab chose these files at the same time.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await record(tx, context, {
      kind: 'event.files_added',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { files: [null, rows.map(({ title }) => title)] },
    })
    return { added: rows.length }
  })
}

/** Adds uploaded files to an event. Undefined: the actor may not change the event. */
export async function attachFiles(
  context: CommandContext,
  { eventId, files, quotaBytes }: NewFiles & { eventId: number },
): Promise<Added | undefined> {
  return transact(context.db, async (tx): Promise<Added | undefined> => {
    if (!(await getPlannedEvent({ db: tx, actor: context.actor }, eventId))) return undefined
    const stored = await storeFiles(tx, context, { files, quotaBytes, isShared: false })
    if (!stored.ok) return stored
    const links = stored.ids.map((id) => ({ event_id: eventId, attachment_id: id }))
    await tx.insertInto('event_attachment').values(links).execute()
    await record(tx, context, {
      kind: 'event.files_added',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { files: [null, files.map(({ name }) => name)] },
    })
    return { ok: true }
  })
}

/** Undefined: there is no such file on the event, or the actor may not change the event. */
export async function removeFromEvent(
  context: CommandContext,
  eventId: number,
  id: number,
): Promise<{ title: string } | undefined> {
  return transact(context.db, async (tx) => {
    const reader = { db: tx, actor: context.actor }
    if (!(await getPlannedEvent(reader, eventId))) return undefined
    const attachment = await getAttachment(reader, eventId, id)
    if (!attachment) return undefined
    // A trigger deletes the file with its last event, unless it is shared.
    const { numDeletedRows } = await tx
      .deleteFrom('event_attachment')
      .where('event_id', '=', eventId)
      .where('attachment_id', '=', id)
      .executeTakeFirst()
    if (!numDeletedRows) return undefined
    await record(tx, context, {
      kind: 'event.file_removed',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: { files: [[attachment.title], null] },
    })
    return attachment
  })
}

/** Deletes a file from all events. Undefined: there is no such file. */
export async function deleteAttachment(context: CommandContext, id: number): Promise<{ title: string } | undefined> {
  requirePermission(context.actor, 'delete_file')
  return transact(context.db, async (tx) => {
    await tx.selectFrom('attachment').select('id').where('id', '=', id).forUpdate().execute()
    const attachment = await getStoredAttachment({ db: tx, actor: context.actor }, id)
    if (!attachment) return undefined
    // All of them, also those that the actor does not see.
    const links = await tx
      .selectFrom('event_attachment')
      .select('event_id')
      .where('attachment_id', '=', id)
      .orderBy('event_id')
      .execute()
    await tx.deleteFrom('attachment').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'attachment.deleted',
      subject: { kind: 'attachment', id },
      changes: { title: [attachment.title, null], events: [links.map(({ event_id }) => event_id), null] },
    })
    return attachment
  })
}

/** Templates keep the ids of files; a file that was deleted is left out. */
export const attachmentTemplate = {
  part: 'files' as const,
  save: async (db: Kysely<DB>, eventId: number): Promise<number[]> => {
    const rows = await db.selectFrom('event_attachment').select('attachment_id').where('event_id', '=', eventId).execute()
    return rows.map(({ attachment_id }) => attachment_id)
  },
  restore: async (tx: Tx, eventId: number, _shifts: ReadonlyMap<number, number>, saved: readonly number[]): Promise<void> => {
    await sql`insert into event_attachment (event_id, attachment_id)
      select ${eventId}, a.id from attachment a where a.id = any (${saved}::bigint[])`.execute(tx)
  },
}

/** Copies of an event refer to the same files. */
export async function copyAttachments(tx: Tx, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`insert into event_attachment (event_id, attachment_id)
    select ${to}, attachment_id from event_attachment where event_id = ${from}`.execute(tx)
}
