import { type Kysely, sql } from 'kysely'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { LEAD_DAYS } from '../rules/pickup.ts'

const BATCH_SIZE = 200
/** Older shifts say little about how people sign up today. */
const YEARS = 2

/**
 * Stores how the places of ended shifts were taken. Participations that an import brought have the time of their first entry in the log; if
 * it is not known of most confirmed people when they signed up, the shift is stored without these figures.
 */
export async function learnPastShifts(db: Kysely<DB>, now: Date): Promise<number> {
  let learned = 0
  for (;;) {
    const stored = await learnSome(db, now)
    learned += stored
    if (stored < BATCH_SIZE) return learned
  }
}

async function learnSome(db: Kysely<DB>, now: Date): Promise<number> {
  const stored = await rowsOf(db).all(sql<{ shift_id: number }>`
    with due as (
      select s.id, e.type_id, s.start_time, s.min_count as needed, s.confirmed_count as final
      from shift s join event e on e.id = s.event_id
      where s.end_time < ${now} and s.end_time >= ${now}::timestamptz - make_interval(years => ${sql.lit(YEARS)})
        and s.min_count > 0 and e.listed and not exists (select from shift_pickup u where u.shift_id = s.id)
      order by s.end_time desc, s.id desc limit ${sql.lit(BATCH_SIZE)}
    ), place as (
      select p.shift_id, p.state, least(p.created_at, entry.first) as joined_at,
        case when p.state in (2, 3) then coalesce(entry.last, p.created_at) end as left_at
      from due join participation p on p.shift_id = due.id, lateral (
        select min(j.at) as first, max(j.at) as last from journal j
        where j.subject_kind = 'participation' and j.subject_id = p.id) entry
      where p.state <> 4
    )
    insert into shift_pickup (shift_id, type_id, start_time, needed, final, taken)
    select due.id, due.type_id, due.start_time, due.needed, due.final,
      case when 2 * (select count(*) from place where shift_id = due.id and state = 1 and joined_at <= due.start_time) >= due.final
        then array(
          select (select count(*)::int from place where shift_id = due.id and joined_at <= compared.at
            and (left_at is null or left_at > compared.at))
          from unnest(${[...LEAD_DAYS]}::int[]) with ordinality as lead (days, n),
            lateral (select due.start_time - make_interval(hours => 24 * lead.days) as at) compared
          order by lead.n) end
    from due
    returning shift_id`)
  return stored.length
}
