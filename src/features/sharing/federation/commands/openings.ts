import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'

/** Notes that the caller opens an event at a host. Returns its page there; undefined: there is no such event. */
export async function openAtHost({ db, actor, now }: CommandContext, partnerEventId: number): Promise<string | undefined> {
  const found = await rowsOf(db).first(sql<{ href: string; isSilent: boolean }>`
    select x.signup_url as href, not h.speaks_turnout as "isSilent"
    from partner_event x join federated_host h on h.id = x.host_id where x.id = ${partnerEventId}`)
  // Other hosts tell us where the person stands, so nothing more has to be kept about them.
  if (found?.isSilent && actor.kind === 'user')
    // From a select: the sync may have deleted the event meanwhile.
    await sql`
      insert into partner_event_opening (user_id, partner_event_id, opened_at)
      select ${actor.userId}, x.id, ${now}::timestamptz from partner_event x where x.id = ${partnerEventId} for key share
      on conflict (user_id, partner_event_id) do update set opened_at = excluded.opened_at`.execute(db)
  return found?.href
}
