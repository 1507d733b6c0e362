import { type RawBuilder, sql } from 'kysely'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { type EventAbroad, findEventsAbroad } from './partner-events.ts'

const KEPT_DAYS = 14

/** Copies of what others share with us, soonest first; or what ended lately, latest first. Nobody is asked for it now. */
export async function findExternalEvents(
  context: RequestContext,
  when: 'coming' | 'lately',
  { limit, offset }: Pagination,
): Promise<{ count: number; events: EventAbroad[] }> {
  const since = new Date(context.now.getTime() - KEPT_DAYS * 24 * 3_600_000)
  const condition: RawBuilder<unknown> =
    when === 'coming' ? sql`x.end_time >= ${context.now}` : sql`x.end_time < ${context.now} and x.end_time >= ${since}`
  const way = when === 'coming' ? sql`asc` : sql`desc`
  const { rows: counted } = await sql<{ count: number }>`
    select count(*)::int as count from partner_event x where ${condition} and x.start_time is not null`.execute(context.db)
  const { rows } = await sql<{ id: number }>`
    select x.id from partner_event x where ${condition} and x.start_time is not null
    order by x.start_time ${way}, x.end_time ${way}, x.id ${way} limit ${limit} offset ${offset}`.execute(context.db)
  const found = new Map(
    (
      await findEventsAbroad(
        context,
        rows.map(({ id }) => id),
      )
    ).map((event) => [event.id, event]),
  )
  return { count: counted[0]!.count, events: rows.flatMap(({ id }) => found.get(id) ?? []) }
}
