import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { answersOf } from '#features/events/questionnaires/queries.ts'
import type { AnsweredQuestion, GivenBy } from '#features/events/questionnaires/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'

type ShiftOfAnswers = { id: number; label: string; start: Date; end: Date; eventId: number; eventTitle: string }
type ShiftAnswers = { shift: ShiftOfAnswers; questions: AnsweredQuestion[]; people: GivenBy[] }

/** Answers of the confirmed people of a shift. Undefined: the actor is not responsible for it. */
export async function getShiftAnswers({ db, actor }: RequestContext, shiftId: number): Promise<ShiftAnswers | undefined> {
  const { rows: shifts } = await sql<ShiftOfAnswers>`
    select s.id, s.label, s.start_time as start, s.end_time as end, e.id as "eventId", e.title as "eventTitle"
    from shift s join event e on e.id = s.event_id
    where s.id = ${shiftId} and e.deleted_at is null and ${changeableBy(actor)}`.execute(db)
  const [shift] = shifts
  if (!shift) return undefined
  // People may have answered questions that the shift no longer asks.
  const { rows: questions } = await sql<AnsweredQuestion>`
    select q.id, q.name, q.text, q.kind, q.choices from question q
    where q.id in (
      select a.question_id from shift_question a where a.shift_id = ${shiftId}
      union select a.question_id from answer a join participation p on p.id = a.participation_id
        where p.shift_id = ${shiftId} and p.state = 1)
    order by q.id`.execute(db)
  const { rows: people } = await sql<GivenBy>`
    select coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name) as name, ${answersOf(sql`p.id`)} as answers
    from participation p left join user_profile u on u.id = p.user_id
    left join visitor v on v.id = p.visitor_id left join guest g on g.id = p.guest_id
    where p.shift_id = ${shiftId} and p.state = 1
    order by lower(coalesce(u.display_name, v.display_name, g.display_name, p.placeholder_name)), p.id`.execute(db)
  return { shift, questions, people }
}
