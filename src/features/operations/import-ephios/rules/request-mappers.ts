import type { ImportContext, Target } from './import-context.ts'
import { clean, cut, parseDay, parseObject, type SourceRow, text } from './values.ts'

export function mapWorkingHours(row: SourceRow, context: ImportContext): Target[] {
  if (!context.hasReferences('workinghours', row, [['userprofile', row.user_id]])) return []
  const hours = Number(row.hours)
  if (!Number.isFinite(hours) || Math.abs(hours) >= 100_000 || !parseDay(row.date)) {
    context.noteSkipped('workinghours', row.id, 'has no valid hours or date')
    return []
  }
  const values = {
    id: row.id!,
    user_id: row.user_id!,
    hours: text(row.hours),
    reason: cut(clean(row.reason), 1024),
    date: parseDay(row.date)!,
  }
  return [{ table: 'working_hours', values }]
}

const REQUEST_STATES: Record<string, string> = {
  needs_confirmation: 'open',
  executed: 'granted',
  failed: 'failed',
  denied: 'refused',
}

const REQUEST_KINDS: Record<string, string> = {
  'ephios.grant_working_hours': 'working_hours',
  'ephios.grant_qualification': 'qualification',
}

export function mapRequest(row: SourceRow, context: ImportContext, times: RequestTimes): Target[] {
  const kind = REQUEST_KINDS[text(row.slug)]
  if (!kind) {
    context.noteSkipped('consequence', row.id, `requests of the kind ${clean(row.slug)} belong to an extension`)
    return []
  }
  if (!context.hasReferences('consequence', row, [['userprofile', row.user_id]])) return []
  const data = parseObject(row.data)
  const state = REQUEST_STATES[text(row.state)]
  if (!data || !state) {
    context.noteSkipped('consequence', row.id, 'has no valid data or state')
    return []
  }
  context.add('consequence', row.id as number)
  const values = { id: row.id!, kind, user_id: row.user_id!, data, state, ...datesOf(row, { state, data }, context, times) }
  return [{ table: 'decision_request', values }]
}

/** What the log says about a request. */
export type RequestTimes = ReadonlyMap<number, { created?: string; decided?: { at: string; by: number | null } }>

/** ephios does not store when somebody asked: the log may say it; else the day of the hours is closer than the day of the import. */
function datesOf(
  row: SourceRow,
  { state, data }: { state: string; data: { json: string } },
  context: ImportContext,
  times: RequestTimes,
): Target['values'] {
  const { created, decided } = times.get(row.id as number) ?? {}
  const day = parseDay((JSON.parse(data.json) as SourceRow).date)
  const isPast = day !== undefined && Date.parse(`${day}T12:00:00Z`) < Date.parse(context.now)
  const isDecided = state === 'granted' || state === 'refused'
  return {
    created_at: created ?? (isPast ? `${day}T12:00:00Z` : context.now),
    decided_at: (isDecided && decided?.at) || null,
    decided_by_id: isDecided && context.has('userprofile', decided?.by) ? decided!.by : null,
  }
}
