import { type Kysely, sql } from 'kysely'
import { requireStaff } from '#features/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { keepFile } from '#platform/files/stored-files.ts'
import type { Upload } from '#platform/files/upload.ts'
import { record } from '#platform/journal/journal.ts'
import { getAttachment, getPlannedEvent, getStoredAttachment, getUsedBytes } from './queries.ts'

/** Replaced by a test that shows what the lock prevents. */
export const QUOTA = {
  lock: async (tx: Tx): Promise<void> =>
    void (await sql`select pg_advisory_xact_lock(hashtext('turnout.file_quota'))`.execute(tx)),
  getUsedBytes: (tx: Tx): Promise<number> => getUsedBytes(tx),
}

type Added = { ok: true } | { ok: false; reason: 'quota'; freeBytes: number }

/** Adds uploaded files to an event. Undefined: the actor may not change the event. */
export async function attachFiles(
  context: CommandContext,
  { eventId, files, quotaBytes }: { eventId: number; files: readonly Upload[]; quotaBytes: number },
): Promise<Added | undefined> {
  return transact(context.db, async (tx): Promise<Added | undefined> => {
    if (!(await getPlannedEvent({ db: tx, actor: context.actor }, eventId))) return undefined
    await QUOTA.lock(tx)
    const freeBytes = Math.max(quotaBytes - (await QUOTA.getUsedBytes(tx)), 0)
    if (files.reduce((sum, { bytes }) => sum + bytes, 0) > freeBytes) return { ok: false, reason: 'quota', freeBytes }
    const uploaderId = context.actor.kind === 'user' ? context.actor.userId : null
    for (const file of files) {
      await keepFile(tx, file, context.now)
      const { id } = await tx
        .insertInto('attachment')
        .values({ title: file.name, file_id: file.id, uploader_id: uploaderId, created_at: context.now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.insertInto('event_attachment').values({ event_id: eventId, attachment_id: id }).execute()
    }
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
    // A trigger deletes the file with its last event.
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
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    await tx.selectFrom('attachment').select('id').where('id', '=', id).forUpdate().execute()
    const attachment = await getStoredAttachment(tx, id)
    if (!attachment) return undefined
    await tx.deleteFrom('attachment').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'attachment.deleted',
      subject: { kind: 'attachment', id },
      changes: { title: [attachment.title, null], events: [attachment.events.map((event) => event.id), null] },
    })
    return attachment
  })
}

/** Templates keep the ids of files; a file that no event has any more is left out. */
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
