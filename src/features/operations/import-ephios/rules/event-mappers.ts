import { makeTitle } from './catalogue-mappers.ts'
import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { clean, cut, parseObject, parseTime, type SourceRow, text, timeOr } from './values.ts'

const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS
const EMPTY_OBJECT = { json: '{}' }

export const EVENT_MAPPER: TableMapper = {
  source: 'event',
  map: (row, context) => {
    if (!context.hasReferences('event', row, [['eventtype', row.type_id]])) return []
    context.add('event', row.id as number)
    const values = {
      id: row.id!,
      title: makeTitle(row, context, 'event'),
      location: cut(clean(row.location), 254),
      type_id: row.type_id!,
      description: row.description === null ? null : clean(row.description),
      active: row.active === true,
      created_at: context.now,
    }
    return [{ table: 'event', values }]
  },
}

export const SHIFT_MAPPER: TableMapper = { source: 'shift', map: mapShift }

function mapShift(row: SourceRow, context: ImportContext): Target[] {
  const id = row.id as number
  if (!context.hasReferences('shift', row, [['event', row.event_id]])) return []
  const start = parseTime(row.start_time)
  const end = parseTime(row.end_time)
  if (start === undefined || end === undefined) {
    context.noteSkipped('shift', id, 'has no valid start or end')
    return []
  }
  const meeting = parseTime(row.meeting_time) ?? start
  if (meeting > start) context.noteRepaired('shift', id, 'meeting time after the start replaced by the start')
  const slug = (column: string) => {
    const value = cut(clean(row[column]), 50)
    if (!value) context.noteRepaired('shift', id, `empty ${column} replaced by “unknown”`)
    return value || 'unknown'
  }
  const configuration = (column: string) => {
    const value = parseObject(row[column])
    if (!value) context.noteRepaired('shift', id, `invalid ${column} replaced by {}`)
    return value ?? EMPTY_OBJECT
  }
  const repairedEnd = end > start ? end : repairEnd(id, start, end, context)
  context.add('shift', id)
  context.shiftTimes.set(id, [start, repairedEnd])
  const values = {
    id,
    event_id: row.event_id!,
    label: cut(clean(row.label), 255),
    meeting_time: meeting > start || !row.meeting_time ? row.start_time! : row.meeting_time,
    start_time: row.start_time!,
    end_time: end > start ? row.end_time! : new Date(repairedEnd).toISOString(),
    signup_flow_slug: slug('signup_flow_slug'),
    signup_flow_configuration: configuration('signup_flow_configuration'),
    structure_slug: slug('structure_slug'),
    structure_configuration: configuration('structure_configuration'),
  }
  return [{ table: 'shift', values }]
}

/** An end up to a day before the start is taken for one on the next day. In other cases only the start is trusted. */
function repairEnd(id: number, start: number, end: number, context: ImportContext): number {
  const next = end + DAY_MS
  if (next > start) {
    context.noteRepaired('shift', id, 'end before the start moved to the next day')
    return next
  }
  context.noteRepaired('shift', id, 'end long before the start replaced by one hour after the start')
  return start + HOUR_MS
}

/** Kinds of participants with a row of their own; placeholders have only a name. */
const PARTICIPANT_KINDS = [
  { column: 'user_id', kind: 'local', target: 'user_id', source: 'userprofile' },
  { column: 'guest_user_id', kind: 'guest', target: 'guest_id', source: 'guests_guestuser' },
  { column: 'federated_user_id', kind: 'visitor', target: 'visitor_id', source: 'federation_federateduser' },
] as const

/**
 * Of several participations of one person in one shift, the highest-ranked one is imported: confirmed, requested, rejected,
 * declined, getting dispatched; then the newest.
 */
const RANKS: Record<number, number> = { 1: 4, 0: 3, 3: 2, 2: 1, 4: 0 }
export const rankOf = (state: unknown): number => RANKS[state as number] ?? -1

export function makeParticipationMapper(duplicates: ReadonlySet<number>): TableMapper {
  return { source: 'abstractparticipation', map: (row, context) => mapParticipation(row, context, duplicates) }
}

function mapParticipation(row: SourceRow, context: ImportContext, duplicates: ReadonlySet<number>): Target[] {
  const table = 'abstractparticipation'
  const id = row.id as number
  if (!context.hasReferences(table, row, [['shift', row.shift_id]])) return []
  const person = findParticipant(row, context)
  if (!person) return []
  if (!(rankOf(row.state) >= 0)) {
    context.noteSkipped(table, id, `has the unknown state ${text(row.state) || '(empty)'}`)
    return []
  }
  if (duplicates.has(id)) {
    context.noteSkipped(table, id, `the same person has a higher-ranked participation in shift ${row.shift_id}`)
    return []
  }
  const data = parseObject(completeUnitPaths(row.structure_data))
  if (!data) context.noteRepaired(table, id, 'invalid structure_data replaced by {}')
  const [from, to] = [parseTime(row.individual_start_time), parseTime(row.individual_end_time)]
  const [start, end] = context.shiftTimes.get(row.shift_id as number)!
  const isInverted = (to ?? end) < (from ?? start)
  if (isInverted) context.noteRepaired(table, id, 'individual end before the start; replaced by the times of the shift')
  context.add(table, id)
  if (typeof person.user_id === 'number') context.userOfParticipation.set(id, person.user_id)
  const values = {
    id,
    shift_id: row.shift_id!,
    ...person,
    state: row.state!,
    structure_data: data ?? EMPTY_OBJECT,
    individual_start_time: isInverted || from === undefined ? null : row.individual_start_time!,
    individual_end_time: isInverted || to === undefined ? null : row.individual_end_time!,
    finished: row.finished === true,
    created_at: context.now,
  }
  return [{ table: 'participation', values }]
}

/** Adds the last dot, which paths in old rows lack. Works on the text, as `toStorableJson` does. */
function completeUnitPaths(json: SourceRow[string] | undefined): string {
  return text(json).replace(/("(?:dispatched|preferred)_unit_path"\s*:\s*"[^"\\]*[^".\\])"/g, '$1."')
}

function findParticipant(row: SourceRow, context: ImportContext): Target['values'] | undefined {
  const table = 'abstractparticipation'
  const kinds = PARTICIPANT_KINDS.filter(({ column }) => row[column] !== null && row[column] !== undefined)
  const isPlaceholder = row.display_name !== null && row.display_name !== undefined
  if (kinds.length + Number(isPlaceholder) !== 1) {
    context.noteSkipped(table, row.id, kinds.length || isPlaceholder ? 'has several participants' : 'has no participant')
    return undefined
  }
  const [kind] = kinds
  if (!kind) return { kind: 'placeholder', placeholder_name: makePlaceholderName(row, context) }
  if (!context.hasReferences(table, row, [[kind.source, row[kind.column]]])) return undefined
  return { kind: kind.kind, [kind.target]: row[kind.column]! }
}

function makePlaceholderName(row: SourceRow, context: ImportContext): string {
  const wanted = cut(clean(row.display_name), 240).trim() || 'Placeholder'
  if (wanted !== row.display_name) context.noteRepaired('abstractparticipation', row.id, `invalid name replaced by “${wanted}”`)
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted} (${n})`
    if (!context.isFirst('placeholder', text(row.shift_id), name)) continue
    if (n > 1)
      context.noteRepaired('abstractparticipation', row.id, `duplicate name “${wanted}” in the shift replaced by “${name}”`)
    return name
  }
}

const VISIBILITIES = new Set([0, 1, 2])

const AUTOMATIC = 'eventautoqualification_eventautoqualificationconfiguration'
const MODES: Record<string, string> = { 1: 'any', 2: 'every', 3: 'last' }

/** Qualifications that events grant. `endOfEvent`: when the last shift ends; ephios has processed events that ended before the import. */
export const makeEventQualificationMapper = (endOfEvent: ReadonlyMap<number, string>): TableMapper => ({
  source: AUTOMATIC,
  map: (row, context) => {
    const { event_id, qualification_id } = row
    const isComplete = context.hasReferences(AUTOMATIC, row, [
      ['event', event_id],
      ['qualification', qualification_id],
    ])
    if (!isComplete || !context.isUnique(AUTOMATIC, row, text(event_id))) return []
    const mode = MODES[text(row.mode)]
    if (!mode) context.noteRepaired(AUTOMATIC, row.id, `unknown mode ${text(row.mode) || '(empty)'} replaced by “any shift”`)
    const end = endOfEvent.get(event_id as number)
    const values = {
      event_id: event_id!,
      qualification_id: qualification_id!,
      mode: mode ?? 'any',
      recipients: row.extend_only === true ? 'holding' : 'all',
      expires_at: timeOr(row.expiration_date, null),
      needs_decision: row.needs_confirmation !== false,
      applied_at: end !== undefined && new Date(end) <= new Date(context.now) ? context.now : null,
    }
    return [{ table: 'event_qualification', values }]
  },
})

export const COMMENT_MAPPER: TableMapper = {
  source: 'core_participationcomment',
  map: (row, context) => {
    const table = 'core_participationcomment'
    if (!context.hasReferences(table, row, [['abstractparticipation', row.participation_id]])) return []
    const comment = cut(clean(row.text), 255)
    if (!comment.trim()) {
      context.noteSkipped(table, row.id, 'is empty')
      return []
    }
    // If the visibility is invalid, the comment is shown to as few people as possible.
    const visibility = VISIBILITIES.has(row.visible_for as number) ? (row.visible_for as number) : 0
    if (visibility !== row.visible_for) context.noteRepaired(table, row.id, 'invalid visibility replaced by “responsibles only”')
    const responsible = row.authored_by_responsible_id ?? null
    const values = {
      id: row.id!,
      participation_id: row.participation_id!,
      text: comment,
      visible_for: visibility,
      author_kind: responsible === null ? 'participant' : 'responsible',
      author_id: context.has('userprofile', responsible) ? responsible : null,
      created_at: timeOr(row.created_at, context.now),
    }
    return [{ table: 'participation_comment', values }]
  },
}
