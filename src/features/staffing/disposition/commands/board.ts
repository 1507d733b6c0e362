import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { getChangeableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { findOldestBirths } from '#features/staffing/eligibility/queries/shift-facts.ts'
import { judgeCandidacy, leaderOf, type SignupFacts } from '#features/staffing/eligibility/rules/candidacy.ts'
import { dropShiftTimes, effectiveSpan, type IndividualTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { isResponsibleTarget, type ResponsibleTarget } from '#features/staffing/eligibility/rules/moves.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { writeParticipation } from '#features/staffing/participations/commands/records.ts'
import { MAX_PLACEHOLDER_NAME_LENGTH } from '#features/staffing/participations/rules/placeholder-names.ts'
import { type Reason, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import {
  findAddablePeople,
  findLastChanges,
  findRecords,
  type LastChange,
  loadPeopleFacts,
  type PeopleFacts,
  type VersionedRecord,
} from '../queries/people.ts'
import type { CardReason } from '../rules/cards.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'
import { compareTurns, factsAfter, type JudgedCard } from '../rules/turns.ts'

export type CardChange = {
  shiftId: number
  who: CardPerson
  /** Version of the record that the card shows; null: there was no record. Undefined: do not check. */
  version?: number | null | undefined
  /** Undefined: keep the state. */
  to?: ResponsibleTarget | undefined
  /** Times that are left out are kept. */
  times?: Partial<IndividualTimes> | undefined
  /** Team or unit; empty: assigned by the structure. */
  place?: string | undefined
  comment?: { text: string; isHidden: boolean } | undefined
  /** What else than a decision about this person caused the change; stored in the journal. */
  cause?: string | undefined
}

export type CardOutcome = { shiftId: number; who: CardPerson } & (
  | {
      kind: 'saved'
      participationId: number
      from: State | undefined
      to: State
      hasChanged: boolean
      /** The journal entry, if something has changed. */
      entryId: number | undefined
      /** Reasons that prevent sign-up by the person; they do not bind responsibles. */
      hints: readonly Reason[]
    }
  | { kind: 'refused'; reasons: readonly CardReason[] }
  /** Somebody else has changed the record; it is not overwritten. `now` undefined: the record was deleted. */
  | { kind: 'stale'; now: VersionedRecord | undefined; last: LastChange | undefined }
)

/** Limits refuse the person, and nobody gave a reason. */
export const isBeyondLimits = (outcome: CardOutcome): boolean =>
  outcome.kind === 'refused' && outcome.reasons.some(({ code }) => code === 'reason_needed')

/** `isStale` and the locks are parameters, so that a test can show what is lost without them. */
export type BoardGuard = Guard & { isStale: (expected: CardChange['version'], found: number | undefined) => boolean }

export const BOARD_GUARD: BoardGuard = {
  ...GUARD,
  isStale: (expected, found) => expected !== undefined && expected !== (found ?? null),
}

/** Saves the board of a shift: writes the cards that nobody else has changed in one transaction. */
export const saveBoard = (
  context: CommandContext,
  { shiftId, cards }: { shiftId: number; cards: readonly Omit<CardChange, 'shiftId'>[] },
  guard: BoardGuard = BOARD_GUARD,
): Promise<CardOutcome[]> =>
  saveCards(
    context,
    cards.map((card) => ({ ...card, shiftId })),
    guard,
  )

/** Saves cards of several shifts of one event. */
export async function saveCards(
  context: CommandContext,
  cards: readonly CardChange[],
  guard = BOARD_GUARD,
): Promise<CardOutcome[]> {
  if (!cards.length) return []
  return transact(context.db, async (tx) => {
    const events = await requireEvents(tx, context, cards)
    if (new Set(events.values()).size > 1) throw new Problem('not_found')
    return saveCardsIn(tx, context, cards, guard)
  })
}

/** Saves cards of shifts of any number of events in the transaction of the caller. */
export async function saveCardsIn(
  tx: Tx,
  context: CommandContext,
  cards: readonly CardChange[],
  guard = BOARD_GUARD,
): Promise<CardOutcome[]> {
  const isTwice = new Set(cards.map(({ shiftId, who }) => `${shiftId} ${cardKey(who)}`)).size < cards.length
  if (isTwice || cards.some(({ to }) => to !== undefined && !isResponsibleTarget(to))) throw new Problem('invalid_input')
  const events = await requireEvents(tx, context, cards)
  await guard.lockPeople(
    tx,
    cards.flatMap(({ who }) => ('kind' in who ? [who] : [])),
  )
  // In the order of their ids, so that two commands with several events cannot deadlock.
  for (const eventId of [...new Set(events.values())].sort((a, b) => a - b)) await guard.lockEvent(tx, eventId)
  const locked = await requireEvents(tx, context, cards)
  if ([...locked].some(([shiftId, eventId]) => events.get(shiftId) !== eventId)) throw new Problem('conflict')
  const people = cards.map(({ who }) => who)
  const facts = await loadPeopleFacts({ ...context, db: tx }, people, [...events.keys()])
  const addable = new Map<number, ReadonlySet<string>>()
  for (const eventId of new Set(events.values())) addable.set(eventId, await findAddablePeople(tx, eventId, people))
  const judged = await judgeInTurn(tx, context, cards, { facts, addable, events, guard })
  await guard.checked()
  const outcomes = new Map<CardChange, CardOutcome>()
  for (const one of leadersFirst(judged)) outcomes.set(one.card, await writeCard(tx, context, events.get(one.card.shiftId)!, one))
  return addLastChanges(
    tx,
    cards.map((card) => outcomes.get(card)!),
  )
}

/** The event of each shift; throws if the caller may not change one of them. */
async function requireEvents(
  tx: Tx,
  { actor }: CommandContext,
  cards: readonly CardChange[],
): Promise<ReadonlyMap<number, number>> {
  const events = new Map<number, number>()
  for (const shiftId of new Set(cards.map((card) => card.shiftId))) {
    const eventId = await getChangeableEventOf(tx, actor, shiftId)
    if (eventId === undefined) throw await refuseShift(tx, actor, shiftId)
    events.set(shiftId, eventId)
  }
  return events
}

type Ready = {
  kind: 'ready'
  isCoupled: boolean
  before: VersionedRecord | undefined
  to: State
  times: IndividualTimes
  structureData: Record<string, unknown>
  hints: Reason[]
}
type Judged = { card: CardChange; verdict: Ready | Extract<CardOutcome, { kind: 'refused' | 'stale' }> }
type TurnContext = {
  facts: PeopleFacts
  /** By event. */
  addable: ReadonlyMap<number, ReadonlySet<string>>
  /** By shift. */
  events: ReadonlyMap<number, number>
  guard: BoardGuard
}

/** Judges each card as if those before it were saved, so that two of them together keep the limits. In the order of the cards. */
async function judgeInTurn(
  tx: Tx,
  context: CommandContext,
  cards: readonly CardChange[],
  { facts, addable, events, guard }: TurnContext,
): Promise<Judged[]> {
  const titles = await findTitles(tx, cards, events)
  const planned = cards.map((card) => {
    const state = facts.own(card.who, card.shiftId)?.state
    const to = card.to ?? state
    return {
      card,
      isConfirmed: to === STATE.confirmed,
      isConfirming: to === STATE.confirmed && state !== STATE.confirmed,
      dateOfBirth: facts.person(card.who)?.dateOfBirth ?? null,
      hasReason: !!card.comment?.text.trim(),
    }
  })
  const verdicts = new Map<CardChange, Judged>()
  const judged: JudgedCard[] = []
  const judge = ({ card, dateOfBirth }: (typeof planned)[number], oldestBirths: ReadonlyMap<number, string | null>) => {
    const { shiftId, who } = card
    const key = cardKey(who)
    const eventId = events.get(shiftId)!
    const own = factsAfter(facts.of(who), { key, shiftId }, { judged, oldestBirths })
    const one = judgeCard(context, card, { facts, own, addable: addable.get(eventId)!, guard })
    verdicts.set(card, one)
    if (one.verdict.kind !== 'ready') return
    const { to, times } = one.verdict
    const shift = facts.shared.shifts.get(shiftId)!
    const span = effectiveSpan(times, shift)
    const place = { shiftId, eventId, eventTitle: titles.get(eventId) ?? null, leaderShiftId: leaderOf(shift) }
    judged.push({ key, to, dateOfBirth, span, ...place })
  }
  const [staying, confirming] = [false, true].map((isConfirming) =>
    planned.filter((one) => one.isConfirming === isConfirming).sort(compareTurns),
  ) as [typeof planned, typeof planned]
  for (const one of staying) judge(one, new Map())
  const leaving = staying.flatMap(({ card }) => {
    const { verdict } = verdicts.get(card)!
    const isLeaving = verdict.kind === 'ready' && verdict.before?.state === STATE.confirmed && verdict.to !== STATE.confirmed
    return isLeaving && facts.shared.shifts.get(card.shiftId)!.oldestBirth !== null
      ? [{ shiftId: card.shiftId, id: verdict.before!.id }]
      : []
  })
  const oldestBirths =
    leaving.length && confirming.length
      ? await findOldestBirths(
          tx,
          leaving.map(({ shiftId }) => shiftId),
          leaving.map(({ id }) => id),
        )
      : new Map()
  for (const one of confirming) judge(one, oldestBirths)
  return cards.map((card) => verdicts.get(card)!)
}

/** Only if somebody is on several cards, whose reasons can name each other. */
async function findTitles(
  tx: Tx,
  cards: readonly CardChange[],
  events: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, string>> {
  if (new Set(cards.map(({ who }) => cardKey(who))).size === cards.length) return new Map()
  const ids = [...new Set(events.values())]
  const rows = await tx.selectFrom('event').select(['id', 'title']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

type JudgeContext = { facts: PeopleFacts; own: SignupFacts; addable: ReadonlySet<string>; guard: BoardGuard }

function judgeCard({ now, site }: CommandContext, card: CardChange, { facts, own, addable, guard }: JudgeContext): Judged {
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
  const isWanted = isTakingPart(to)
  // Closing an account frees its future places; corrections of the past stay possible.
  const returns = isWanted && !(before && isTakingPart(before.state))
  if (returns && span.end > now && facts.person(who)?.isActive === false) return refuse({ code: 'account_closed' })
  const judged = judgeCandidacy(own, shiftId, { now, timeZone: site.timeZone }, span)!
  const placed = getStructure(shift.structureSlug)?.dispatch(shift.structureConfiguration, judged.applicant, {
    place: card.place,
    isConfirming: to === STATE.confirmed && before?.state !== STATE.confirmed,
  }) ?? { ok: true as const, structureData: recordIn(before?.structureData) }
  if (!placed.ok) return refuse(placed.reason)
  const hints = isWanted && !('placeholder' in who) ? judged.reasons['sign-up'].filter(isHint) : []
  const isConfirmed = to === STATE.confirmed
  const isKept = isConfirmed && before?.state === STATE.confirmed
  // Times of a shift that is over are what was, and nobody decides about them.
  const exceeded = (isKept ? (span.end > now ? judged.reasons.customize : []) : hints).filter(({ code }) =>
    code.startsWith('limit_'),
  )
  if (isConfirmed && exceeded.length > 0 && !comment?.text.trim()) return refuse(...exceeded, { code: 'reason_needed' })
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
  const { shiftId, who, comment, cause } = card
  const { to, times, structureData, hints } = verdict
  // Writing the card of the leading shift may have changed this record.
  const before = verdict.isCoupled ? (await findRecords(tx, [who], [shiftId]))[0] : verdict.before
  const { id, hasChanged, entryId } = await writeParticipation(tx, context, {
    kind: 'participation.moved',
    shift: { id: shiftId, eventId },
    who,
    before,
    state: to,
    times,
    structureData,
    ...(cause && { cause }),
    comment: comment?.text ? { text: comment.text, level: comment.isHidden ? 0 : 1, by: 'responsible' } : undefined,
  })
  return { kind: 'saved', shiftId, who, participationId: id, from: verdict.before?.state, to, hasChanged, entryId, hints }
}

/** Coupled shifts come last, so that their own cards win over what they take over from the leading shift. */
const leadersFirst = (judged: readonly Judged[]): Judged[] =>
  [false, true].flatMap((coupled) => judged.filter(({ verdict }) => (verdict.kind === 'ready' && verdict.isCoupled) === coupled))

async function addLastChanges(tx: Tx, outcomes: CardOutcome[]): Promise<CardOutcome[]> {
  const ids = outcomes.flatMap((one) => (one.kind === 'stale' && one.now ? [one.now.id] : []))
  const last = await findLastChanges(tx, ids)
  return outcomes.map((one) => (one.kind === 'stale' && one.now ? { ...one, last: last.get(one.now.id) } : one))
}

const isTakingPart = (state: State): boolean => state === STATE.confirmed || state === STATE.requested

const recordIn = (data: unknown): Record<string, unknown> => ({ ...(data as Record<string, unknown> | undefined) })

/** Reasons about the own state or about sign-up, which the responsible overrides. */
const OWN_STATE: ReadonlySet<string> = new Set([
  'already_in',
  'rejected',
  'no_self_service',
  'follows_other_shift',
  'closed',
  'not_open_yet',
])
const isHint = ({ code }: Reason): boolean => !OWN_STATE.has(code)
