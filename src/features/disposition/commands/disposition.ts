import type { Participant } from '#features/participations/rules/candidacy.ts'
import type { IndividualTimes } from '#features/participations/rules/individual-times.ts'
import { isResponsibleTarget, type ResponsibleTarget } from '#features/participations/rules/moves.ts'
import type { State } from '#features/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { Problem } from '#platform/http/problem.ts'
import type { CardReason } from '../rules/board.ts'
import { BOARD_GUARD, type BoardGuard, saveBoard } from './board.ts'

export type Disposition = {
  shiftId: number
  who: Participant
  to: ResponsibleTarget
  times?: IndividualTimes | undefined
  /** Team or unit that the person is put into; empty: by themselves. */
  place?: string | undefined
  comment?: { text: string; isHidden: boolean } | undefined
}

export type DispositionOutcome =
  /** `hints`: what would have kept the person from doing this themselves; it keeps no responsible. */
  | {
      ok: true
      participationId: number
      from: State | undefined
      to: State
      hasChanged: boolean
      hints: readonly CardReason[]
    }
  | { ok: false; reasons: readonly CardReason[] }

/** One card, whatever its record was: any state, at any time, also after the shift. Checks are shown, not enforced. */
export async function moveParticipation(
  context: CommandContext,
  { shiftId, ...card }: Disposition,
  guard: BoardGuard = BOARD_GUARD,
): Promise<DispositionOutcome> {
  if (!isResponsibleTarget(card.to)) throw new Problem('invalid_input')
  const [outcome] = await saveBoard(context, { shiftId, cards: [card] }, guard)
  if (outcome?.kind === 'saved') return { ok: true, ...outcome }
  const reasons = outcome?.kind === 'refused' ? outcome.reasons : []
  if (!reasons.length || reasons.some(({ code }) => code === 'person_unknown')) throw new Problem('not_found')
  return { ok: false, reasons }
}
