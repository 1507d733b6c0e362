import { Temporal } from 'temporal-polyfill'
import type { RequestContext } from '#platform/auth/context.ts'
import { endOfDay, ID_FIELDS } from '../rules.ts'
import { findJournal, findNames, type JournalEntry, type Named, type Names } from './journal.ts'

/** What can be looked for, in the order in which people look for it. */
export const LOG_KINDS = [
  'event',
  'shift',
  'participation',
  'user',
  'group',
  'event_type',
  'qualification',
  'qualification_category',
  'building_block',
  'instance',
  'oauth_application',
  'access_token',
  'federated_guest',
  'federated_host',
  'invite_code',
  'visitor',
]
/** An event's responsibles look for these. */
export const EVENT_KINDS = ['event', 'shift', 'participation']

export type LogQuery = { what: string; who: string; from: string; to: string; q: string; before: number | undefined }
export type Log = { query: LogQuery; entries: JournalEntry[]; names: Names; older: number | undefined }

const PAGE_SIZE = 50
const LONGEST = 200

/** A page of the journal as an address asks for it; what cannot be understood is as good as absent. */
export async function readLog({ db, site }: RequestContext, raw: URLSearchParams, eventId?: number): Promise<Log> {
  const query = readQuery(raw)
  const dayStart = (day: string) => new Date(Temporal.PlainDate.from(day).toZonedDateTime(site.timeZone).epochMilliseconds)
  const filter = {
    subjectKind: query.what || undefined,
    who: query.who || undefined,
    text: query.q || undefined,
    before: query.before,
    eventId,
    from: query.from ? dayStart(query.from) : undefined,
    until: query.to ? endOfDay(query.to, site.timeZone) : undefined,
  }
  const found = await findJournal(db, filter, PAGE_SIZE + 1)
  const entries = found.slice(0, PAGE_SIZE)
  const names = await findNames(db, entries.flatMap(namesIn))
  return { query, entries, names, older: found.length > PAGE_SIZE ? entries.at(-1)!.id : undefined }
}

function readQuery(raw: URLSearchParams): LogQuery {
  const text = (name: string) => (raw.get(name) ?? '').replaceAll('\0', '').trim().slice(0, LONGEST)
  const day = (name: string) => (isDay(text(name)) ? text(name) : '')
  const before = text('before')
  return {
    what: LOG_KINDS.includes(text('what')) ? text('what') : '',
    who: text('who'),
    from: day('from'),
    to: day('to'),
    q: text('q'),
    before: /^\d{1,15}$/.test(before) ? Number(before) : undefined,
  }
}

const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Everything in an entry that is called by a number. */
function namesIn({ actorKind, actorId, subjectKind, subjectId, changes }: JournalEntry): Named[] {
  const ids = (value: unknown): number[] => {
    if (Number.isInteger(value)) return [value as number]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(ids) : []
  }
  return [
    ...(actorId === null ? [] : [{ kind: actorKind === 'partner' ? 'federated_guest' : actorKind, id: actorId }]),
    ...(subjectId === null ? [] : [{ kind: subjectKind, id: subjectId }]),
    ...Object.entries(changes).flatMap(([name, value]) => {
      const kind = ID_FIELDS[name]
      return kind ? ids(value).map((id) => ({ kind, id })) : []
    }),
  ]
}
