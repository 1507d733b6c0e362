import { sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { cookieNames, VISITOR_COOKIE } from '#platform/http/cookies.ts'
import { NOW } from './demo-instance.ts'
import type { TestApp } from './every-page.ts'

/** Somebody of a partner instance, and what they can open here. */
export async function addVisit({ db, site }: TestApp): Promise<{ cookie: { name: string; value: string }; places: string[] }> {
  const { rows } = await sql<{ visitor: number; guest: number; event: number; shifts: number[] }>`
    select v.id as visitor, h.federated_guest_id as guest, h.event_id as event,
      array(select s.id from shift s where s.event_id = h.event_id order by s.id) as shifts
    from event_share h join visitor v on v.federated_guest_id = h.federated_guest_id join event e on e.id = h.event_id
    where e.listed order by e.end_time > ${NOW} desc, v.id, h.event_id limit 3`.execute(db.write)
  const visitor_id = rows[0]!.visitor
  const session = { id_hash: hashSecret('visit'), visitor_id, created_at: NOW, expires_at: new Date(NOW.getTime() + 1e9) }
  await db.write.insertInto('visitor_session').values(session).execute()
  const places = rows
    .filter(({ visitor }) => visitor === visitor_id)
    .flatMap(({ guest, event, shifts }) => [
      `/events/shared/${event}/${guest}/`,
      ...shifts.flatMap((shift) => ['signup', 'decline'].map((form) => `/shifts/shared/${shift}/${guest}/${form}/`)),
    ])
  return { cookie: { name: cookieNames(site.url).of(VISITOR_COOKIE), value: 'visit' }, places }
}
