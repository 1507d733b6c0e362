import type { Day } from '#platform/i18n/days.ts'
import { type DayFaults, readFilterDays } from '#platform/i18n/filter-days.ts'
import type { JournalKind, SubjectKind } from '#platform/journal/kinds.ts'
import { isListRequest } from '#platform/journal/list-requests.ts'

export type JournalEntry = {
  id: number
  at: Date
  kind: string
  actorKind: string
  actorId: number | null
  subjectKind: string
  subjectId: number | null
  eventId: number | null
  requestId: string | null
  changes: Record<string, unknown>
  personal: Record<string, unknown> | null
}

/** Kinds of subjects to filter by, most wanted first. */
export const LOG_KINDS = [
  'event',
  'shift',
  'participation',
  'user',
  'group',
  'event_type',
  'event_template',
  'qualification',
  'qualification_category',
  'building_block',
  'resource',
  'resource_category',
  'question',
  'page',
  'attachment',
  'instance',
  'identity_provider',
  'oauth_application',
  'service_account',
  'webhook',
  'access_token',
  'federated_guest',
  'federated_host',
  'invite_code',
  'visitor',
  'guest',
] satisfies SubjectKind[]
/** Kinds of subjects in the log of one event. */
export const EVENT_KINDS: readonly SubjectKind[] = ['event', 'shift', 'participation', 'guest']

/** Records whose names are shown. */
export type NamedKind = SubjectKind | 'participation_comment'

/** Fields of `changes` that hold ids, and the kind of record they refer to. */
export const ID_FIELDS: Record<string, NamedKind> = {
  comment_id: 'participation_comment',
  absent: 'participation',
  added: 'federated_guest',
  audience_groups: 'group',
  category: 'qualification_category',
  category_id: 'resource_category',
  confirmed_user_ids: 'user',
  copied_from: 'event',
  federated_guest_id: 'federated_guest',
  guest_ids: 'guest',
  includes: 'qualification',
  moveTo: 'qualification',
  participations: 'participation',
  removed: 'federated_guest',
  requested_user_ids: 'user',
  required_qualifications: 'qualification',
  visitor_ids: 'visitor',
  groups: 'group',
  responsible_groups: 'group',
  publish_for: 'group',
  decide_hours_for: 'group',
  group_id: 'group',
  members: 'user',
  guardian_id: 'user',
  acted_for_id: 'user',
  responsible_users: 'user',
  users: 'user',
  qualification_id: 'qualification',
  qualifications: 'qualification',
  identity_provider_id: 'identity_provider',
  type_id: 'event_type',
  event_id: 'event',
  events: 'event',
  companions: 'participation',
  event_template: 'event_template',
  shift_id: 'shift',
  resources: 'resource',
  questions: 'question',
}

/** The other fields hold several ids: a number alone in them is a count, such as the members of a deleted group. */
const HOLDS_ONE_ID = /_id$|^(category|copied_from|event_template|moveTo)$/
export const isCount = (field: string, value: unknown): boolean => typeof value === 'number' && !HOLDS_ONE_ID.test(field)

/** What was done with a list of records. */
export const LIST_KINDS = ['user.import_undone', 'user.imported'] as const satisfies JournalKind[]
export const isListKind = (kind: string): boolean => (LIST_KINDS as readonly string[]).includes(kind)

export type LogQuery = {
  what: string
  who: string
  from: string
  to: string
  q: string
  /** Each entry of one list. */
  request: string
  before: number | undefined
  /** Days that were typed and left out. */
  faults: DayFaults
}

const MAX_TEXT_LENGTH = 200

/** Choices that the page does not know count as absent; it names days that cannot be read. Days without a year are in the past. */
export function parseLogQuery(raw: URLSearchParams, today: Day): LogQuery {
  const days = readFilterDays(raw, { first: 'from', last: 'to' }, { until: today })
  const text = (name: string) => (raw.get(name) ?? '').replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH)
  const before = text('before')
  const request = text('request')
  return {
    what: LOG_KINDS.find((kind) => kind === text('what')) ?? '',
    who: text('who'),
    from: days.first ?? '',
    to: days.last ?? '',
    q: text('q'),
    request: isListRequest(request) ? request : '',
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
    faults: days.faults,
  }
}

export type Reference = { kind: string; id: number }
type EntryIds = {
  actorKind: string
  actorId: number | null
  subjectKind: string
  subjectId: number | null
  eventId: number | null
  changes: Record<string, unknown>
  personal: Record<string, unknown> | null
}

/** Answers before and after, by the id of the question. */
const ANSWERS = 'answers'
type AnswerPair = [Record<string, unknown>, Record<string, unknown>]

export function isAnswerPair(name: string, value: unknown): value is AnswerPair {
  const isRecord = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each)
  return name === ANSWERS && Array.isArray(value) && value.length === 2 && value.every(isRecord)
}

export const answeredIds = ([before, after]: AnswerPair): number[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].map(Number).sort((a, b) => a - b)

/** A person in an imported entry. */
export const isPersonReference = (value: unknown): value is { user: number } =>
  typeof value === 'object' && value !== null && 'user' in value && Number.isInteger(value.user)

function peopleIn(value: unknown): number[] {
  if (isPersonReference(value)) return [value.user]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(peopleIn) : []
}

/** References to everything that an entry mentions by id. */
export function referencesIn({ actorKind, actorId, subjectKind, subjectId, eventId, changes, personal }: EntryIds): Reference[] {
  const ids = (value: unknown): number[] => {
    if (Number.isInteger(value)) return [value as number]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(ids) : []
  }
  return [
    ...(actorId === null ? [] : [{ kind: actorKind === 'partner' ? 'federated_guest' : actorKind, id: actorId }]),
    ...(subjectId === null ? [] : [{ kind: subjectKind, id: subjectId }]),
    ...(eventId === null ? [] : [{ kind: 'event', id: eventId }]),
    ...(isAnswerPair(ANSWERS, personal?.answers) ? answeredIds(personal.answers).map((id) => ({ kind: 'question', id })) : []),
    ...peopleIn([changes, personal]).map((id) => ({ kind: 'user', id })),
    ...Object.entries(changes).flatMap(([name, value]) => {
      const kind = ID_FIELDS[name]
      return kind ? ids(value).map((id) => ({ kind, id })) : []
    }),
  ]
}

const NAMES = ['name', 'title', 'label']

/** What an entry about a deletion tells of the record: its name, and the beginning of a shift. */
export function formerName(changes: Record<string, unknown>): { name: string; start: Date | null } {
  const read = (value: unknown): string => {
    const [before] = [value].flat()
    return typeof before === 'string' ? before : ''
  }
  const summary = changes.before as { name?: unknown } | undefined
  const name = [...NAMES.map((field) => read(changes[field])), read(summary?.name)].find(Boolean) ?? ''
  const start = read(changes.start_time)
  return { name, start: start ? new Date(start) : null }
}
