import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { customize, type Details, type MoveOutcome, signUp } from './sign-up.ts'

const codeOf = (outcome: MoveOutcome) => (outcome.ok ? outcome.to : outcome.reasons.map(({ code }) => code).join())
const LATER: Details = { times: { start: new Date('2031-05-04T08:30:00Z'), end: null } }

describe('a late change by a confirmed person', async () => {
  const world = await openWorld()
  const as = { ann: contextAs(world, ANN), paul: contextAs(world, PAUL) }
  beforeEach(() => world.db.write.deleteFrom('participation').execute())

  async function isConfirmed(wish: object, flow = 'request_confirm'): Promise<number> {
    const flowConfiguration = { user_can_decline_confirmed: true, ...wish }
    const shift = { start: '2031-05-04T08:00:00Z', end: '2031-05-04T12:00:00Z', flow, flowConfiguration }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [shift] })
    const shiftId = shifts[0]!
    await signUp(as.ann, { shiftId })
    await moveOnBoard(as.paul, { shiftId, who: { kind: 'local', id: ANN.id }, to: 1 })
    return shiftId
  }
  const change = async (shiftId: number, details: Details, now: string) =>
    codeOf(await customize({ ...as.ann, now: new Date(now) }, { shiftId, details }))

  test('becomes a request from the configured time before the start', async () => {
    const cases: [object, string, number][] = [
      [{ late_change_asks_again: 'P2D' }, '2031-05-02T07:59:59Z', 1],
      [{ late_change_asks_again: 'P2D' }, '2031-05-02T08:00:00Z', 0],
      [{ late_change_asks_again: null }, '2031-05-04T07:00:00Z', 1],
      [{ late_change_asks_again: '' }, '2031-05-04T07:00:00Z', 1],
      [{}, '2031-05-04T07:00:00Z', 1],
    ]
    for (const [configuration, now, to] of cases) {
      const shiftId = await isConfirmed(configuration)
      assert.equal(await change(shiftId, LATER, now), to, JSON.stringify([configuration, now]))
      await world.db.write.deleteFrom('participation').execute()
    }
  })

  test('counts as a request in the statistics and in the journal', async () => {
    const shiftId = await isConfirmed({ late_change_asks_again: 'P2D' })
    await change(shiftId, LATER, '2031-05-03T08:00:00Z')
    const query = world.db.read.selectFrom('shift').select(['event_id', 'requested_count', 'confirmed_count'])
    const shift = await query.where('id', '=', shiftId).executeTakeFirstOrThrow()
    assert.deepEqual([shift.requested_count, shift.confirmed_count], [1, 0])
    const entries = world.db.read.selectFrom('journal').select(['kind', 'changes']).where('event_id', '=', shift.event_id)
    const last = await entries.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    assert.deepEqual([last.kind, (last.changes as { state?: unknown }).state], ['participation.customized', [1, 0]])
  })

  test('is not late if only a comment is new', async () => {
    const shiftId = await isConfirmed({ late_change_asks_again: 'P2D' })
    const comment = { text: 'I bring cake', isPublic: false }
    const late = { ...as.ann, now: new Date('2031-05-03T08:00:00Z') }
    assert.equal(codeOf(await customize(late, { shiftId, comment })), 1)
    assert.equal(codeOf(await customize(late, { shiftId, details: { times: { start: null, end: null } } })), 1)
  })

  test('keeps the place in shifts with instant confirmation', async () => {
    const shiftId = await isConfirmed({ late_change_asks_again: 'P2D' }, 'instant_confirmation')
    assert.equal(await change(shiftId, LATER, '2031-05-03T08:00:00Z'), 1)
  })

  test('with an invalid configuration closes the shift', async () => {
    const shiftId = await isConfirmed({})
    const flowConfiguration = JSON.stringify({ user_can_decline_confirmed: true, late_change_asks_again: 'soon' })
    await world.db.write
      .updateTable('shift')
      .set({ signup_flow_configuration: flowConfiguration })
      .where('id', '=', shiftId)
      .execute()
    assert.match(String(await change(shiftId, LATER, '2031-05-03T08:00:00Z')), /configuration_broken/)
  })
})
