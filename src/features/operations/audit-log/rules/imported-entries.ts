import type { FormerJournalKinds } from '#platform/journal/kinds.ts'

/** Entries of the log of ephios, as an import finds them, and the changes of ours that say the same. */

type Data = Record<string, unknown>
/** `user`: a person of this instance, whose name the log looks up. Names of other records are those of the time of the entry. */
type Value = string | number | boolean | null | { user: number } | Value[]
type Reading = { value: Value } | 'unreadable'

export type ImportedAction = 'created' | 'changed' | 'deleted'
export type People = {
  /** Whether the content type is that of people. */
  isPersonType: (contentType: unknown) => boolean
  isKnown: (id: number) => boolean
}
/** For entries of an import that did not convert them: their names are all that is known. */
const UNKNOWN_PEOPLE: People = { isPersonType: () => false, isKnown: () => false }

/** The name of the record at the time of the entry. */
export const NAME_KEY = 'subject_name'
/** Parts of an entry that cannot be read, as they are. */
export const UNREAD_KEY = 'unread'

/** Fields of ephios that are called otherwise here; others with the same name have the same meaning. */
const FIELDS: Record<string, string> = {
  type: 'type_id',
  qualification: 'qualification_id',
  shift: 'shift_id',
  expires: 'expires_at',
  question_text: 'text',
}
const SAME_FIELDS = new Set([
  ...['title', 'description', 'location', 'email', 'display_name', 'date_of_birth', 'phone', 'preferred_language', 'is_staff'],
  ...['is_visible', 'start_time', 'end_time', 'meeting_time', 'label', 'name', 'state', 'reason', 'color', 'text', 'required'],
  ...['archived', 'choices', 'use_saved_answers', 'groups', 'qualifications', 'permissions', 'user', 'hours', 'date'],
])

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const isEmpty = (value: Value): boolean => value === null || value === '' || (Array.isArray(value) && value.length === 0)

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

function readValue(value: unknown, people: People): Reading {
  if (value === null || value === undefined) return { value: null }
  if (typeof value === 'number' || typeof value === 'boolean') return { value }
  if (typeof value === 'string') {
    const time = INSTANT.test(value) ? Date.parse(value) : Number.NaN
    return { value: Number.isNaN(time) ? value : new Date(time).toISOString() }
  }
  if (Array.isArray(value)) return readList(value, people)
  if (!isData(value)) return 'unreadable'
  const { __model__: model, pk, pks, str, strs, contenttype_id: type } = value
  if (model === '__instance__') return readRecord({ id: pk, name: str, type }, people)
  if (model !== '__queryset__' || !Array.isArray(strs)) return 'unreadable'
  const ids: unknown[] = Array.isArray(pks) ? pks : []
  const read = strs.map((name, at) => readRecord({ id: ids[at], name, type }, people))
  return { value: read.map((each) => each.value) }
}

function readList(values: readonly unknown[], people: People): Reading {
  const read = values.map((each) => readValue(each, people))
  return read.includes('unreadable') ? 'unreadable' : { value: read.map((each) => (each as { value: Value }).value) }
}

function readRecord({ id, name, type }: { id: unknown; name: unknown; type: unknown }, people: People): { value: Value } {
  const number = Number(id)
  if (people.isPersonType(type) && Number.isSafeInteger(number) && people.isKnown(number)) return { value: { user: number } }
  return { value: textOf(name) || String(id ?? '') }
}

/** Before and after. ephios repeats the value where there was nothing before, or is nothing after. */
function pairOf(action: ImportedAction, before: Value, after: Value): unknown {
  if (action === 'created') return isEmpty(after) ? undefined : [null, after]
  if (action === 'deleted') return isEmpty(before) ? undefined : [before, null]
  return [before, after]
}

type Moved = { added: Value[]; removed: Value[]; current: Value[] }

/** Collects sets, which may be nested (`users`, then `added`). False: some part cannot be read. */
function collectSets(data: Data, people: People, moved: Moved, within: keyof Moved = 'current'): boolean {
  return Object.entries(data).every(([key, value]) => {
    const place = /remove/.test(key) ? 'removed' : /add/.test(key) ? 'added' : within
    if (value === null || value === undefined) return true
    if (isData(value) && !('__model__' in value)) return collectSets(value, people, moved, place)
    const read = readValue(value, people)
    if (read === 'unreadable' || typeof value !== 'object') return false
    moved[place].push(...[read.value].flat())
    return true
  })
}

function readSets(data: Data, action: ImportedAction, people: People): { change: unknown } | 'unreadable' {
  const moved: Moved = { added: [], removed: [], current: [] }
  if (!collectSets(data, people, moved)) return 'unreadable'
  const { added, removed, current } = moved
  if (added.length || removed.length) return { change: { added, removed } }
  // A set that did not change.
  if (action === 'changed') return { change: undefined }
  return { change: pairOf(action, current, current) }
}

type Part = { key: string; change: unknown }

function keyOf(data: Data): string {
  const field = textOf(data.field_name)
  return FIELDS[field] ?? (SAME_FIELDS.has(field) ? field : textOf(data.verbose_name) || field)
}

function readPart(slug: unknown, data: Data, action: ImportedAction, people: People): Part[] | 'unreadable' {
  if (slug === 'redactedmodelfield') return [{ key: keyOf(data), change: '***' }]
  if (slug === 'modelfield') {
    const [before, after] = [readValue(data.old_value, people), readValue(data.new_value, people)]
    if (before === 'unreadable' || after === 'unreadable') return 'unreadable'
    return [{ key: keyOf(data), change: pairOf(action, before.value, after.value) }]
  }
  if (slug === 'm2mfield') {
    const { field_name: _, verbose_name: __, ...sets } = data
    const read = readSets(sets, action, people)
    return read === 'unreadable' ? read : [{ key: keyOf(data), change: read.change }]
  }
  if (slug === 'permission-recorder') {
    const { label, codename, ...sets } = data
    const read = readSets(sets, action, people)
    return read === 'unreadable' ? read : [{ key: textOf(label) || textOf(codename), change: read.change }]
  }
  if (slug !== 'derived-fields' || !isData(data.changes)) return 'unreadable'
  const parts = Object.entries(data.changes).map(([key, pair]): Part | 'unreadable' => {
    const read = Array.isArray(pair) && pair.length === 2 ? readList(pair, people) : 'unreadable'
    if (read === 'unreadable') return 'unreadable'
    const [before, after] = read.value as [Value, Value]
    return { key, change: action === 'changed' ? [before, after] : pairOf(action, before ?? after, after ?? before) }
  })
  return parts.includes('unreadable') ? 'unreadable' : (parts as Part[])
}

const isPart = (value: unknown): value is { slug: unknown; data: Data } =>
  isData(value) && typeof value.slug === 'string' && isData(value.data)

/** The changes of ours that say the same as `data` of an entry of ephios. */
export function readImportedEntry(data: Data, action: ImportedAction, people: People): Data {
  const changes: Data = {}
  const unread: Data = {}
  const { __str__: name, ...fields } = data
  if (textOf(name)) changes[NAME_KEY] = textOf(name)
  for (const [field, value] of Object.entries(fields)) {
    const parts = isPart(value) ? readPart(value.slug, value.data, action, people) : readPlain(field, value, people)
    if (parts === 'unreadable' || parts.some(({ key }) => !key)) unread[field] = value
    else for (const { key, change } of parts) if (change !== undefined) changes[key === NAME_KEY ? 'name' : key] = change
  }
  if (Object.keys(unread).length) changes[UNREAD_KEY] = unread
  return changes
}

/** Plain pairs of before and after. */
function readPlain(key: string, value: unknown, people: People): Part[] | 'unreadable' {
  if (!Array.isArray(value) || value.length !== 2) return 'unreadable'
  const read = readList(value, people)
  return read === 'unreadable' ? read : [{ key, change: read.value }]
}

const ACTIONS: Record<keyof FormerJournalKinds, ImportedAction> = {
  'imported.created': 'created',
  'imported.changed': 'changed',
  'imported.deleted': 'deleted',
}
const isUnconverted = (changes: Data | null): changes is Data =>
  changes !== null && ('__str__' in changes || Object.values(changes).some(isPart))

/** Entries that an earlier release imported as they were are converted when they are shown. */
export function convertWhenShown<Entry extends { kind: string; changes: Data; personal: Data | null }>(entry: Entry): Entry {
  const action = Object.entries(ACTIONS).find(([kind]) => kind === entry.kind)?.[1]
  if (!action) return entry
  const convert = <D extends Data | null>(changes: D): D | Data =>
    isUnconverted(changes) ? readImportedEntry(changes, action, UNKNOWN_PEOPLE) : changes
  return { ...entry, changes: convert(entry.changes), personal: convert(entry.personal) }
}
