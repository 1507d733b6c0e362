// Reads what mail services report by webhook. Their shapes differ, but all name a recipient, a kind and a reason.

export type ReportedBounce = { recipient: string; kind: 'hard' | 'soft'; reason: string; at: Date | undefined }

const MAX_BOUNCES = 1000
const MAX_DEPTH = 6

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const first = (fields: Fields, names: readonly string[]): string => {
  for (const name of names) if (textOf(fields[name])) return textOf(fields[name])
  return ''
}

const RECIPIENT = ['recipient', 'email', 'Email', 'emailAddress', 'rcpt_to', 'to']
const REASON = ['reason', 'diagnosticCode', 'Description', 'description', 'Details', 'message', 'error', 'raw_reason']
const TIME = ['at', 'timestamp', 'BouncedAt', 'date', 'time', 'ts_event']
const STATUS = ['status', 'code', 'error_code']
/** Values that say what happened; `bounceType` and others belong to the object around a recipient. */
const KIND = ['type', 'Type', 'event', 'severity', 'bounceType', 'notificationType', 'RecordType', 'bounce_type']

const IS_OTHER = /complaint|spam|unsubscri|deliver(y|ed)$|open|click|sent|processed|accepted|subscription/i
const IS_SOFT = /soft|transient|temporary|deferred|deferral|delayed|blocked|undetermined/i
const IS_HARD = /hard|permanent|invalid_email|invalid-email/i
const IS_BOUNCE = /bounce|failed|dropped/i

/** Every bounce in the body of a request. Complaints, openings and whatever else is reported are left out. */
export function readBounces(body: unknown): ReportedBounce[] {
  const found: ReportedBounce[] = []
  visit(body, {}, found, 0)
  return found
}

function visit(value: unknown, around: Fields, found: ReportedBounce[], depth: number): void {
  if (depth > MAX_DEPTH || found.length >= MAX_BOUNCES) return
  if (Array.isArray(value)) {
    for (const each of value.slice(0, MAX_BOUNCES)) visit(each, around, found, depth + 1)
    return
  }
  // Amazon SNS wraps the report as text.
  if (typeof value === 'string') {
    const parsed = value.startsWith('{') && value.length < 300_000 ? parseJson(value) : undefined
    if (parsed !== undefined) visit(parsed, around, found, depth + 1)
    return
  }
  if (!isFields(value)) return
  const inherited = { ...around, ...value }
  const bounce = readOne(value, inherited)
  if (bounce) found.push(bounce)
  else
    for (const [name, inner] of Object.entries(value))
      if (!RECIPIENT.includes(name)) visit(inner, scalars(inherited), found, depth + 1)
}

const scalars = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(([, value]) => textOf(value) !== ''))

function readOne(own: Fields, inherited: Fields): ReportedBounce | undefined {
  const recipient = first(own, RECIPIENT)
    .trim()
    .replace(/^.*<([^<>]+)>$/, '$1')
  if (!/^[^\s@]+@[^\s@]+$/.test(recipient)) return undefined
  const details = isFields(own['delivery-status']) ? own['delivery-status'] : {}
  const kind = kindOf(inherited, details)
  if (!kind) return undefined
  const reason = first(details, REASON) || first(own, REASON) || first(inherited, REASON)
  return { recipient, kind, reason, at: readTime(first(own, TIME) || first(inherited, TIME)) }
}

function kindOf(fields: Fields, details: Fields): 'hard' | 'soft' | undefined {
  const words = KIND.map((name) => textOf(fields[name])).filter(Boolean)
  const says = (pattern: RegExp) => words.some((word) => pattern.test(word))
  if (fields.hard_bounce === true) return 'hard'
  if (fields.hard_bounce === false) return 'soft'
  if (says(IS_OTHER) && !says(IS_BOUNCE) && !says(IS_HARD)) return undefined
  const status = first(fields, STATUS) || first(details, STATUS)
  // A service may call every bounce permanent; the status says whether the address is the reason.
  if (/^5\.7\./.test(status)) return undefined
  if (says(IS_SOFT) || /^4(\.|\d\d\b)/.test(status)) return 'soft'
  if (says(IS_HARD)) return 'hard'
  return says(IS_BOUNCE) && /^5(\.|\d\d\b)/.test(status) ? 'hard' : undefined
}

function readTime(text: string): Date | undefined {
  if (!text) return undefined
  const number = Number(text)
  const date = new Date(Number.isNaN(number) ? text : number < 1e11 ? number * 1000 : number)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
