import { type Kysely, sql } from 'kysely'
import { participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

/** The last thing that the caller did about their own participation in a shift. */
export async function getLastOwnStep(
  { db, actor }: Pick<RequestContext, 'db' | 'actor'>,
  shiftId: number,
): Promise<{ id: number; kind: string; participationId: number } | undefined> {
  if (actor.kind !== 'user') return undefined
  return rowsOf(db).first(sql<{ id: number; kind: string; participationId: number }>`
    select j.id, j.kind, p.id as "participationId"
    from participation p join journal j on j.subject_kind = 'participation' and j.subject_id = p.id
    where p.shift_id = ${shiftId} and p.user_id = ${actor.userId} and j.actor_kind = 'user' and j.actor_id = ${actor.userId}
    order by j.id desc limit 1`)
}

/** Whether another person has been confirmed or been offered a place since a journal entry, and fewer places are free now. */
export async function isPlaceTakenSince(
  db: Kysely<DB>,
  shiftId: number,
  entry: { id: number; subject_id: number | null },
  places = 1,
): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean | null }>`
    select s.free < ${places} and (exists (
      select from participation p join journal j on j.subject_kind = 'participation' and j.subject_id = p.id
      where p.shift_id = s.id and p.state = 1 and p.id is distinct from ${entry.subject_id} and j.id > ${entry.id})
      or exists (select from waiting_entry w where w.shift_id = s.id and w.state = 'offered')) is true as taken
    from shift s where s.id = ${shiftId}`.execute(db)
  return rows[0]?.taken ?? false
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
