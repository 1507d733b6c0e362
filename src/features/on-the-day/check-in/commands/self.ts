import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { type CheckInLink, findOwnShifts, getCheckInLink, type OwnShift } from '../queries/self.ts'
import type { Attendance } from '../rules/attendance.ts'
import { isCurrentCode } from '../rules/codes.ts'
import { judgeArrival, judgeLeaving, type WindowVerdict } from '../rules/window.ts'
import { type MarkResult, writeMark } from './marks.ts'

export type SelfOutcome =
  | { ok: true; outcome: Exclude<MarkResult['outcome'], 'refused'> }
  | { ok: false; reason: 'unknown' | 'off' | 'old_code' | 'no_shift' | 'too_late' | 'not_undoable' }
  | { ok: false; reason: 'too_early'; from: Date }

type SelfMark = { id: string; participationId: number; kind: 'arrived' | 'left'; code: string }

/** The code of the event and, for changing codes, the part that is on the screen now. */
async function openLink(tx: Tx, { site, now }: CommandContext, token: string, code: string) {
  const link = await getCheckInLink(tx, token)
  if (!link) return { refusal: { reason: 'unknown' } as const }
  if (!link.isActive) return { refusal: { reason: 'off' } as const }
  if (link.isChanging && !isCurrentCode(site.keyring, token, code, now)) return { refusal: { reason: 'old_code' } as const }
  return { link }
}

async function requireOwn(
  tx: Tx,
  { actor }: CommandContext,
  link: CheckInLink,
  participationId: number,
): Promise<OwnShift | undefined> {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  const own = await findOwnShifts(tx, link.eventId, actor.userId)
  return own.find((shift) => shift.participationId === participationId)
}

/** A person says that they are there, or that they leave. */
export async function markSelf(context: CommandContext, token: string, given: SelfMark): Promise<SelfOutcome> {
  return transact(context.db, async (tx): Promise<SelfOutcome> => {
    const { link, refusal } = await openLink(tx, context, token, given.code)
    if (refusal) return { ok: false, ...refusal }
    const shift = await requireOwn(tx, context, link, given.participationId)
    if (!shift) return { ok: false, reason: 'no_shift' }
    const judge = given.kind === 'arrived' ? judgeArrival : judgeLeaving
    const verdict: WindowVerdict = judge(shift, link.minutesBefore, context.now)
    if (!verdict.ok) return verdict
    const result = await writeMark(tx, context, {
      eventId: link.eventId,
      source: 'self',
      mark: {
        id: given.id,
        participationId: shift.participationId,
        mark: { kind: given.kind, at: context.now },
        // People may add to what planners have marked, not replace it.
        base: null,
        madeAt: context.now,
      },
    })
    return result.outcome === 'refused' ? { ok: false, reason: 'no_shift' } : { ok: true, outcome: result.outcome }
  })
}

type Undo = { id: string; participationId: number; markId: string; code: string }

/** Takes back the last own mark, if nobody has marked anything since. */
export async function undoSelf(context: CommandContext, token: string, given: Undo): Promise<SelfOutcome> {
  return transact(context.db, async (tx): Promise<SelfOutcome> => {
    const { link, refusal } = await openLink(tx, context, token, given.code)
    if (refusal) return { ok: false, ...refusal }
    const shift = await requireOwn(tx, context, link, given.participationId)
    if (!shift) return { ok: false, reason: 'no_shift' }
    if (!shift.isOwnMark || shift.markId !== given.markId) return { ok: false, reason: 'not_undoable' }
    const before = await getBefore(tx, given.markId)
    const result = await writeMark(tx, context, {
      eventId: link.eventId,
      source: 'self',
      mark: {
        id: given.id,
        participationId: shift.participationId,
        mark: { kind: 'set', to: before },
        base: given.markId,
        madeAt: context.now,
      },
    })
    return result.outcome === 'applied' ? { ok: true, outcome: 'applied' } : { ok: false, reason: 'not_undoable' }
  })
}

async function getBefore(tx: Tx, markId: string): Promise<Attendance> {
  return rowsOf(tx).one(sql<Attendance>`
    select m.arrived_before as "arrivedAt", m.left_before as "leftAt", m.no_show_before as "noShow"
    from attendance_mark m where m.id = ${markId}::uuid`)
}
