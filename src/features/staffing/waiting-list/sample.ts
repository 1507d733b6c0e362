import { sql } from 'kysely'
import type { SampleContext } from '#platform/features/sample-data.ts'

const DAY_MS = 24 * 3_600_000
const WAITING = 2

/** The person holds what the shift requires, until its end. */
export const isQualified = (person: string, shift: string) => sql`not exists (
  select from shift q cross join jsonb_array_elements_text(coalesce(nullif(q.structure_configuration -> 'required_qualification_ids', 'null'), '[]')) r (id)
  where q.id = ${sql.raw(shift)} and not exists (select from qualification_grant h where h.user_id = ${sql.raw(person)}
    and (h.expires_at is null or h.expires_at > q.end_time) and (h.qualification_id = r.id::bigint
      or exists (select from qualification_closure c where c.qualification_id = h.qualification_id and c.included_id = r.id::bigint))))`

/** A shift that is full, with people who wait for a place. */
export async function loadWaiting({ tx, now }: SampleContext): Promise<void> {
  const { rows } = await sql<{ id: number; eventId: number; confirmed: number }>`
    select s.id, s.event_id as "eventId", s.confirmed_count as confirmed from shift s join event e on e.id = s.event_id
    where e.listed and s.start_time > ${new Date(now.getTime() + 7 * DAY_MS)} and s.signup_flow_slug = 'instant_confirmation'
      and s.structure_slug = 'uniform' and s.confirmed_count > 1 and s.missing = 0
    order by s.start_time, s.id limit 1`.execute(tx)
  const [shift] = rows
  if (!shift) return
  await sql`
    update shift set max_count = ${shift.confirmed}, free = 0,
      structure_configuration = structure_configuration || jsonb_build_object('maximum_number_of_participants', ${shift.confirmed}::int)
    where id = ${shift.id}`.execute(tx)
  // People who see the event, are qualified and have no other shift then.
  const { rows: people } = await sql<{ id: number }>`
    select distinct u.id from shift s join event_group_grant g on g.event_id = s.event_id join user_group_member m on m.group_id = g.group_id
      join user_profile u on u.id = m.user_id
    where s.id = ${shift.id} and u.is_active and u.is_visible and u.date_of_birth < '2000-01-01'
      and not exists (select from participation p where p.user_id = u.id and (p.shift_id = s.id
        or p.state = 1 and p.start_time < s.end_time and p.end_time > s.start_time))
      and ${isQualified('u.id', 's.id')}
    order by u.id limit ${WAITING}`.execute(tx)
  for (const [index, { id }] of people.entries())
    await tx
      .insertInto('waiting_entry')
      .values({ shift_id: shift.id, user_id: id, since: new Date(now.getTime() - (WAITING - index) * DAY_MS) })
      .execute()
}
