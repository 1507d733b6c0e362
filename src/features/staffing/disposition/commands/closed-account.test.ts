import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import type { Problem } from '#platform/http/problem.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type Target = Parameters<typeof moveOnBoard>[1]['to']

describe('a person whose account is closed', async () => {
  const world = await openWorld()
  const at = (hours: number) => new Date(world.now.getTime() + hours * 3_600_000).toISOString()
  const addShift = async (start: number, end: number) =>
    (await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{ start: at(start), end: at(end) }] })).shifts[0]!
  const move = async (shiftId: number, to: Target, who = ANN) => {
    const outcome = await moveOnBoard(contextAs(world, PAUL), { shiftId, who: { kind: 'local', id: who.id }, to }).catch(
      (error: Problem) => ({ ok: false as const, reasons: [{ code: error.code }] }),
    )
    return outcome.ok ? 'saved' : outcome.reasons.map(({ code }) => code).join()
  }
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.updateTable('user_profile').set({ is_active: false }).where('id', '=', ANN.id).execute()
  })

  const CASES: [what: string, span: [number, number], before: State | undefined, to: Target, expected: string][] = [
    ['is not known to a shift without them', [24, 30], undefined, STATE.confirmed, 'not_found'],
    ['does not return to a shift that goes on', [-1, 1], STATE.declinedByUser, STATE.confirmed, 'account_closed'],
    ['does not return after a decline', [24, 30], STATE.declinedByUser, STATE.confirmed, 'account_closed'],
    ['does not return after a rejection', [24, 30], STATE.rejectedByResponsible, STATE.requested, 'account_closed'],
    ['is confirmed after a request', [24, 30], STATE.requested, STATE.confirmed, 'saved'],
    ['becomes a request again', [24, 30], STATE.confirmed, STATE.requested, 'saved'],
    ['is rejected', [24, 30], STATE.confirmed, STATE.rejectedByResponsible, 'saved'],
    ['returns to a shift that is over', [-30, -24], STATE.rejectedByResponsible, STATE.confirmed, 'saved'],
    ['returns to a shift that ends now', [-2, 0], STATE.declinedByUser, STATE.confirmed, 'saved'],
  ]
  for (const [what, [start, end], before, to, expected] of CASES)
    test(`${what}: ${expected}`, async () => {
      const shift = await addShift(start, end)
      if (before !== undefined) await world.addParticipation({ who: ANN, shift, state: before })
      assert.equal(await move(shift, to), expected)
      assert.equal(await move(shift, STATE.confirmed, BEN), 'saved')
    })
})
