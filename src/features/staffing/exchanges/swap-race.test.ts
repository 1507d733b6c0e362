import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { BOARD_GUARD, saveBoard } from '#features/staffing/disposition/commands/board.ts'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import { ANN } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import { answerSwap, proposeSwap, withdrawSwap } from './commands/swap.ts'
import { MAX_OPEN_SWAPS } from './rules/swap.ts'

const NO_LOCKS: Guard = { ...GUARD, lockPeople: async () => {}, lockEvent: async () => true }

/**
 * The second command starts when the first has passed its checks. With the locks it waits for the end of the first; without them it
 * ends before the first writes.
 */
async function race<A, B>(
  locks: Guard,
  first: (guard: Guard) => Promise<A>,
  second: (guard: Guard) => Promise<B>,
): Promise<[A, B]> {
  let other: Promise<B> | undefined
  const one = await first({
    ...locks,
    checked: async () => {
      other = second(locks)
      if (locks === NO_LOCKS) await other
    },
  })
  return [one, await other!]
}

describe('swaps at the same time', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, dora, pia } = swaps
  const as = swaps.as.bind(swaps)
  const accept =
    (id: number, who = cem) =>
    async (guard: Guard) =>
      (await answerSwap(as(who), { swapId: id, answer: 'yes' }, guard)).kind
  beforeEach(() => swaps.clear())

  const twice = async (locks: Guard) => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    return race(locks, accept(id), accept(id))
  }
  test('a person who accepts twice at once swaps once', async () => assert.deepEqual(await twice(GUARD), ['swapped', 'answered']))
  test('without the locks, the exchange is made twice', async () =>
    assert.deepEqual(await twice(NO_LOCKS), ['swapped', 'swapped']))

  const withdrawn = async (locks: Guard) => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    const outcome = await race(locks, accept(id), (guard) => withdrawSwap(as(ANN), id, guard))
    return [...outcome, ...(await swaps.confirmed(ann.shift))]
  }
  test('a proposal that is withdrawn while it is accepted: the first one counts', async () =>
    assert.deepEqual(await withdrawn(GUARD), ['swapped', false, [cem.id]]))
  test('without the locks, a proposal that was withdrawn is carried out', async () =>
    assert.deepEqual(await withdrawn(NO_LOCKS), ['swapped', true, [cem.id]]))

  const sharing = async (locks: Guard) => {
    const { ann, cem: fair } = await swaps.addPair()
    const run = await swaps.addShift(dora, { start: '2031-05-23T08:00:00Z', end: '2031-05-23T14:00:00Z' })
    const first = await swaps.propose(ann, fair)
    const second = await swaps.propose(ann, run)
    const outcome = await race(locks, accept(first), accept(second, dora))
    return [...outcome, ...(await swaps.confirmed(ann.shift, fair.shift, run.shift))]
  }
  test('two proposals about the same place that are accepted at once: one is carried out', async () => {
    const before = await world.db.write.selectFrom('shift').select('id').execute()
    assert.deepEqual(await sharing(GUARD), ['swapped', 'swap_expired', [cem.id], [ANN.id], [dora.id]])
    const known = new Set(before.map(({ id }) => id))
    const wrong = await findWrongStatistics(world.db.write, world.now)
    assert.deepEqual(
      wrong.filter(({ id }) => !known.has(id)),
      [],
    )
  })
  test('without the locks, the shift has one person too many', async () =>
    assert.deepEqual(await sharing(NO_LOCKS), ['swapped', 'swapped', [cem.id, dora.id], [ANN.id], [ANN.id]]))

  const replanned = async (locks: Guard) => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    const cards = [{ who: { kind: 'local' as const, id: cem.id }, to: 3 as const }]
    const [outcome] = await race(locks, accept(id), (guard) =>
      saveBoard(as(pia), { shiftId: fair.shift, cards }, { ...BOARD_GUARD, ...guard }),
    )
    return [outcome, ...(await swaps.confirmed(ann.shift, fair.shift))]
  }
  test('a planner who changes one of the places meanwhile changes it after the exchange', async () =>
    assert.deepEqual(await replanned(GUARD), ['swapped', [cem.id], [ANN.id]]))
  test('without the locks, the decision of the planner is overwritten', async () => {
    const [outcome, , fair] = await replanned(NO_LOCKS)
    assert.deepEqual([outcome, fair], ['swapped', [ANN.id]])
    const { state } = await world.db.write
      .selectFrom('participation')
      .select('state')
      .where('user_id', '=', cem.id)
      .where('state', '<>', 1)
      .executeTakeFirstOrThrow()
    assert.equal(state, 2, 'Cem was rejected, and the exchange says that he left')
  })

  const proposed = async (locks: Guard) => {
    const { ann } = await swaps.addPair()
    const days = Array.from({ length: MAX_OPEN_SWAPS + 1 }, (_, index) => `2031-06-${String(index + 10)}`)
    const places: number[] = []
    for (const day of days)
      places.push((await swaps.addShift(dora, { start: `${day}T08:00:00Z`, end: `${day}T14:00:00Z` })).place)
    const propose = (placeId: number) => async (guard: Guard) => {
      const outcome = await proposeSwap(as(ANN), { shiftId: ann.shift, placeId, message: '' }, guard)
      return outcome.ok ? 'proposed' : outcome.code
    }
    const open = places.splice(0, MAX_OPEN_SWAPS - 1)
    for (const place of open) assert.equal(await propose(place)(GUARD), 'proposed')
    return race(locks, propose(places[0]!), propose(places[1]!))
  }
  test('two proposals at once, of which one is allowed: the other one is too many', async () =>
    assert.deepEqual(await proposed(GUARD), ['proposed', 'too_many']))
  test('without the locks, both are made', async () => assert.deepEqual(await proposed(NO_LOCKS), ['proposed', 'proposed']))

  test('a place that a planner has changed before is not swapped', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await saveBoard(as(pia), { shiftId: fair.shift, cards: [{ who: { kind: 'local', id: cem.id }, to: 3 }] })
    assert.equal(await accept(id)(GUARD), 'swap_expired')
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], []])
  })

  test('people and events are locked by id in either direction', async () => {
    const seen: string[] = []
    const noting: Guard = {
      ...GUARD,
      lockPeople: async (tx, people) => {
        seen.push('people')
        return GUARD.lockPeople(tx, people)
      },
      lockEvent: async (tx, id) => {
        seen.push(String(id))
        return GUARD.lockEvent(tx, id)
      },
    }
    const { ann, cem: fair } = await swaps.addPair()
    const early = await swaps.addShift(dora, { start: '2031-05-28T08:00:00Z', end: '2031-05-28T14:00:00Z' })
    // The place that is proposed is in the newer event, the one that is wanted in the older one.
    const late = await swaps.addShift(ANN, { start: '2031-05-29T08:00:00Z', end: '2031-05-29T14:00:00Z' })
    await accept(await swaps.propose(late, early), dora)(noting)
    assert.deepEqual(seen, ['people', String(early.eventId), String(late.eventId)])
    seen.length = 0
    await accept(await swaps.propose(ann, fair))(noting)
    assert.deepEqual(seen, ['people', String(ann.eventId), String(fair.eventId)])
  })
})
