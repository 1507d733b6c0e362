import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { participantOf } from './signup-facts.ts'

/** `author` undefined: the reader. */
export type OwnCommentShown = { text: string; at: Date; author: string | undefined; isPublic: boolean }

const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }

/** What was said about the caller's own participation, as far as it is meant for them; oldest first. */
export async function findOwnComments({ db, actor, words }: RequestContext, participationId: number): Promise<OwnCommentShown[]> {
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
