import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Forecast } from './rules/pickup.ts'

/** Of `shift_forecast` as `f`, which may be joined without a row. */
export const forecastColumn = sql`case when f.shift_id is not null then json_build_object('usualPercent', f.usual_percent, 'low', f.low,
  'middle', f.middle, 'high', f.high, 'staysShort', f.stays_short, 'comparedWith', f.compared_with) end`

/** Of a shift that the caller plans; undefined if there is no such shift. */
export async function getForecast(
  { db, actor }: RequestContext,
  shiftId: number,
): Promise<{ id: number; forecast: Forecast | null } | undefined> {
  return rowsOf(db).first(sql<{ id: number; forecast: Forecast | null }>`
    select s.id, ${forecastColumn} as forecast
    from shift s join event e on e.id = s.event_id left join shift_forecast f on f.shift_id = s.id
    where s.id = ${shiftId} and e.listed and ${changeableBy(actor)}`)
}
