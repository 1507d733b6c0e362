import { GUARD, type Guard } from '#features/participations/commands/locks.ts'
import { writeParticipation } from '#features/participations/commands/records.ts'
import { getChangeableEventOf } from '#features/participations/queries/signup.ts'
import { judgeCandidacy } from '#features/participations/rules/candidacy.ts'
import { dropShiftTimes, effectiveSpan, type IndividualTimes } from '#features/participations/rules/individual-times.ts'
import { isResponsibleTarget, type ResponsibleTarget } from '#features/participations/rules/moves.ts'
import { MAX_PLACEHOLDER_NAME_LENGTH } from '#features/participations/rules/placeholder-names.ts'
import { type Reason, STATE, type State } from '#features/staffing/rules/model.ts'
import { getStructure } from '#features/staffing/structures/registry.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import {
  type FactsOfMany,
  findAddable,
  findLastChanges,
  findOwnRecords,
  type LastChange,
  loadFactsOfMany,
  type OwnVersioned,
} from '../queries/people.ts'
import type { CardReason } from '../rules/board.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'

export type CardWish = {
  shiftId: number
  who: CardPerson
  /** Of the record that the card was made from; null: there was none. Undefined: whatever there is. */
  version?: number | null | undefined
  /** Undefined: the state stays. */
  to?: ResponsibleTarget | undefined
  /** What is not named stays. */
  times?: Partial<IndividualTimes> | undefined
  /** Team or unit that the person is put into; empty: by themselves. */
  place?: string | undefined
  comment?: { text: string; isHidden: boolean } | undefined
}

export type CardOutcome = { shiftId: number; who: CardPerson } & (
  | {
      kind: 'saved'
      participationId: number
      from: State | undefined
      to: State
      hasChanged: boolean
      /** What would have kept the person from doing this themselves; it keeps no responsible. */
      hints: readonly Reason[]
    }
  | { kind: 'refused'; reasons: readonly CardReason[] }
  /** Somebody else was faster; nothing of theirs is overwritten. `now` undefined: there is no such record any more. */
  | { kind: 'stale'; now: OwnVersioned | undefined; last: LastChange | undefined }
)

/** `isStale` is handed in with the locks, so that a test can show what gets lost without it. */
export type BoardGuard = Guard & { isStale: (expected: CardWish['version'], found: number | undefined) => boolean }

export const BOARD_GUARD: BoardGuard = {
  ...GUARD,
  isStale: (expected, found) => expected !== undefined && expected !== (found ?? null),
}

/** One Save of the board of one shift: cards that nobody else has changed are written in one transaction. */
export const saveBoard = (
  context: CommandContext,
  { shiftId, cards }: { shiftId: number; cards: readonly Omit<CardWish, 'shiftId'>[] },
  guard: BoardGuard = BOARD_GUARD,
): Promise<CardOutcome[]> =>
  saveCards(
    context,
    cards.map((card) => ({ ...card, shiftId })),
    guard,
  )

/** The same across the shifts of one event. */
export async function saveCards(
  context: CommandContext,
  cards: readonly CardWish[],
  guard = BOARD_GUARD,
): Promise<CardOutcome[]> {
  const isTwice = new Set(cards.map(({ shiftId, who }) => `${shiftId} ${cardKey(who)}`)).size < cards.length
  if (isTwice || cards.some(({ to }) => to !== undefined && !isResponsibleTarget(to))) throw new Problem('invalid_input')
  if (!cards.length) return []
  const shiftIds = [...new Set(cards.map(({ shiftId }) => shiftId))]
  return transact(context.db, async (tx) => {
    const eventId = await requireOneEvent(tx, context, shiftIds)
    await guard.lockPeople(
      tx,
      cards.flatMap(({ who }) => ('kind' in who ? [who] : [])),
    )
    await guard.lockEvent(tx, eventId)
    if ((await requireOneEvent(tx, context, shiftIds)) !== eventId) throw new Problem('conflict')
    const people = cards.map(({ who }) => who)
    const facts = await loadFactsOfMany(tx, people, shiftIds, context.now)
    const addable = await findAddable(tx, eventId, people)
    const judged = cards.map((card) => judgeCard(context, card, { facts, addable, guard }))
    await guard.checked()
    const outcomes = new Map<CardWish, CardOutcome>()
    for (const one of leadersFirst(judged)) outcomes.set(one.card, await writeCard(tx, context, eventId, one))
    return withLastChanges(
      tx,
      cards.map((card) => outcomes.get(card)!),
    )
  })
}

async function requireOneEvent(tx: Tx, { actor }: CommandContext, shiftIds: readonly number[]): Promise<number> {
  const events = new Set<number | undefined>()
  for (const id of shiftIds) events.add(await getChangeableEventOf(tx, actor, id))
  const [eventId] = events
  if (eventId === undefined || events.size > 1) throw new Problem('not_found')
  return eventId
}

type Ready = {
  kind: 'ready'
  isCoupled: boolean
  before: OwnVersioned | undefined
  to: State
  times: IndividualTimes
  structureData: Record<string, unknown>
  hints: Reason[]
}
type Judged = { card: CardWish; verdict: Ready | Extract<CardOutcome, { kind: 'refused' | 'stale' }> }
type Around = { facts: FactsOfMany; addable: ReadonlySet<string>; guard: BoardGuard }

function judgeCard({ now, site }: CommandContext, card: CardWish, { facts, addable, guard }: Around): Judged {
  const { shiftId, who, comment } = card
  const refuse = (...reasons: CardReason[]): Judged => ({ card, verdict: { kind: 'refused', shiftId, who, reasons } })
  const before = facts.own(who, shiftId)
  if (guard.isStale(card.version, before?.version))
    return { card, verdict: { kind: 'stale', shiftId, who, now: before, last: undefined } }
  if (comment && [...comment.text].length > 255) return refuse({ code: 'comment_long' })
  if (!before) {
    const name = 'placeholder' in who ? who.placeholder : undefined
    if (name !== undefined && name.trim() === '') return refuse({ code: 'name_empty' })
    if (name !== undefined && [...name].length > MAX_PLACEHOLDER_NAME_LENGTH) return refuse({ code: 'name_long' })
    if (name === undefined && !addable.has(cardKey(who))) return refuse({ code: 'person_unknown' })
  }
  const to = card.to ?? before?.state
  if (to === undefined) throw new Problem('invalid_input')
  const shift = facts.shared.shifts.get(shiftId)!
  const times = dropShiftTimes(
    {
      start: card.times?.start === undefined ? (before?.individualStart ?? null) : card.times.start,
      end: card.times?.end === undefined ? (before?.individualEnd ?? null) : card.times.end,
    },
    shift,
  )
  const span = effectiveSpan(times, shift)
  if (span.end < span.start) return refuse({ code: 'times_in_wrong_order' })
  const judged = judgeCandidacy(facts.of(who), shiftId, { now, timeZone: site.timeZone }, span)!
  const placed = getStructure(shift.structureSlug)?.dispatch(shift.structureConfiguration, judged.applicant, {
    place: card.place,
    isConfirming: to === STATE.confirmed && before?.state !== STATE.confirmed,
  }) ?? { ok: true as const, structureData: recordIn(before?.structureData) }
  if (!placed.ok) return refuse(placed.reason)
  const isWanted = to === STATE.confirmed || to === STATE.requested
  const hints = isWanted && !('placeholder' in who) ? judged.reasons['sign-up'].filter(isHint) : []
  return {
    card,
    verdict: {
      kind: 'ready',
      isCoupled: shift.flowSlug === 'coupled',
      before,
      to,
      times,
      structureData: placed.structureData,
      hints,
    },
  }
}

async function writeCard(tx: Tx, context: CommandContext, eventId: number, { card, verdict }: Judged): Promise<CardOutcome> {
  if (verdict.kind !== 'ready') return verdict
  const { shiftId, who, comment } = card
  const { to, times, structureData, hints } = verdict
  // A coupled shift may have followed a card that was written a moment ago.
  const before = verdict.isCoupled ? (await findOwnRecords(tx, [who], [shiftId]))[0] : verdict.before
  const { id, hasChanged } = await writeParticipation(tx, context, {
    kind: 'participation.moved',
    shift: { id: shiftId, eventId },
    who,
    before,
    state: to,
    times,
    structureData,
    comment: comment?.text ? { text: comment.text, level: comment.isHidden ? 0 : 1, by: 'responsible' } : undefined,
  })
  return { kind: 'saved', shiftId, who, participationId: id, from: verdict.before?.state, to, hasChanged, hints }
}

/** What was typed for a coupled shift holds against what it takes over from its leader in the same Save. */
const leadersFirst = (judged: readonly Judged[]): Judged[] =>
  [false, true].flatMap((coupled) => judged.filter(({ verdict }) => (verdict.kind === 'ready' && verdict.isCoupled) === coupled))

async function withLastChanges(tx: Tx, outcomes: CardOutcome[]): Promise<CardOutcome[]> {
  const ids = outcomes.flatMap((one) => (one.kind === 'stale' && one.now ? [one.now.id] : []))
  const last = await findLastChanges(tx, ids)
  return outcomes.map((one) => (one.kind === 'stale' && one.now ? { ...one, last: last.get(one.now.id) } : one))
}

const recordIn = (data: unknown): Record<string, unknown> => ({ ...(data as Record<string, unknown> | undefined) })

/** Where somebody stands is what the responsible changes. */
const OWN_STATE: ReadonlySet<string> = new Set([
  'already_in',
  'rejected',
  'no_self_service',
  'follows_other_shift',
  'closed',
  'not_open_yet',
])
const isHint = ({ code }: Reason): boolean => !OWN_STATE.has(code)
