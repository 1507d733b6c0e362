import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { REMIND_BEFORE_MS } from '../rules/delivery.ts'
import { tell } from './tell.ts'

type Expected = {
  participation_id: number
  user_id: number | null
  guest_id: number | null
  visitor_id: number | null
  event_id: number
  day: string
}

/**
 * Everybody who is expected within a day hears of it once. Who was confirmed less than a day before has just been told, so is not
 * reminded; a shift that moves to another day is worth another reminder.
 */
export async function remind(db: Kysely<DB>, now: Date, timeZone: string): Promise<number> {
  const until = new Date(now.getTime() + REMIND_BEFORE_MS)
  const { rows } = await sql<Expected>`
    select p.id as participation_id, p.user_id, p.guest_id, p.visitor_id, p.event_id,
      to_char(p.start_time at time zone ${timeZone}, 'YYYY-MM-DD') as day
    from participation p join event e on e.id = p.event_id left join user_profile u on u.id = p.user_id
    where p.state = 1 and p.kind <> 'placeholder' and e.listed and p.start_time > ${now} and p.start_time <= ${until}
      and (p.user_id is null or u.is_active)
      and not exists (select from notification n where n.participation_id = p.id
        and (n.kind = 'reminder' and n.source = 'reminder ' || p.id || ' ' || to_char(p.start_time at time zone ${timeZone}, 'YYYY-MM-DD')
          or n.kind = 'participation_state' and n.data ->> 'to' = '1' and n.created_at > p.start_time - interval '1 day'))
      and not (p.created_at > p.start_time - interval '1 day')
    order by p.start_time, p.id`.execute(db)
  let told = 0
  for (const { participation_id, user_id, guest_id, visitor_id, event_id, day } of rows)
    told += await transact(db, (tx) =>
      tell(tx, [{ user_id, guest_id, visitor_id, participation_id }], {
        kind: 'reminder',
        source: `reminder ${participation_id} ${day}`,
        bundle: `reminder ${day}`,
        eventId: event_id,
        actorId: null,
        data: {},
        now,
      }),
    )
  return told
}
