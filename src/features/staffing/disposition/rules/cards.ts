import { Temporal } from 'temporal-polyfill'
import type { IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { isResponsibleTarget, type ResponsibleTarget } from '#features/staffing/eligibility/rules/moves.ts'
import type { Reason, State } from '#features/staffing/staffing/rules/model.ts'
import { readWhich, resolveLocalTime } from '#platform/i18n/local-time.ts'

export type CardReason =
  | Reason
  | {
      code:
        | 'person_unknown'
        | 'account_closed'
        | 'name_empty'
        | 'name_long'
        | 'comment_long'
        | 'reason_needed'
        | 'times_unreadable'
        | 'times_skipped'
        | 'times_ambiguous'
        | 'target_unknown'
    }

/** A person on a board. A placeholder is only a name. */
export type CardPerson = { kind: 'local' | 'visitor' | 'guest'; id: number } | { placeholder: string }

/** Identifies a person in form fields and URLs: letters, digits, `-` and `_` only. */
export function cardKey(who: CardPerson): string {
  return 'placeholder' in who ? `placeholder-${Buffer.from(who.placeholder).toString('base64url')}` : `${who.kind}-${who.id}`
}

export function readCardKey(key: string): CardPerson | undefined {
  const person = /^(local|visitor|guest)-(\d{1,15})$/.exec(key)
  if (person) return { kind: person[1] as 'local', id: Number(person[2]) }
  const name = /^placeholder-([\w-]{1,2000})$/.exec(key)?.[1]
  return name === undefined ? undefined : { placeholder: Buffer.from(name, 'base64url').toString() }
}

/** State and place of a card. `place` undefined: keep the place; empty: assigned by the structure. */
export type Target = { state: State; place: string | undefined }

export const writeTarget = ({ state, place }: Target): string => (place === undefined ? `${state}` : `${state}:${place}`)

export function readTarget(text: string): Target | undefined {
  const found = /^([0-4])(?::([\s\S]*))?$/.exec(text)
  return found ? { state: Number(found[1]) as State, place: found[2] } : undefined
}

/** The card as sent to the browser. Times as in `datetime-local` fields. */
export type CardBefore = { version: number | null; to: string; start: string; end: string }

export const writeBefore = ({ version, to, start, end }: CardBefore): string => `${version ?? ''}|${start}|${end}|${to}`

export function readBefore(text: string): CardBefore | undefined {
  const [, version, start, end, to] = /^(\d{0,15})\|([^|]*)\|([^|]*)\|([\s\S]*)$/.exec(text) ?? []
  if (to === undefined) return undefined
  return { version: version ? Number(version) : null, to, start: start!, end: end! }
}

/** A card as submitted by the browser. */
export type SubmittedCard = {
  shiftId: number
  key: string
  who: CardPerson
  before: CardBefore
  to: string
  start: string
  end: string
  /** Which of two equal local times is meant. */
  which: { start: string; end: string }
  comment: string
  isHidden: boolean
}

/** The person has no participation in the shift yet. */
export const isNew = ({ before }: SubmittedCard): boolean => before.version === null

export const isChanged = (card: SubmittedCard): boolean =>
  isNew(card) ||
  card.to !== card.before.to ||
  card.start !== card.before.start ||
  card.end !== card.before.end ||
  card.comment !== ''

const FIELD = /^card\.(\d{1,15})\.([\w-]{1,2020})\.(was|to|start|end|start_which|end_which|comment|hidden)$/

type CardField = 'was' | 'to' | 'start' | 'end' | 'start_which' | 'end_which' | 'comment' | 'hidden'

export const fieldName = (shiftId: number, key: string, field: CardField): string => `card.${shiftId}.${key}.${field}`

/** Reads the cards of a form and ignores other fields. Skips cards without a target: they were not placed. */
export function readCards(values: Readonly<Record<string, string | string[]>>): SubmittedCard[] {
  const found = new Map<string, { shiftId: number; key: string; fields: Record<string, string> }>()
  for (const [name, value] of Object.entries(values)) {
    const [, shift, key, field] = FIELD.exec(name) ?? []
    if (!field) continue
    const id = `${shift}.${key}`
    const card = found.get(id) ?? { shiftId: Number(shift), key: key!, fields: {} }
    card.fields[field] = (Array.isArray(value) ? value.at(-1)! : value).trim()
    found.set(id, card)
  }
  return [...found.values()].flatMap(({ shiftId, key, fields }) => {
    const who = readCardKey(key)
    const before = readBefore(fields.was ?? '') ?? { version: null, to: '', start: '', end: '' }
    const to = fields.to || before.to
    if (!who || !to) return []
    const { start = before.start, end = before.end, comment = '' } = fields
    const which = { start: fields.start_which ?? '', end: fields.end_which ?? '' }
    return [{ shiftId, key, who, before, to, start, end, which, comment, isHidden: fields.hidden === 'on' }]
  })
}

export type Move = { to: ResponsibleTarget | undefined; place: string | undefined }

/** The requested move. Undefined values if the target did not change; undefined if it cannot be read. */
export function readMove({ to, before }: SubmittedCard): Move | undefined {
  const target = readTarget(to)
  if (!target) return undefined
  if (to === before.to && before.version !== null) return { to: undefined, place: undefined }
  return isResponsibleTarget(target.state) ? { to: target.state, place: target.place } : undefined
}

type TimeFault = 'times_unreadable' | 'times_skipped' | 'times_ambiguous'

/** Parses a `datetime-local` value in the time zone of the instance. Null: empty. */
function readTime(text: string, timeZone: string, which: string): Date | null | TimeFault {
  if (text === '') return null
  try {
    const local = resolveLocalTime(Temporal.PlainDateTime.from(text.slice(0, 16)), timeZone, readWhich(which))
    return local.ok ? local.at : `times_${local.reason}`
  } catch {
    return 'times_unreadable'
  }
}

/** Only changed times, so that others keep their seconds. */
export function timesOf({ start, end, which, before }: SubmittedCard, timeZone: string): Partial<IndividualTimes> | TimeFault {
  const times: Partial<IndividualTimes> = {}
  for (const [name, text] of [
    ['start', start],
    ['end', end],
  ] as const) {
    if (text === before[name]) continue
    const time = readTime(text, timeZone, which[name])
    if (typeof time === 'string') return time
    times[name] = time
  }
  return times
}

export const readChangedCards = (values: Readonly<Record<string, string | string[]>>): SubmittedCard[] =>
  readCards(values).filter(isChanged)

type ParsedChange = {
  shiftId: number
  who: CardPerson
  version: number | null
  to: ResponsibleTarget | undefined
  place: string | undefined
  times: Partial<IndividualTimes>
  comment: { text: string; isHidden: boolean } | undefined
}

/** The change that a card asks for, or the reasons why it cannot be read. */
export function parseChange(card: SubmittedCard, timeZone: string): { wish: ParsedChange } | { reasons: CardReason[] } {
  const move = readMove(card)
  const times = timesOf(card, timeZone)
  if (!move) return { reasons: [{ code: 'target_unknown' }] }
  if (typeof times === 'string') return { reasons: [{ code: times }] }
  const { shiftId, who, before, comment, isHidden } = card
  return {
    wish: { shiftId, who, version: before.version, ...move, times, comment: comment ? { text: comment, isHidden } : undefined },
  }
}

/** A card for a person who is not on the board yet. */
export function newCard(shiftId: number, key: string, to: string): SubmittedCard | undefined {
  const who = readCardKey(key)
  if (!who) return undefined
  const before = { version: null, to: '', start: '', end: '' }
  return { shiftId, key, who, before, to, start: '', end: '', which: { start: '', end: '' }, comment: '', isHidden: false }
}

export const MAX_PLACEHOLDER_LENGTH = 254
export const placeholderKey = (name: string): string => cardKey({ placeholder: name })
export const withoutCard = (cards: readonly SubmittedCard[], key: string): SubmittedCard[] =>
  cards.filter((card) => card.key !== key)

type StoredCard = { key: string; before: CardBefore; start: string; end: string }

/** Bases the card on the record as stored now, so that the next Save overwrites it. `stored`: cards of the board without unsaved changes. */
export function keepMine(cards: readonly SubmittedCard[], key: string, stored: readonly StoredCard[]): SubmittedCard[] {
  const there = stored.find((card) => card.key === key)
  return cards.flatMap((card) => {
    if (card.key !== key) return [card]
    if (!there) return [{ ...card, before: { ...card.before, version: null } }]
    const times = isNew(card) && card.start === '' ? { start: there.start, end: there.end } : {}
    const kept = { ...card, ...times, before: there.before }
    return isChanged(kept) ? [kept] : []
  })
}
