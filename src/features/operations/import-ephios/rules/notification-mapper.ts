import { KEEP_MS } from '#features/messaging/notifications/rules/delivery.ts'
import type { ImportContext, Omission, TableMapper, Target } from './import-context.ts'
import { clean, cut, parseObject, parseTime, type SourceRow, text } from './values.ts'

type Data = Record<string, unknown>

/** What notifications of ephios are about, and the kind and data of ours. */
type Conversion =
  | { kind: string; about: 'participation'; data: (state: number | undefined) => Data }
  | { kind: string; about: 'request'; data: { outcome: 'granted' | 'refused' } }
  | { kind: string; about: 'event' | 'user'; data: Data }

/** The import adds the current state of the participation where ephios did not store it. */
const changedTo = (to: number | undefined): Data => (to === undefined ? { from: null } : { from: null, to })

export const NOTIFICATION_CONVERSIONS: Record<string, Conversion> = {
  ephios_participation_state_changed: { kind: 'participation_state', about: 'participation', data: changedTo },
  ephios_participation_customized: { kind: 'participation_times', about: 'participation', data: () => ({}) },
  ephios_participation_awaits_disposition: {
    kind: 'participation_request',
    about: 'participation',
    data: () => ({ from: null, to: 0 }),
  },
  ephios_participation_responsible_state_changed: {
    kind: 'participation_change',
    about: 'participation',
    data: (state) => ({ ...changedTo(state), by: 'responsible' }),
  },
  ephios_participation_responsible_confirmed_declined: {
    kind: 'participation_decline',
    about: 'participation',
    data: () => ({}),
  },
  ephios_participation_responsible_confirmed_customized: {
    kind: 'participation_own_times',
    about: 'participation',
    data: () => ({}),
  },
  ephios_profile_update: { kind: 'profile_changed', about: 'user', data: { what: 'profile', fields: [] } },
  ephios_custom_event_notification: { kind: 'event_message', about: 'event', data: {} },
  ephios_consequence_approved: { kind: 'request_decided', about: 'request', data: { outcome: 'granted' } },
  ephios_consequence_denied: { kind: 'request_decided', about: 'request', data: { outcome: 'refused' } },
}

/** Kinds that people can switch off here as well. Messages about an event are always sent; others are part of another kind. */
export const SWITCHABLE_SLUGS: ReadonlySet<string> = new Set(
  Object.keys(NOTIFICATION_CONVERSIONS).filter(
    (slug) => slug !== 'ephios_custom_event_notification' && slug !== 'ephios_consequence_denied',
  ),
)

const OLD: Omission = { what: 'Notifications older than 90 days', why: 'notifications are deleted after that time' }
const FOR_GUESTS: Omission = { what: 'Notifications without an account', why: 'guests get mails only' }
const GONE: Omission = {
  what: 'Notifications about something that no longer exists',
  why: 'there is nothing to show',
}
const OTHER_KIND: Omission = {
  what: 'Notifications of kinds that do not exist here',
  why: 'ephios sends them by mail, too',
}

const MAX_SUBJECT_LENGTH = 200
const MAX_TEXT_LENGTH = 10_000

const findNumber = (data: Data, ...names: string[]): number | undefined =>
  names.map((name) => Number(data[name] ?? Number.NaN)).find((value) => Number.isSafeInteger(value))
const findText = (data: Data, ...names: string[]): string =>
  names.map((name) => data[name]).find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''

const readData = (row: SourceRow): Data => JSON.parse(parseObject(row.data)?.json ?? '{}') as Data

function convert(
  row: SourceRow,
  context: ImportContext,
): Omission | { kind: string; values: Target['values']; message?: string } {
  const conversion = NOTIFICATION_CONVERSIONS[text(row.slug)]
  if (row.user_id == null) return FOR_GUESTS
  const created = parseTime(row.created_at)
  if (created === undefined || created < Date.parse(context.now) - KEEP_MS) return OLD
  if (!conversion) return { ...OTHER_KIND, detail: cut(clean(row.slug), 100) }
  if (!context.has('userprofile', row.user_id)) return GONE
  const data = readData(row)
  const { kind } = conversion
  if (conversion.about === 'user') return { kind, values: { data: toJson(conversion.data) } }
  if (conversion.about === 'participation') {
    const id = findNumber(data, 'participation_id', 'participation')
    const state = findNumber(data, 'participation_state', 'claimed_state', 'state')
    return context.has('abstractparticipation', id)
      ? { kind, values: { participation_id: id, data: toJson(conversion.data(state)) } }
      : GONE
  }
  if (conversion.about === 'request') {
    const id = findNumber(data, 'consequence_id', 'consequence')
    return context.has('consequence', id) ? { kind, values: { data: toJson({ ...conversion.data, request_id: id }) } } : GONE
  }
  const id = findNumber(data, 'event_id', 'event')
  const message = findText(data, 'content', 'text', 'message', 'body')
  return context.has('event', id) && message ? { kind, values: { event_id: id, data: toJson(conversion.data) }, message } : GONE
}

const toJson = (data: Data) => ({ json: JSON.stringify(data) })

/** Recent notifications stay in the lists of users. Mails and push messages about them are not sent again. */
export const NOTIFICATION_MAPPER: TableMapper = {
  source: 'core_notification',
  omit: (row, context) => {
    const converted = convert(row, context)
    return 'what' in converted ? converted : undefined
  },
  map: (row, context) => {
    const converted = convert(row, context)
    if ('what' in converted) return []
    const { kind, values, message } = converted
    const time = text(row.created_at)
    const common = {
      id: row.id!,
      user_id: row.user_id!,
      kind,
      source: `import ${row.id}`,
      bundle: `import ${row.id}`,
      created_at: time,
      next_attempt_at: time,
      read_at: row.read === true ? time : null,
      mail: 'skipped',
      mail_reason: 'imported',
      push: 'none',
      attempts: 0,
    }
    if (message === undefined) return [{ table: 'notification', values: { ...common, ...values } }]
    const subject = findText(readData(row), 'subject', 'title') || message.trim().split('\n')[0]!
    const eventId = values.event_id as number
    const letter = {
      event_id: eventId,
      subject: cut(clean(subject).trim(), MAX_SUBJECT_LENGTH),
      text: cut(clean(message).trim(), MAX_TEXT_LENGTH),
      created_at: time,
    }
    // ephios stores the text with each recipient.
    const { id, isNew } = context.generateId('event message', eventId, letter.subject, letter.text)
    const targets: Target[] = isNew ? [{ table: 'event_message', values: { id, ...letter } }] : []
    return [...targets, { table: 'notification', values: { ...common, ...values, message_id: id } }]
  },
}
