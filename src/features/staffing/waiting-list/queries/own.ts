import { sql } from 'kysely'
import { openFor } from '#features/staffing/eligibility/access.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { EntryState } from '../rules/waiting-list.ts'

export type OwnEntryRow = {
  id: number
  shift: number
  label: string
  event: number
  event_title: string
  start_time: string
  end_time: string
  state: EntryState
  position: number | null
  since: string
  offered_until: string | null
}

const columns = {
  id: sql`w.id`,
  shift: sql`w.shift_id`,
  label: sql`s.label`,
  event: sql`s.event_id`,
  event_title: sql`e.title`,
  start_time: sql`s.start_time::text`,
  end_time: sql`s.end_time::text`,
  state: sql`w.state`,
  position: sql`case when w.state in ('waiting', 'offered') then (
    select count(*)::int from waiting_entry o
    where o.shift_id = w.shift_id and o.state in ('waiting', 'offered') and (o.since, o.id) <= (w.since, w.id)) end`,
  since: sql`w.since::text`,
  offered_until: sql`case when w.state = 'offered' then w.offered_until::text end`,
}
const from = sql`from waiting_entry w join shift s on s.id = w.shift_id join event e on e.id = s.event_id`

const ownedBy = ({ actor }: RequestContext) => sql`w.user_id = ${userIdOf(actor)} and e.deleted_at is null and ${openFor(actor)}`

/** Where the caller waits or has waited for a place, the newest first. */
export function findOwnEntries(context: RequestContext, page: PageRequest): Promise<PagedRows<OwnEntryRow>> {
  const order = [{ column: sql`w.id`, type: 'bigint' as const, descending: true }]
  const listing = { columns, from, where: ownedBy(context), order }
  return findPage(context, listing, page, (chosen) => sql<Paged<OwnEntryRow>>`${chosen}`)
}

export const getOwnEntry = (context: RequestContext, id: number): Promise<OwnEntryRow | undefined> =>
  rowsOf(context.db).first(sql<OwnEntryRow>`select ${selected(columns)} ${from} where w.id = ${id} and ${ownedBy(context)}`)

/** The last entry of the caller for the shift. */
export const getLastOwnEntry = (context: RequestContext, shiftId: number): Promise<OwnEntryRow | undefined> =>
  rowsOf(context.db).first(sql<OwnEntryRow>`
    select ${selected(columns)} ${from} where w.shift_id = ${shiftId} and ${ownedBy(context)} order by w.id desc limit 1`)
