import { type CardChange, saveBoard } from '#features/staffing/disposition/commands/board.ts'
import type { CardReason } from '#features/staffing/disposition/rules/cards.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { Problem } from '#platform/http/problem.ts'

type Move = CardChange & { to: NonNullable<CardChange['to']> }
type Outcome =
  | { ok: true; participationId: number; from: State | undefined; to: State; hasChanged: boolean }
  | { ok: false; reasons: readonly CardReason[] }

/** Moves one participant on the board of a shift as a responsible, independent of the previous state. */
export async function moveOnBoard(context: CommandContext, { shiftId, ...card }: Move): Promise<Outcome> {
  const [outcome] = await saveBoard(context, { shiftId, cards: [card] })
  if (outcome?.kind === 'saved') {
    const { participationId, from, to, hasChanged } = outcome
    return { ok: true, participationId, from, to, hasChanged }
  }
  if (outcome?.kind !== 'refused' || outcome.reasons.some(({ code }) => code === 'person_unknown')) throw new Problem('not_found')
  return { ok: false, reasons: outcome.reasons }
}
