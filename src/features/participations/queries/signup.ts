import { type Kysely, sql } from 'kysely'
import { changeableBy } from '#features/events/access.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { reachableBy } from '../access.ts'
import { participantOf } from '../rules/candidacy.ts'

/** The event of a shift in which the caller can act as a participant. */
export async function getReachableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id where s.id = ${shiftId} and ${reachableBy(actor)}`.execute(db)
  return rows[0]?.id
}

/** The event of a shift that the caller is responsible for, drafts and cancelled ones too. */
export async function getChangeableEventOf(db: Kysely<DB>, actor: Actor, shiftId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select e.id from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  return rows[0]?.id
}

/** The last thing that the caller did about their own participation in a shift. */
export async function getLastOwnStep(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  shiftId: number,
): Promise<{ id: number; kind: string; participationId: number } | undefined> {
  if (actor.kind !== 'user') return undefined
  const { rows } = await sql<{ id: number; kind: string; participationId: number }>`
    select j.id, j.kind, p.id as "participationId"
    from participation p join journal j on j.subject_kind = 'participation' and j.subject_id = p.id
    where p.shift_id = ${shiftId} and p.user_id = ${actor.userId} and j.actor_kind = 'user' and j.actor_id = ${actor.userId}
    order by j.id desc limit 1`.execute(db)
  return rows[0]
}

/** Whether another person has been confirmed or been offered a place since a journal entry, and fewer places are free now. */
export async function isPlaceTakenSince(
  db: Kysely<DB>,
  shiftId: number,
  entry: { id: number; subject_id: number | null },
  places = 1,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select s.free < ${places} and (exists (
      select from participation p join journal j on j.subject_kind = 'participation' and j.subject_id = p.id
      where p.shift_id = s.id and p.state = 1 and p.id is distinct from ${entry.subject_id} and j.id > ${entry.id})
      or exists (select from waiting_entry w where w.shift_id = s.id and w.state = 'offered')) is true as taken
    from shift s where s.id = ${shiftId}`.execute(db)
  return rows[0]?.taken ?? false
}

export type ShiftForSignup = {
  id: number
  label: string
  event_id: number
  event_title: string
  meeting_time: Date
  start_time: Date
  end_time: Date
}

export async function getShiftForSignup({ db, actor }: RequestContext, id: number): Promise<ShiftForSignup | undefined> {
  const { rows } = await sql<ShiftForSignup>`
    select s.id, s.label, e.id as event_id, e.title as event_title, s.meeting_time, s.start_time, s.end_time
    from shift s join event e on e.id = s.event_id where s.id = ${id} and ${reachableBy(actor)}`.execute(db)
  return rows[0]
}

/** `author` undefined: the caller. */
export type VisibleComment = { text: string; at: Date; author: string | undefined; isPublic: boolean }

const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }

/** Comments on the caller's own participation that they may see, oldest first. */
export async function findOwnComments({ db, actor, words }: RequestContext, participationId: number): Promise<VisibleComment[]> {
  const who = participantOf(actor)
  if (!who) return []
  const { rows } = await sql<{ text: string; at: Date; level: number; by: string; name: string | null }>`
    select c.text, c.created_at as at, c.visible_for as level, c.author_kind as by, u.display_name as name
    from participation_comment c join participation p on p.id = c.participation_id left join user_profile u on u.id = c.author_id
    where p.id = ${participationId} and ${COLUMNS[who.kind]} = ${who.id} and c.visible_for in (1, 2)
    order by c.created_at, c.id`.execute(db)
  return rows.map(({ text, at, level, by, name }) => ({
    text,
    at,
    isPublic: level === 2,
    author: by === 'participant' ? undefined : (name ?? words.t('participation.former_responsible')),
  }))
}
