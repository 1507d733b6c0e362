import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { type AskedByLink, getAskedByLink } from '../queries/answers.ts'
import { getWaveState } from '../queries/inquiries.ts'
import { isEnough, judgeLink } from '../rules/waves.ts'
import { endIfEnough } from './end.ts'

type AnswerOutcome =
  | { kind: 'done'; answer: 'can' | 'cannot'; isConfirmed: boolean }
  | { kind: 'too_late' | 'enough' | 'needs_form' | 'answered' | 'withdrawn' | 'expired' }
  | { kind: 'refused'; reasons: readonly Reason[] }

/** A parameter of the command, so that a test can show the race without the lock. */
export type AnswerGuard = {
  lock: (tx: Tx, asked: AskedByLink) => Promise<void>
  /** Called between the check of the link and the answer. */
  checked: () => Promise<void>
}

/** First the person, then the question: the order of all commands that ask or answer. */
const ANSWER_GUARD: AnswerGuard = {
  lock: async (tx, { id, userId }) => {
    await GUARD.lockPeople(tx, [{ kind: 'local', id: userId }])
    await tx.selectFrom('inquiry_person').select('id').where('id', '=', id).forUpdate().execute()
  },
  checked: async () => {},
}

type Answer = { token: string; answer: 'can' | 'cannot'; reason: string }

/**
 * The answer of a person by their link. It runs the commands of sign-up and decline as this person, with all checks, for this shift
 * only. Who changes their mind gives the other answer while these commands allow it. Undefined: no such link.
 */
export function answerInquiry(
  context: CommandContext,
  { token, answer, reason }: Answer,
  guard: AnswerGuard = ANSWER_GUARD,
): Promise<AnswerOutcome | undefined> {
  return transact(context.db, async (tx): Promise<AnswerOutcome | undefined> => {
    const { keyring } = context.site
    const found = await getAskedByLink(tx, keyring, token)
    if (!found) return undefined
    await guard.lock(tx, found)
    const asked = await getAskedByLink(tx, keyring, token)
    if (!asked?.isActive) return undefined
    const link = judgeLink(asked, answer)
    if (link !== 'open') return { kind: link }
    await guard.checked()
    const own: CommandContext = { ...context, db: tx, actor: asked.actor }
    return answer === 'can' ? accept(tx, own, asked) : refuse(tx, own, asked, reason)
  })
}

async function accept(tx: Tx, context: CommandContext, asked: AskedByLink): Promise<AnswerOutcome> {
  const { now, site } = context
  const state = await getWaveState(tx, asked.inquiryId, { now, timeZone: site.timeZone })
  if (state && state.free !== 0 && isEnough(state)) return { kind: 'enough' }
  const outcome = await tryMove(() => signUp(context, { shiftId: asked.shiftId }))
  if (!outcome) return { kind: 'withdrawn' }
  if (outcome.ok) {
    await store(tx, context, asked, { answer: 'can', reason: '' })
    await endIfEnough(tx, context, asked)
    return { kind: 'done', answer: 'can', isConfirmed: outcome.to === 1 }
  }
  const codes = new Set(outcome.reasons.map(({ code }) => code))
  if (codes.has('already_in')) return { kind: 'answered' }
  if (codes.has('closed')) return { kind: 'expired' }
  if (outcome.needsForm) return { kind: 'needs_form' }
  if (codes.size === 1 && codes.has('full')) {
    await store(tx, context, asked, { answer: 'too_late', reason: '' })
    return { kind: 'too_late' }
  }
  return { kind: 'refused', reasons: outcome.reasons }
}

/** While people can sign up, the answer counts even if declining is not possible, for example without self-service. */
async function refuse(tx: Tx, context: CommandContext, asked: AskedByLink, reason: string): Promise<AnswerOutcome> {
  const comment = reason ? { text: reason, isPublic: false } : undefined
  const outcome = await tryMove(() => decline(context, { shiftId: asked.shiftId, comment }))
  const reasons = outcome && !outcome.ok ? outcome.reasons : []
  if (reasons.some(({ code }) => code === 'closed')) return { kind: 'expired' }
  if (reasons.some(({ code }) => code === 'may_not_leave' || code === 'rejected')) return { kind: 'refused', reasons }
  await store(tx, context, asked, { answer: 'cannot', reason })
  return { kind: 'done', answer: 'cannot', isConfirmed: false }
}

/** Undefined: the event is hidden or gone by now. */
async function tryMove<T>(move: () => Promise<T>): Promise<T | undefined> {
  try {
    return await move()
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

async function store(
  tx: Tx,
  context: CommandContext,
  { id, userId, shiftId, eventId, answer: before }: AskedByLink,
  { answer, reason }: { answer: 'can' | 'cannot' | 'too_late'; reason: string },
): Promise<void> {
  if (answer === before) return
  await tx.updateTable('inquiry_person').set({ answer, answered_at: context.now, reason }).where('id', '=', id).execute()
  await record(tx, context, {
    kind: 'shift.answered',
    subject: { kind: 'shift', id: shiftId },
    eventId,
    changes: { answer },
    ...(reason ? { personal: { personId: userId, values: { reason } } } : {}),
  })
}
