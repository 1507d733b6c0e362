import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'

/** Who of these may be put on a shift of the event: active people of the lists, its guests, and visitors who are in it already. */
export async function findAddable(db: Kysely<DB>, eventId: number, people: readonly CardPerson[]): Promise<ReadonlySet<string>> {
  const ids = (kind: string) => people.flatMap((who) => ('kind' in who && who.kind === kind ? [who.id] : []))
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number }>`
    select 'local' as kind, u.id from user_profile u where u.id = any (${ids('local')}::bigint[]) and u.is_visible and u.is_active
    union all select 'guest', g.id from guest g where g.id = any (${ids('guest')}::bigint[]) and g.event_id = ${eventId}
    union all select 'visitor', v.id from visitor v where v.id = any (${ids('visitor')}::bigint[])
      and exists (select from participation p where p.visitor_id = v.id and p.event_id = ${eventId})`.execute(db)
  return new Set(rows.map(cardKey))
}
