import { type Kysely, sql } from 'kysely'
import type { Participant } from '#features/participations/rules/candidacy.ts'
import type { DB } from '#platform/db/tables.ts'

/** Everybody with a record of their own on a shift, as they are locked. */
export async function findPeopleOf(db: Kysely<DB>, shiftId: number): Promise<Participant[]> {
  const { rows } = await sql<Participant>`
    select p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as id from participation p
    where p.shift_id = ${shiftId} and p.kind <> 'placeholder' order by 1, 2`.execute(db)
  return rows
}

/** Local people who take part, or asked to. */
type PeopleOf = { confirmed: number[]; requested: number[]; guests: number[]; visitors: number[] }

export async function findUsersOf(db: Kysely<DB>, shiftId: number): Promise<PeopleOf> {
  const { rows } = await sql<PeopleOf>`
    select array(select user_id from participation where shift_id = ${shiftId} and state = 1 and user_id is not null order by 1) as confirmed,
      array(select user_id from participation where shift_id = ${shiftId} and state = 0 and user_id is not null order by 1) as requested,
      array(select guest_id from participation where shift_id = ${shiftId} and state in (0, 1) and guest_id is not null order by 1) as guests,
      array(select visitor_id from participation where shift_id = ${shiftId} and state in (0, 1) and visitor_id is not null order by 1) as visitors`.execute(
    db,
  )
  return rows[0]!
}

/** Shifts that take over whoever takes part in this one. */
export async function findFollowers(db: Kysely<DB>, shiftId: number): Promise<{ id: number; label: string }[]> {
  const { rows } = await sql<{ id: number; label: string }>`
    select f.id, f.label from shift f join shift s on s.event_id = f.event_id
    where s.id = ${shiftId} and f.signup_flow_slug = 'coupled' and f.signup_flow_configuration ->> 'leader_shift_id' = s.id::text
    order by f.id`.execute(db)
  return rows
}
