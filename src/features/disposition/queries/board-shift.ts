import { sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/access.ts'
import type { State } from '#features/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { BoardComment } from '../rules/board.ts'
import type { CardPerson } from '../rules/cards.ts'

export type BoardShift = {
  id: number
  label: string
  event_id: number
  event_title: string
  is_cancelled: boolean
  is_draft: boolean
  meeting_time: Date
  start_time: Date
  end_time: Date
  /** Shifts of the same event, this one too. */
  shift_count: number
}

/** Undefined: no such shift. `mayChange` false: somebody may see it and is not responsible. */
export async function getBoardShift(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ shift: BoardShift; mayChange: boolean } | undefined> {
  const { rows } = await sql<BoardShift & { may_change: boolean }>`
    select s.id, s.label, e.id as event_id, e.title as event_title, e.cancelled_at is not null as is_cancelled, not e.active as is_draft,
      s.meeting_time, s.start_time, s.end_time, e.shift_count, ${changeableBy(actor)} as may_change
    from shift s join event e on e.id = s.event_id
    where s.id = ${id} and e.deleted_at is null and (${changeableBy(actor)} or ${shownTo(actor)})`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { may_change: mayChange, ...shift } = row
  return { shift, mayChange }
}

export type BoardRow = { id: number; shiftId: number; who: CardPerson; name: string; state: State }

/** Everybody with a record on one of these shifts, by name. */
export async function findBoardRows({ db }: RequestContext, shiftIds: readonly number[]): Promise<BoardRow[]> {
  const { rows } = await sql<{
    id: number
    shift_id: number
    kind: 'local' | 'visitor' | 'guest' | 'placeholder'
    person_id: number
    name: string
    state: State
  }>`
    select p.id, p.shift_id, p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as person_id, p.state,
      coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name
    from participation p left join user_profile u on u.id = p.user_id
    left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    where p.shift_id = any (${shiftIds}::bigint[]) order by lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`.execute(
    db,
  )
  return rows.map(({ id, shift_id, kind, person_id, name, state }) => ({
    id,
    shiftId: shift_id,
    name,
    state,
    who: kind === 'placeholder' ? { placeholder: name } : { kind, id: person_id },
  }))
}

/** All comments on these participations, oldest first: responsibles read every level. */
export async function findBoardComments(
  { db, words }: RequestContext,
  ids: readonly number[],
): Promise<Map<number, BoardComment[]>> {
  const { rows } = await sql<
    Omit<BoardComment, 'author'> & { author: string | null; participation_id: number; is_own: boolean; name: string }
  >`
    select c.participation_id, c.text, c.created_at as at, c.visible_for as level, c.author_kind = 'participant' as is_own,
      u.display_name as author, coalesce(w.display_name, v.display_name, g.display_name, p.placeholder_name) as name
    from participation_comment c join participation p on p.id = c.participation_id
    left join user_profile u on u.id = c.author_id left join user_profile w on w.id = p.user_id
    left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    where c.participation_id = any (${ids}::bigint[]) order by c.created_at, c.id`.execute(db)
  const comments = rows.map(({ participation_id, text, at, level, is_own, author, name }) => ({
    participation_id,
    comment: { text, at, level, author: is_own ? name : (author ?? words.t('participation.former_responsible')) },
  }))
  return new Map(
    [...Map.groupBy(comments, ({ participation_id }) => participation_id)].map(([id, all]) => [
      id,
      all.map(({ comment }) => comment),
    ]),
  )
}

/** Changes whenever anything that a board of these shifts shows changes. */
export async function getBoardState({ db }: RequestContext, shiftIds: readonly number[]): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select md5(coalesce(string_agg(line, ' ' order by line), '')) as state from (
      select p.id || ':' || p.version || ':' || (select count(*) from participation_comment c where c.participation_id = p.id) as line
      from participation p where p.shift_id = any (${shiftIds}::bigint[])
      union all select 'shift ' || md5(s::text) || e.version from shift s join event e on e.id = s.event_id
      where s.id = any (${shiftIds}::bigint[])
    ) lines`.execute(db)
  return rows[0]!.state
}
