import { sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import { reachableBy } from '../access.ts'

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
