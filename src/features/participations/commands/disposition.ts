import type { Doing } from '#platform/auth/ask.ts'
import { transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { judgeCandidacy } from '../queries/eligibility.ts'
import { getChangeableEventOf } from '../queries/shift-event.ts'
import { loadSignupFacts, type Participant } from '../queries/signup-facts.ts'
import { type IndividualTimes, withoutUsual } from '../rules/individual-times.ts'
import { isMoveOfResponsible, type MoveOfResponsible } from '../rules/moves.ts'
import type { Reason } from '../rules/reasons.ts'
import { STATE, type State } from '../rules/states.ts'
import { getStructure } from '../structures/registry.ts'
import { GUARD, type Guard } from './locks.ts'
import { writeParticipation } from './records.ts'

export type Disposition = {
  shiftId: number
  who: Participant
  to: MoveOfResponsible
  times?: IndividualTimes | undefined
  /** Team or unit that the person is put into; empty: by themselves. */
  place?: string | undefined
  comment?: { text: string; isHidden: boolean } | undefined
}

export type DispositionOutcome =
  /** `hints`: what would have kept the person from doing this themselves; it keeps no responsible. */
  | { ok: true; participationId: number; from: State | undefined; to: State; hasChanged: boolean; hints: readonly Reason[] }
  | { ok: false; reasons: readonly Reason[] }

/** What responsibles do: any record to any state, at any time, also after the shift. Checks are shown, not enforced. */
export async function moveParticipation(doing: Doing, wish: Disposition, guard: Guard = GUARD): Promise<DispositionOutcome> {
  const { shiftId, who, to, comment } = wish
  if (!isMoveOfResponsible(to)) throw new Problem('invalid_input')
  return transact(doing.db, async (tx) => {
    const eventId = await getChangeableEventOf(tx, doing.actor, shiftId)
    if (eventId === undefined) throw new Problem('not_found')
    await guard.lockPeople(tx, [who])
    await guard.lockEvent(tx, eventId)
    if ((await getChangeableEventOf(tx, doing.actor, shiftId)) !== eventId) throw new Problem('conflict')
    const facts = await loadSignupFacts(tx, who, [shiftId], doing.now)
    if (!facts.person.exists) throw new Problem('not_found')
    const judged = judgeCandidacy(facts, shiftId, { now: doing.now, timeZone: doing.site.timeZone })!
    const { shift, own: before, applicant } = judged
    const times = wish.times
      ? withoutUsual(wish.times, shift)
      : { start: before?.individualStart ?? null, end: before?.individualEnd ?? null }
    if ((times.end ?? shift.end) < (times.start ?? shift.start)) return { ok: false, reasons: [{ code: 'times_in_wrong_order' }] }
    const placed = getStructure(shift.structureSlug)?.dispatch(shift.structureConfiguration, applicant, {
      place: wish.place,
      isConfirming: to === STATE.confirmed && before?.state !== STATE.confirmed,
    }) ?? { ok: true as const, structureData: before?.structureData ?? {} }
    await guard.checked()
    if (!placed.ok) return { ok: false, reasons: [placed.reason] }
    const { id, hasChanged } = await writeParticipation(tx, doing, {
      ...{ kind: 'participation.moved', shift: { id: shiftId, eventId }, who, before },
      ...{ state: to, times, structureData: placed.structureData },
      comment: comment && { text: comment.text, level: comment.isHidden ? 0 : 1, by: 'responsible' },
    })
    const hints = to === STATE.confirmed || to === STATE.requested ? judged.reasons['sign-up'].filter(isHint) : []
    return { ok: true, participationId: id, from: before?.state, to, hasChanged, hints }
  })
}

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
