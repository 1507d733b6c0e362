import { sql } from 'kysely'
import { getBoardShift } from '#features/staffing/disposition/queries/shift-board.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Forecast } from './rules/pickup.ts'

/** Of `shift_forecast` as `f`, which may be joined without a row. */
export const forecastColumn = sql`case when f.shift_id is not null then json_build_object('usualPercent', f.usual_percent, 'low', f.low,
  'middle', f.middle, 'high', f.high, 'staysShort', f.stays_short, 'comparedWith', f.compared_with) end`

type ShiftForecast = { id: number; forecast: Forecast | null }

/** Undefined for shifts that the caller does not see; refused for those that they do not plan, as their board. */
export async function getForecast(context: RequestContext, id: number): Promise<ShiftForecast | undefined> {
  const shift = await getBoardShift(context, id)
  if (!shift) return undefined
  if (!shift.mayChange) throw new Problem('permission_denied')
  const found = await rowsOf(context.db).first(sql<Pick<ShiftForecast, 'forecast'>>`
    select ${forecastColumn} as forecast from shift_forecast f where f.shift_id = ${id}`)
  return { id, forecast: found?.forecast ?? null }
}
