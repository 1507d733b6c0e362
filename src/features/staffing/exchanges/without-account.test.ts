import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { joinWaitingList, leaveWaitingList, returnToWaitingList } from '#features/staffing/waiting-list/commands/join.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import { contextOf, GUEST, PARTNER, VISITOR } from '#test/support/command-context.ts'
import { openWorld } from '#test/support/world.ts'
import { cancelStandIn, seekStandIn } from './commands/search.ts'
import { answerStandIn } from './commands/stand-in.ts'
import { answerSwap, proposeSwap, withdrawSwap } from './commands/swap.ts'

describe('without an account, nobody', async () => {
  const world = await openWorld()
  const { shifts } = await world.addEvent({ shifts: [{}] })
  const shiftId = shifts[0]!
  const ACTORS: [who: string, actor: Actor][] = [
    ['a visitor', VISITOR],
    ['a guest', GUEST],
    ['a partner', PARTNER],
    ['somebody unknown', ANONYMOUS],
  ]
  for (const [who, actor] of ACTORS)
    test(`waits, searches or swaps: ${who}`, async () => {
      const context = contextOf(world, actor)
      for (const command of [
        async () => joinWaitingList(context, shiftId),
        async () => leaveWaitingList(context, shiftId),
        async () => returnToWaitingList(context, { shiftId, entryId: 1 }),
        async () => seekStandIn(context, { shiftId, message: '', size: 5, chosen: [] }),
        async () => cancelStandIn(context, shiftId),
        async () => proposeSwap(context, { shiftId, placeId: 1, message: '' }),
        async () => withdrawSwap(context, 1),
      ])
        await assert.rejects(command, { code: 'permission_denied' })
      assert.deepEqual(await answerStandIn(context, { standInId: 1, answer: 'yes' }), { kind: 'gone' })
      assert.deepEqual(await answerSwap(context, { swapId: 1, answer: 'yes' }), { kind: 'swap_gone' })
    })
})
