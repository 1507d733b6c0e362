import type { RequestContext } from '#platform/auth/context.ts'
import { wireTimeOrNull } from '#platform/http/time-format.ts'
import type { SharedEventRow } from './shared-events.ts'

/** The order of the keys is part of the contract. */
export const presentSharedEvent = (row: SharedEventRow, { site }: Pick<RequestContext, 'site'>) => ({
  id: row.id,
  title: row.title,
  description: row.description,
  location: row.location,
  type: { id: row.type_id, title: row.type_title },
  start_time: wireTimeOrNull(row.start_time, site.timeZone),
  end_time: wireTimeOrNull(row.end_time, site.timeZone),
  signup_url: `${site.url}/events/shared/${row.id}/${row.guest_id}/`,
})
