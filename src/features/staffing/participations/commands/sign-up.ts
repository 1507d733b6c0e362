import { isDeepStrictEqual } from 'node:util'
import { saveAnswers } from '#features/events/questionnaires/commands.ts'
import { type Answers, changedAnswers, type GivenAnswers, judgeAnswers } from '#features/events/questionnaires/rules.ts'
import { loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getReachableEventOf, reachableEventOf } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import {
  type Candidacy,
  judgeCandidacy,
  type OwnRecord,
  type Participant,
  participantOf,
} from '#features/staffing/eligibility/rules/candidacy.ts'
import { effectiveSpan, type IndividualTimes, judgeTimes } from '#features/staffing/eligibility/rules/individual-times.ts'
import { judgeMove, type Move, stateAfterChange } from '#features/staffing/eligibility/rules/moves.ts'
import type { LoadedSkills } from '#features/staffing/staffing/queries/staffing.ts'
import { type Reason, STATE, type State, type Warning } from '#features/staffing/staffing/rules/model.ts'
import { normalizeUnitPaths } from '#features/staffing/staffing/rules/units.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { GUARD, type Guard, lockPersonAndEvent } from './locks.ts'
import { writeParticipation } from './records.ts'

/** Values of the form; a one-click sign-up has none. */
export type Details = {
  /** An absent time stays as it is stored; null: the time of the shift. */
  times?: Partial<IndividualTimes>
  /** Team or unit; empty: no preference. */
  wish?: string
  /** A change of other details: team and unit stay, even if they are no longer offered. */
  keepsPlace?: boolean
  /** Answers to the questions that the form showed. */
  answers?: GivenAnswers
  /** Save the answers to the own profile. */
  savesAnswers?: boolean
}
type OwnComment = { text: string; isPublic: boolean }

export type MoveOutcome =
  | {
      ok: true
      participationId: number
      from: State | undefined
      to: State
      hasChanged: boolean
      warnings: readonly Warning[]
      /** The journal entry, for undo; undefined if nothing changed. */
      entryId: number | undefined
    }
  /** `needsForm`: the move may be possible with details from the form. */
  | { ok: false; reasons: readonly Reason[]; needsForm: boolean }

type MoveRequest = {
  shiftId: number
  details?: Details | undefined
  comment?: OwnComment | undefined
  decidedBy?: Actor | undefined
}

export const signUp = (context: CommandContext, request: MoveRequest, guard: Guard = GUARD): Promise<MoveOutcome> =>
  applyMove(context, 'sign-up', request, guard)

export const decline = (
  context: CommandContext,
  request: Omit<MoveRequest, 'details'>,
  guard: Guard = GUARD,
): Promise<MoveOutcome> => applyMove(context, 'decline', request, guard)

/** Changes times, wish, answers and comment of a participant. The state stays, unless a late change needs a new decision. */
export const customize = (context: CommandContext, request: MoveRequest, guard: Guard = GUARD): Promise<MoveOutcome> =>
  applyMove(context, 'customize', request, guard)

/**
 * Confirms a request of a guest that waited for the proof of the address or of a qualification, if the flow needs no decision and a place
 * is free. `decidedBy`: who confirmed the qualification; the log names them, and the guest is notified.
 */
export const takePlace = (context: CommandContext, shiftId: number, decidedBy?: Actor): Promise<MoveOutcome> =>
  applyMove(context, 'take-place', { shiftId, decidedBy }, GUARD)

async function applyMove(context: CommandContext, move: Move, request: MoveRequest, guard: Guard): Promise<MoveOutcome> {
  const who = participantOf(context.actor)
  if (!who) throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const { shiftId } = request
    const locked = await lockBoth(tx, context, { who, shiftId, waits: move !== 'sign-up' }, guard)
    const { eventId } = locked
    if (!locked.isLocked) {
      // Others sign up for this event: people who are refused anyway, as when it is full, do not wait for them.
      const early = await judge(tx, context, { who, move, request })
      if (!early.ok) return early
      await guard.lockEvent(tx, eventId)
    }
    await guard.lockShare(tx, eventId, context.actor)
    const judged = await judge(tx, context, { who, move, request, eventId })
    await guard.checked()
    return judged.ok ? write(tx, context, { who, move, eventId, request, judged }) : judged
  })
}

/** Locks everything that a move of a participant depends on, and returns the event of the shift. */
export async function lockForMove(
  tx: Tx,
  context: CommandContext,
  { who, shiftId }: { who: Participant; shiftId: number },
  guard: Guard,
): Promise<number> {
  const { eventId } = await lockBoth(tx, context, { who, shiftId, waits: true }, guard)
  await checkAgain(tx, context, { eventId, shiftId }, guard)
  return eventId
}

type ToLock = { who: Participant; shiftId: number; waits: boolean }

/** The person, then the event of the shift. */
async function lockBoth(
  tx: Tx,
  context: CommandContext,
  { who, shiftId, waits }: ToLock,
  guard: Guard,
): Promise<{ eventId: number; isLocked: boolean }> {
  const reached = reachableEventOf(context.actor, shiftId)
  const locked = await lockPersonAndEvent(tx, { who, reached, waits }, guard)
  if (!locked) {
    await requireEvent(tx, context, shiftId)
    // The record of the person was deleted meanwhile.
    throw new Problem('permission_denied')
  }
  await guard.checkActing(tx, context)
  return locked
}

/** After waiting for the locks: the event may be hidden, its share ended, or the shift moved to another event. */
async function checkAgain(
  tx: Tx,
  context: CommandContext,
  { eventId, shiftId }: { eventId: number; shiftId: number },
  guard: Guard,
): Promise<void> {
  await guard.lockShare(tx, eventId, context.actor)
  if ((await requireEvent(tx, context, shiftId)) !== eventId) throw new Problem('conflict')
}

async function requireEvent(tx: Tx, context: CommandContext, shiftId: number): Promise<number> {
  const eventId = await getReachableEventOf(tx, context.actor, shiftId)
  if (eventId === undefined) throw new Problem('not_found')
  return eventId
}

const KINDS = {
  'sign-up': 'participation.signed_up',
  decline: 'participation.declined',
  customize: 'participation.customized',
  'take-place': 'participation.signed_up',
} as const

/** Reasons for the form that are judged again with what the form sent. */
const JUDGED_WITH_DETAILS: ReadonlySet<Reason['code']> = new Set(['wish_needed', 'answers_needed'])

type Asked = { who: Participant; move: Move; request: MoveRequest }
type Refusal = Extract<MoveOutcome, { ok: false }>
/** An allowed move, with what `write` needs. */
type Judged = Pick<Candidacy, 'warnings' | 'questions'> & {
  ok: true
  before: OwnRecord | undefined
  to: State
  times: IndividualTimes
  structureData: object
  /** Undefined: the move asks no questions. */
  answers: { given: Answers; stored: Answers } | undefined
  loaded: LoadedSkills
}

/** `eventId`: after waiting for the locks, checks as `checkAgain` that the person still reaches the shift in this event. */
async function judge(
  tx: Tx,
  context: CommandContext,
  { who, move, request, eventId }: Asked & { eventId?: number },
): Promise<Judged | Refusal> {
  const { shiftId, details } = request
  const moment = { now: context.now, timeZone: context.site.timeZone }
  const reached = eventId === undefined ? undefined : reachableEventOf(context.actor, shiftId)
  const facts = await loadSignupFacts(tx, who, [shiftId], context, { reached })
  if (eventId !== undefined && facts.reached !== eventId)
    throw new Problem(facts.reached === undefined ? 'not_found' : 'conflict')
  if (!facts.person.isActive) throw new Problem('permission_denied')
  const withoutDetails = judgeCandidacy(facts, shiftId, moment)!
  const { shift, own: before, signupRules } = withoutDetails
  const stored = { start: before?.individualStart ?? null, end: before?.individualEnd ?? null }
  const limits = { mayChoose: signupRules?.canChooseTimes ?? false, toleranceMinutes: facts.settings.toleranceMinutes }
  // A customization without times keeps the stored ones; a one-click sign-up is judged by the times of the shift.
  const given = details?.times ?? (move === 'sign-up' ? undefined : stored)
  const wanted = move === 'decline' ? undefined : given && { ...stored, ...given }
  const times = wanted ? judgeTimes(wanted, stored, shift, limits) : ({ ok: true, times: stored } as const)
  const chosen = wanted && times.ok ? effectiveSpan(times.times, shift) : undefined
  const judged = chosen ? judgeCandidacy(facts, shiftId, moment, chosen)! : withoutDetails

  const { applicant, input } = judged
  const instant = signupRules?.hasRequestStage === false
  const keepsPlace = move === 'decline' || (move === 'customize' && details?.keepsPlace)
  const placed = keepsPlace
    ? ({ ok: true, structureData: before?.structureData ?? {} } as const)
    : (getStructure(shift.structureSlug)?.place(shift.structureConfiguration, input, applicant, {
        instant,
        wish: details?.wish,
      }) ?? ({ ok: true, structureData: {} } as const))
  const forForm = move === 'decline' ? [] : judged.formReasons.filter(({ code }) => !JUDGED_WITH_DETAILS.has(code))
  const answered = move === 'decline' ? undefined : judgeAnswers(judged.questions, details?.answers)
  const reasons: Reason[] = [
    ...judged.reasons[move],
    ...(times.ok ? [] : times.reasons),
    ...forForm,
    ...(answered?.faults ?? []).map(({ question, fault }): Reason => ({ code: `answer_${fault}`, questionId: question.id })),
  ]
  // Errors about the wish are only meaningful if the person is eligible at all.
  if (!placed.ok && !reasons.length) reasons.push(placed.reason)
  const verdict = signupRules && judgeMove(move, before?.state, signupRules)
  if (reasons.length || !signupRules || !times.ok || !placed.ok || !verdict?.ok)
    return { ok: false, reasons, needsForm: judged.reasons[move].length === 0 && !details }

  const isAsBefore = isDeepStrictEqual(
    [stored, before && normalizeUnitPaths(before.structureData)],
    [times.times, normalizeUnitPaths(placed.structureData)],
  )
  const to =
    move === 'customize' ? stateAfterChange(verdict.to, signupRules, { now: context.now, hasChanged: !isAsBefore }) : verdict.to
  return {
    ok: true,
    before,
    to,
    times: times.times,
    structureData: placed.structureData,
    questions: judged.questions,
    answers: answered && { given: answered.answers, stored: judged.answers },
    loaded: { qualifications: facts.inclusions, blocks: facts.blocks, shifts: facts.shifts },
    warnings: judged.warnings,
  }
}

async function write(
  tx: Tx,
  context: CommandContext,
  { who, move, eventId, request, judged }: Asked & { eventId: number; judged: Judged },
): Promise<MoveOutcome> {
  const { shiftId, details, comment, decidedBy } = request
  const { before, to, questions, answers, warnings } = judged
  const acting = decidedBy ? { ...context, actor: decidedBy } : context
  const { id, hasChanged, entryId } = await writeParticipation(tx, acting, {
    kind: decidedBy ? 'participation.moved' : KINDS[move],
    shift: { id: shiftId, eventId },
    who,
    before,
    state: to,
    times: judged.times,
    structureData: judged.structureData,
    loaded: judged.loaded,
    answers:
      answers &&
      changedAnswers(
        answers.stored,
        answers.given,
        questions.map((question) => question.id),
      ),
    comment: comment && { text: comment.text, level: comment.isPublic ? 2 : 1, by: 'participant' },
  })
  if (answers && details?.savesAnswers && who.kind === 'local')
    await saveAnswers(
      tx,
      who.id,
      answers.given,
      questions.filter(({ usesSavedAnswers }) => usesSavedAnswers).map((question) => question.id),
    )
  const from = before?.state === STATE.gettingDispatched ? undefined : before?.state
  return { ok: true, participationId: id, from, to, hasChanged, warnings, entryId }
}
