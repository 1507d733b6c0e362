import { type Html, html } from '#platform/html/html.ts'
import { isMessageKey } from '#platform/i18n/catalogue.ts'
import { readStoredMoment } from '#platform/i18n/stored-moments.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isListRequest } from '#platform/journal/list-requests.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { filterDayField, selectField, textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import {
  answeredIds,
  ID_FIELDS,
  isAnswerPair,
  isCount,
  isListKind,
  isPersonReference,
  type JournalEntry,
  type LogQuery,
} from './rules/entries.ts'
import { COMPOUND_FIELDS, HIDDEN_FIELDS, PROGRAM_FIELDS, type Shape, snakeCase } from './rules/fields.ts'
import { NAME_KEY, UNREAD_KEY } from './rules/imported-entries.ts'
import { SHAPES } from './rules/shapes.ts'

export const LOG = '/manage/log/'

type LogNames = ReadonlyMap<string, string>
type LogPages = ReadonlyMap<string, string>

type LogData = {
  words: Words
  now: Date
  title: string
  path: string
  query: LogQuery
  kinds: readonly string[]
  entries: readonly JournalEntry[]
  names: LogNames
  /** Pages that the reader may open. */
  pages: LogPages
  /** The cursor of the next page; undefined: this is the last page. */
  older: number | undefined
}

function logPath(path: string, { before, faults: _faults, ...query }: LogQuery): string {
  const set = Object.entries({ ...query, before: before === undefined ? '' : String(before) }).filter(([, value]) => value)
  return set.length ? `${path}?${new URLSearchParams(set)}` : path
}

export function logView(data: LogData): Html {
  const { words, title, path, query, entries, older } = data
  return html`${pageHeadView({ title, facts: words.t('log.intro') })}
${filtersView(data)}
${entries.length ? html`<ol class="log" role="list">${groupsOf(entries).map((group) => groupView(data, group))}</ol>` : emptyView({ icon: 'history', text: words.t(logPath(path, query) === path ? 'log.empty' : 'log.none') })}
<nav class="pager" aria-label="${words.t('ui.pager_label')}">${
    query.before === undefined
      ? html`<span class="pager-gap"></span>`
      : linkButtonView({ href: logPath(path, { ...query, before: undefined }), label: words.t('log.newest') })
  }<span></span>${
    older === undefined
      ? html`<span class="pager-gap"></span>`
      : linkButtonView({ href: logPath(path, { ...query, before: older }), label: words.t('log.older'), icon: 'chevron-right' })
  }</nav>`
}

function filtersView({ words, path, query, kinds }: LogData): Html {
  return filterFormView({
    action: path,
    submit: words.t('log.filter'),
    reset: { href: path, label: words.t('log.reset') },
    fields: [
      textField({ words, name: 'q', label: words.t('log.text'), value: query.q, type: 'search' }),
      selectField({
        words,
        name: 'what',
        label: words.t('log.what'),
        value: query.what,
        placeholder: words.t('log.any'),
        options: kinds.map((kind) => ({ value: kind, label: kindName(words, kind) })),
      }),
      textField({
        words,
        name: 'who',
        label: words.t('log.who'),
        value: query.who,
        attributes: { title: words.t('log.who_help') },
      }),
      filterDayField({ words, name: 'from', label: words.t('log.from'), value: query.from, faults: query.faults }),
      filterDayField({ words, name: 'to', label: words.t('log.to'), value: query.to, faults: query.faults }),
    ],
  })
}

/** Groups entries of one request. */
function groupsOf(entries: readonly JournalEntry[]): JournalEntry[][] {
  const groups: JournalEntry[][] = []
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && entry.requestId !== null && last[0]!.requestId === entry.requestId) last.push(entry)
    else groups.push([entry])
  }
  return groups
}

function groupView(data: LogData, group: readonly JournalEntry[]): Html {
  const { words, now } = data
  const { at } = group[0]!
  return html`<li class="log-group"><p class="log-when"><time datetime="${at.toISOString()}" title="${words.dateTime(at)}">${words.day(at, now)} ${words.time(at)}</time></p><div>${group.map((entry) => entryView(data, entry))}</div></li>`
}

/** Few and short changes are shown at once. */
const MAX_SHOWN_LINES = 4
const MAX_SHOWN_TEXT = 120

function lineView(words: Words, { field, before, after }: Line): Html {
  const values =
    before === NOTHING
      ? after
      : html`${before} <span aria-hidden="true">→</span><span class="sr-only"> ${words.t('log.to_value')}</span> ${after}`
  return html`<li><span class="muted">${field}:</span> ${values}</li>`
}

function entryView(data: LogData, entry: JournalEntry): Html {
  const { words } = data
  const lines = linesOf(data, entry)
  const sentence = sentenceOf(data, entry)
  const kind = badgeView({ tone: 'quiet', text: kindName(words, entry.subjectKind) })
  const isShort =
    lines.length <= MAX_SHOWN_LINES && lines.every(({ before, after }) => before.length + after.length <= MAX_SHOWN_TEXT)
  const changed = isShort
    ? html`${lines.length > 0 && html`<ul class="log-lines" role="list">${lines.map((line) => lineView(words, line))}</ul>`}`
    : foldedView(words, words.t('log.details'), lines)
  const unread = unreadLines(entry)
  return html`<div class="log-entry"><p>${sentence} ${kind}</p>${changed}${listLink(data, entry)}${unread.length > 0 && foldedView(words, words.t('log.unread'), unread)}</div>`
}

/** The entries of a list are on a page of their own. */
function listLink({ words, path, query }: LogData, { kind, requestId }: JournalEntry): Html | false {
  if (!isListKind(kind) || requestId === null || !isListRequest(requestId) || query.request === requestId) return false
  return html`<p><a href="${path}?request=${requestId}">${words.t('log.each')}</a></p>`
}

/** Values before are a column only where something was there before. */
function foldedView(words: Words, title: string, lines: readonly Line[]): Html {
  const value = (text: string) => html`<span class="wrap">${text}</span>`
  const hasBefore = lines.some(({ before }) => before !== NOTHING)
  return html`<details class="more-fields"><summary>${title}</summary>${tableView<Line>({
    caption: title,
    rows: lines,
    columns: [
      { label: words.t('log.field'), main: true, cell: ({ field }) => field },
      ...(hasBefore ? [{ label: words.t('log.before'), cell: ({ before }: Line) => value(before) }] : []),
      { label: words.t(hasBefore ? 'log.after' : 'log.value'), cell: ({ after }) => value(after) },
    ],
  })}</details>`
}

/** What ephios wrote and could not be converted. */
function unreadLines({ changes, personal }: JournalEntry): Line[] {
  return [changes[UNREAD_KEY], personal?.[UNREAD_KEY]].flatMap((unread) =>
    Object.entries(unread ?? {}).map(([field, value]) => ({
      field: plain(field),
      before: NOTHING,
      after: JSON.stringify(value).slice(0, LONGEST),
    })),
  )
}

const plain = (name: string): string => name.replaceAll('_', ' ')

function kindName(words: Words, kind: string): string {
  const key = `log.kind_${kind}`
  return isMessageKey(key) ? words.t(key as 'log.kind_user') : plain(kind)
}

/** Mark the places of the names in a sentence; texts contain no characters of the private use area. */
const [ACTOR, SUBJECT] = ['\ue000', '\ue001']

/** Kinds without a message get a generic sentence. Names link to their pages. */
function sentenceOf({ words, names, pages }: LogData, entry: JournalEntry): Html {
  const key = `journal.${entry.kind}`
  const sentence = isMessageKey(key)
    ? words.t(key as 'journal.user.changed', { actor: ACTOR, subject: SUBJECT })
    : words.t('log.other', { actor: ACTOR, kind: plain(entry.kind.replace('.', ' ')), subject: SUBJECT })
  const linked = (name: string, href: string | undefined) => (href ? html`<a href="${href}">${name}</a>` : html`${name}`)
  const actor = linked(
    actorName(words, entry, names),
    entry.actorKind === 'user' ? pages.get(`user ${entry.actorId}`) : undefined,
  )
  const subject = linked(subjectName(words, entry, names), subjectPage(entry, pages))
  return html`${sentence.split(/([\ue000\ue001])/).map((part) => (part === ACTOR ? actor : part === SUBJECT ? subject : part))}`
}

/** Shifts and participations are shown on the page of their event. */
function subjectPage({ subjectKind, subjectId, eventId }: JournalEntry, pages: LogPages): string | undefined {
  if (subjectKind !== 'shift' && subjectKind !== 'participation') return pages.get(`${subjectKind} ${subjectId}`)
  const event = pages.get(`event ${eventId}`)
  return event && subjectKind === 'shift' ? `${event}#shift-${subjectId}` : event
}

function actorName(words: Words, { actorKind, actorId }: JournalEntry, names: LogNames): string {
  if (actorKind === 'user') return names.get(`user ${actorId}`) ?? words.t('log.somebody')
  if (actorKind === 'partner') return names.get(`federated_guest ${actorId}`) ?? words.t('log.partner')
  return actorKind === 'system' || actorKind === 'operator' ? words.t('log.system') : words.t('log.somebody')
}

/** Entries about deleted records may contain their name. */
function subjectName(words: Words, entry: JournalEntry, names: LogNames): string {
  const { subjectKind, subjectId, changes, personal } = entry
  const known = subjectId === null ? undefined : names.get(`${subjectKind} ${subjectId}`)
  if (known) return known
  // Entries about people can hold the name of something else, such as a passkey.
  const own = subjectKind === 'user' ? [] : [changes.name, changes.title]
  const recorded = [changes[NAME_KEY], personal?.[NAME_KEY], ...own].find((value) => typeof value === 'string')
  if (typeof recorded === 'string') return recorded
  return subjectId === null
    ? kindName(words, subjectKind)
    : subjectKind === 'participation' && names.has(`event ${entry.eventId}`)
      ? words.t('log.participation_in', { event: names.get(`event ${entry.eventId}`)! })
      : deletedName(words, subjectKind)
}

/** A number says nothing about a record that is gone. */
const deletedName = (words: Words, kind: string): string => words.t('log.unknown', { kind: kindName(words, kind) })

const NOTHING = '–'

type Line = { field: string; before: string; after: string }

const isHidden = (name: string): boolean => name === NAME_KEY || name === UNREAD_KEY || HIDDEN.has(name)

function linesOf({ words, names }: LogData, { kind, changes, personal }: JournalEntry): Line[] {
  return Object.entries({ ...changes, ...personal }).flatMap(([name, value]): Line | Line[] => {
    if (isHidden(name)) return []
    const show = (each: unknown) => (isCount(name, each) ? countText(words, name, each) : textOf(words, names, name, each))
    const showItem = (each: unknown) => textOf(words, names, name, each)
    if (isAnswerPair(name, value))
      return answeredIds(value).map((id) => ({
        field: names.get(`question ${id}`) ?? deletedName(words, 'question'),
        before: show(value[0][id]),
        after: show(value[1][id]),
      }))
    const field = fieldName(words, name)
    if (COMPOUND.has(name)) return { field, before: NOTHING, after: compoundText(words, value) }
    if (isMoved(value)) return { field, before: list(words, value.removed, showItem), after: list(words, value.added, showItem) }
    if (isPair(kind, name, value)) return { field, before: show(value[0]), after: show(value[1]) }
    return { field, before: NOTHING, after: show(value) }
  })
}

function fieldName(words: Words, name: string): string {
  const key = [`log.field_${snakeCase(name)}`, `plan.field.${name}`, `instance.${name}`, `${name}.title`].find(isMessageKey)
  return key ? words.t(key as 'log.field_name') : plain(name)
}

type Moved = { added?: unknown[]; removed?: unknown[] }
const isMoved = (value: unknown): value is Moved =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(([key, each]) => (key === 'added' || key === 'removed') && Array.isArray(each))

const list = (words: Words, values: unknown[] | undefined, show: (each: unknown) => string): string =>
  values?.length ? words.list(values.map(show)) : '–'

const HIDDEN: ReadonlySet<string> = new Set(HIDDEN_FIELDS)
const COMPOUND: ReadonlySet<string> = new Set(COMPOUND_FIELDS)

/** Stored values before and after are a list of two, as any list can be: the declaration of the kind tells them apart. */
function isPair(kind: string, name: string, value: unknown): value is [unknown, unknown] {
  const shape = (SHAPES as Record<string, Record<string, Shape>>)[kind]?.[name]
  return Array.isArray(value) && value.length === 2 && (shape === undefined || shape === 'pair')
}

const compoundText = (words: Words, value: unknown): string =>
  words.t(Array.isArray(value) && value[0] === null ? 'log.value_set' : 'log.value_changed')

/** States are numbers, too. */
const countText = (words: Words, name: string, value: unknown): string =>
  name in ID_FIELDS ? words.number(value as number) : textOf(words, new Map(), name, value)

const LONGEST = 300

function textOf(words: Words, names: LogNames, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return words.t(value ? 'log.yes' : 'log.no')
  const kind = ID_FIELDS[name]
  if (kind && typeof value === 'number') return names.get(`${kind} ${value}`) ?? deletedName(words, kind)
  if (name === 'state' && typeof value === 'number' && value >= 0 && value <= 4) return words.t(`log.state_${value as 0}`)
  if (typeof value === 'number') return words.number(value)
  if (typeof value === 'string') {
    const text = wordsOf(words, name, value)
    if (text !== undefined) return text
    const moment = readStoredMoment(value)
    if (moment) return moment.isDay ? words.date(moment.at) : words.dateTime(moment.at)
    return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value
  }
  if (isPersonReference(value)) return names.get(`user ${value.user}`) ?? words.t('log.somebody')
  if (Array.isArray(value)) return value.length ? words.list(value.map((each) => textOf(words, names, name, each))) : '–'
  return words.t('log.value_changed')
}

/** Fields with words of the program, and where those are said. */
const VALUE_WORDS: Record<string, string> = {
  cause: 'log.cause_',
  kinds: 'log.kind_',
  signup_flow_slug: 'plan.flow.',
  structure_slug: 'plan.structure.',
}
const PROGRAM: ReadonlySet<string> = new Set(PROGRAM_FIELDS)
const PROGRAM_WORD = /^[a-z]+(_[a-z]+)+$/

const LIMITS: ReadonlySet<string> = new Set(Object.keys(SHAPES['limits.changed']))

/** A working time limit, which is stored as its number with what it does. */
function limitText(words: Words, name: string, value: string): string | undefined {
  const [, limit, effect] = (LIMITS.has(name) && /^(\d+) \((refuse|warn)\)$/.exec(value)) || []
  if (limit === undefined) return undefined
  const what = name === 'minor_accompanied' ? words.t('log.yes') : words.number(Number(limit))
  return words.t(effect === 'refuse' ? 'log.limit_refuse' : 'log.limit_warn', { limit: what })
}

function wordsOf(words: Words, name: string, value: string): string | undefined {
  const limit = limitText(words, name, value)
  if (limit !== undefined) return limit
  const key = [`log.value_${name}_${value}`, `${VALUE_WORDS[name]}${value}`].find(isMessageKey)
  if (key) return words.t(key as 'log.value_changed')
  return PROGRAM.has(name) && PROGRAM_WORD.test(value) ? plain(value) : undefined
}
