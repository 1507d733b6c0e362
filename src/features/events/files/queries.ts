import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { openFor } from '#features/staffing/eligibility/access.ts'
import { type Actor, isStaff } from '#platform/auth/actor.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

const MAX_LISTED = 500

type Reader = { db: Kysely<DB>; actor: Actor }

/** `file`: null if the content was not imported. */
export type Attachment = { id: number; title: string; fileId: string | null; type: string | null; bytes: number | null }

const columns = sql`a.id, a.title, a.file_id as "fileId", f.content_type as type, f.bytes`

/** A condition on `event` as `e`. People who may change an event also see its files while it is a draft. */
const readableBy = (actor: Actor) => sql`(${openFor(actor)} or e.deleted_at is null and ${changeableBy(actor)})`

/** Files of an event that the reader sees. */
export async function findAttachments({ db, actor }: Reader, eventId: number): Promise<Attachment[]> {
  return rowsOf(db).all(sql<Attachment>`
    select ${columns} from event e join event_attachment l on l.event_id = e.id join attachment a on a.id = l.attachment_id
      left join stored_file f on f.id = a.file_id
    where e.id = ${eventId} and ${readableBy(actor)} order by lower(a.title), a.id`)
}

export type AttachmentDetails = Attachment & { name: string | null; otherEvents: number; isShared: boolean }

/** Checked for each download: the file is on this event, and the reader sees the event. */
export async function getAttachment({ db, actor }: Reader, eventId: number, id: number): Promise<AttachmentDetails | undefined> {
  return rowsOf(db).first(sql<AttachmentDetails>`
    select ${columns}, f.name, a.shared as "isShared",
      (select count(*) from event_attachment o where o.attachment_id = a.id and o.event_id <> e.id)::int as "otherEvents"
    from event e join event_attachment l on l.event_id = e.id join attachment a on a.id = l.attachment_id
      left join stored_file f on f.id = a.file_id
    where e.id = ${eventId} and a.id = ${id} and ${readableBy(actor)}`)
}

/** Files that planners can add to an event; not those that it has. */
export async function findSharedFiles(db: Kysely<DB>, eventId: number): Promise<Attachment[]> {
  return rowsOf(db).all(sql<Attachment>`
    select ${columns} from attachment a left join stored_file f on f.id = a.file_id
    where a.shared and not exists (select from event_attachment l where l.event_id = ${eventId} and l.attachment_id = a.id)
    order by lower(a.title), a.id limit ${MAX_LISTED}`)
}

/** An event that the reader sees and that has the file; the latest of several. */
export async function getReadableEvent({ db, actor }: Reader, id: number): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select e.id from event_attachment l join event e on e.id = l.event_id
    where l.attachment_id = ${id} and ${readableBy(actor)} order by e.start_time desc nulls last, e.id desc limit 1`)
  return row?.id
}

/** An event whose files the actor may change. */
export async function getPlannedEvent(
  { db, actor }: Reader,
  eventId: number,
): Promise<{ id: number; title: string } | undefined> {
  return rowsOf(db).first(sql<{ id: number; title: string }>`
    select e.id, e.title from event e where e.id = ${eventId} and e.deleted_at is null and ${changeableBy(actor)}`)
}

export type StoredAttachment = Attachment & {
  name: string | null
  uploader: string | null
  createdAt: Date
  isShared: boolean
  version: number
  /** Those that the reader may know about. */
  events: { id: number; title: string; isDeleted: boolean }[]
  eventCount: number
}

/** Who manages files may read all of them, but learns nothing about events that they do not see. */
const stored = (actor: Actor) => sql`
  select ${columns}, f.name, u.display_name as uploader, a.created_at as "createdAt", a.shared as "isShared", a.version,
    (select count(*) from event_attachment l where l.attachment_id = a.id)::int as "eventCount", coalesce((
    select json_agg(json_build_object('id', e.id, 'title', e.title, 'isDeleted', e.deleted_at is not null) order by e.start_time, e.id)
    from event_attachment l join event e on e.id = l.event_id
    where l.attachment_id = a.id and (${isStaff(actor)} or ${readableBy(actor)})), '[]') as events
  from attachment a left join stored_file f on f.id = a.file_id left join user_profile u on u.id = a.uploader_id`

/** The largest first. */
export async function findStoredAttachments({ db, actor }: Reader): Promise<StoredAttachment[]> {
  const { rows } =
    await sql<StoredAttachment>`${stored(actor)} order by f.bytes desc nulls last, a.id limit ${MAX_LISTED}`.execute(db)
  return rows
}

export async function getStoredAttachment({ db, actor }: Reader, id: number): Promise<StoredAttachment | undefined> {
  return rowsOf(db).first(sql<StoredAttachment>`${stored(actor)} where a.id = ${id}`)
}

/** Bytes of all files on events; a file on several events counts once. */
export async function getUsedBytes(db: Kysely<DB>): Promise<number> {
  const { bytes } = await rowsOf(db).one(sql<{ bytes: number }>`
    select coalesce(sum(f.bytes), 0)::bigint as bytes from attachment a join stored_file f on f.id = a.file_id`)
  return bytes
}

/** Imported rows whose content was not imported yet. */
export async function countAttachmentsWithoutFile(db: Kysely<DB>): Promise<number> {
  const { count } = await rowsOf(db).one(
    sql<{ count: number }>`select count(*)::int as count from attachment where file_id is null`,
  )
  return count
}
