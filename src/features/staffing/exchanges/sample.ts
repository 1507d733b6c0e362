import { sql } from 'kysely'
import { isQualified } from '#features/staffing/waiting-list/sample.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SampleContext } from '#platform/features/sample-data.ts'

const DAY_MS = 24 * 3_600_000

/** A swap that Ann can answer, and a person who asks her to stand in. */
const SWAP = { en: 'My sister gets married that day.', de: 'An dem Tag heiratet meine Schwester.' }
const STAND_IN = { en: 'I am ill.', de: 'Ich bin krank.' }

export async function loadExchanges({ language, tx, now }: SampleContext): Promise<void> {
  await loadSwap(tx, now, SWAP[language])
  await loadStandIn(tx, now, STAND_IN[language])
}

/** Confirmed places of adults in coming shifts in which people are confirmed at once. */
const places = (now: Date) => sql`
  select p.id, p.user_id, p.shift_id, p.event_id, p.start_time, p.end_time, s.start_time as shift_start
  from participation p join shift s on s.id = p.shift_id join event e on e.id = s.event_id join user_profile u on u.id = p.user_id
  where p.state = 1 and p.kind = 'local' and u.is_active and u.is_visible and u.date_of_birth < '2000-01-01'
    and e.listed and s.start_time > ${new Date(now.getTime() + 2 * DAY_MS)} and s.signup_flow_slug = 'instant_confirmation'
    and s.structure_slug = 'uniform'`

const sees = (person: string, place: string) => sql`exists (
  select from event_group_grant g join user_group_member m on m.group_id = g.group_id
  where g.event_id = ${sql.raw(place)}.event_id and m.user_id = ${sql.raw(person)}.user_id)`

/** The person of the first place has no other shift at the time of the second one, and is not in it. */
const isFree = (person: string, place: string) => sql`not exists (
  select from participation o where o.user_id = ${sql.raw(person)}.user_id and o.id <> ${sql.raw(person)}.id
    and (o.shift_id = ${sql.raw(place)}.shift_id
      or o.state = 1 and o.start_time < ${sql.raw(place)}.end_time and o.end_time > ${sql.raw(place)}.start_time))`

const fits = (person: string, place: string) =>
  sql`${sees(person, place)} and ${isFree(person, place)} and ${isQualified(`${person}.user_id`, `${place}.shift_id`)}`

const ANN = sql`(select id from user_profile where email = 'ann@demo.example')`

async function loadSwap(tx: Tx, now: Date, message: string): Promise<void> {
  await sql`
    insert into swap (user_id, shift_id, participation_id, other_id, other_shift_id, other_participation_id, message, created_at, expires_at)
    select a.user_id, a.shift_id, a.id, b.user_id, b.shift_id, b.id, ${message},
      ${new Date(now.getTime() - DAY_MS / 2)}, least(a.shift_start, b.shift_start)
    from (${places(now)}) a, (${places(now)}) b
    where b.user_id = ${ANN} and a.user_id <> b.user_id and a.shift_id <> b.shift_id
      and ${fits('a', 'b')} and ${fits('b', 'a')}
    order by b.start_time, a.start_time, a.id limit 1`.execute(tx)
}

async function loadStandIn(tx: Tx, now: Date, message: string): Promise<void> {
  await sql`
    with search as (
      insert into stand_in (shift_id, participation_id, user_id, message, created_at)
      select a.shift_id, a.id, a.user_id, ${message}, ${new Date(now.getTime() - DAY_MS / 4)}
      from (${places(now)}) a, (select ${ANN} as user_id, 0::bigint as id) b
      where a.user_id <> b.user_id and ${fits('b', 'a')}
        and not exists (select from swap w where a.id in (w.participation_id, w.other_participation_id))
      order by a.start_time, a.id limit 1
      returning id, created_at
    )
    insert into stand_in_person (stand_in_id, user_id, asked_at) select s.id, ${ANN}, s.created_at from search s`.execute(tx)
}
