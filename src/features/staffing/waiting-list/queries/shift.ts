import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { settingValue } from '#features/operations/settings/queries.ts'
import { openFor } from '#features/staffing/eligibility/access.ts'
import { waitingListSettings } from '#features/staffing/eligibility/schema.ts'
import { readSignupRules } from '#features/staffing/staffing/flows/registry.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { UserRequest } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Span } from '#platform/time-span.ts'

export type ShiftOfWaitingList = Span & {
  id: number
  label: string
  eventId: number
  eventTitle: string
  mayChange: boolean
  hasWaitingLists: boolean
  /** Sign-ups are confirmed at once. */
  isInstant: boolean
}

/** A shift of an event that the caller may open. */
export async function getShiftOfWaitingList(
  { db, actor, site }: RequestContext,
  id: number,
): Promise<ShiftOfWaitingList | undefined> {
  type Row = Omit<ShiftOfWaitingList, 'isInstant'> & { flowSlug: string; flowConfiguration: unknown }
  const row = await rowsOf(db).first(sql<Row>`
    select s.id, s.label, s.start_time as start, s.end_time as end, e.id as "eventId", e.title as "eventTitle",
      ${changeableBy(actor)} as "mayChange", ${settingValue(waitingListSettings, 'waiting_list')} as "hasWaitingLists",
      s.signup_flow_slug as "flowSlug", s.signup_flow_configuration as "flowConfiguration"
    from shift s join event e on e.id = s.event_id where s.id = ${id} and e.deleted_at is null and ${openFor(actor)}`)
  if (!row) return undefined
  const { flowSlug, flowConfiguration, ...shift } = row
  const rules = readSignupRules({ flowSlug, flowConfiguration, start: shift.start, end: shift.end }, site.timeZone)
  return { ...shift, isInstant: rules?.hasRequestStage === false }
}

export type ShiftRequest = UserRequest<{ shift: number }>

export async function requireShift({ context, path }: ShiftRequest): Promise<ShiftOfWaitingList> {
  return requireFound(await getShiftOfWaitingList(context, path.shift))
}

/** 404 for shifts that the reader does not see, 403 for those that they do not plan. */
export async function requirePlanned(request: ShiftRequest): Promise<ShiftOfWaitingList> {
  const shift = await requireShift(request)
  if (!shift.mayChange) throw new Problem('permission_denied')
  return shift
}
