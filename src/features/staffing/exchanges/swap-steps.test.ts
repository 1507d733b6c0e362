import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { untilSomebodyWaits } from '#test/support/locks.ts'
import { ANN, PAUL, type Person } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import { answerSwap, deleteSwapsOf, endSwaps, proposeSwap, withdrawSwap } from './commands/swap.ts'
import { decideSwap, undoSwap } from './commands/swap-decisions.ts'
import { getPlace } from './queries/stand-in.ts'
import { findOpenSwaps, findPlacesToSwap, getSwap } from './queries/swap.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RED = { dispatched_team_uuid: 'a0000000-0000-4000-8000-000000000001' }
const BLUE = { dispatched_team_uuid: 'a0000000-0000-4000-8000-000000000002' }

describe('steps of a swap', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, dora, pia } = swaps
  const { write } = world.db
  const as = (person: Person, later = 0) => swaps.as(person, later)
  const job = (later = 0) => ({ ...as(PAUL, later), actor: ANONYMOUS })
  const until = (time: string) => Date.parse(time) - world.now.getTime()
  const yes = async (swapId: number, later = 0) => (await answerSwap(as(cem, later), { swapId, answer: 'yes' })).kind
  const proposal = (shift: number, placeId: number, later = 0) =>
    proposeSwap(as(ANN, later), { shiftId: shift, placeId, message: '' })
  const codeOf = async (outcome: ReturnType<typeof proposal>) => {
    const result = await outcome
    return result.ok ? 'ok' : result.code
  }
  const placeOf = async (shift: number, person: Person) => {
    const { state, individualStart, individualEnd, structureData } = (await getPlace(write, shift, person.id))!
    return { state, start: individualStart?.toISOString(), end: individualEnd?.toISOString(), structureData }
  }
  const log = (kind: string) =>
    write
      .selectFrom('journal')
      .select(['subject_id', 'event_id', 'changes'])
      .where('kind', '=', `shift.swap_${kind}`)
      .orderBy('id')
      .execute()
  const usersTold = async (kind: string) => (await log(kind)).map(({ changes }) => (changes as { users: number[] }).users)
  const closeSignUp = (shift: number) =>
    write
      .updateTable('shift')
      .set({ signup_flow_configuration: JSON.stringify({ signup_until: '2031-05-01T09:00:00Z' }) })
      .where('id', '=', shift)
      .execute()
  beforeEach(async () => {
    await swaps.clear()
    await write.deleteFrom('journal').where('kind', 'like', 'shift.swap%').execute()
  })

  test('each gets the times and the team of the other, and an undo gives them back', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const set = (id: number, start: string, end: string, team: object) =>
      write
        .updateTable('participation')
        .set({ individual_start_time: new Date(start), individual_end_time: new Date(end), structure_data: JSON.stringify(team) })
        .where('id', '=', id)
        .execute()
    const mine = { start: '2031-05-20T09:00:00.000Z', end: '2031-05-20T13:00:00.000Z' }
    const theirs = { start: '2031-05-21T10:00:00.000Z', end: '2031-05-21T12:00:00.000Z' }
    await set(ann.place, mine.start, mine.end, RED)
    await set(fair.place, theirs.start, theirs.end, BLUE)
    const id = await swaps.propose(ann, fair)
    assert.equal(await yes(id), 'swapped')
    const state = async () => [
      await placeOf(ann.shift, cem),
      await placeOf(fair.shift, ANN),
      await placeOf(ann.shift, ANN),
      await placeOf(fair.shift, cem),
    ]
    assert.deepEqual(await state(), [
      { state: 1, ...mine, structureData: RED },
      { state: 1, ...theirs, structureData: BLUE },
      { state: 2, ...mine, structureData: RED },
      { state: 2, ...theirs, structureData: BLUE },
    ])
    assert.equal(await undoSwap(as(PAUL), { shiftId: ann.shift, swapId: id }), true)
    assert.deepEqual(
      (await state()).map((place) => place.state),
      [2, 2, 1, 1],
    )
    assert.deepEqual((await state()).slice(2), [
      { state: 1, ...mine, structureData: RED },
      { state: 1, ...theirs, structureData: BLUE },
    ])
    assert.deepEqual(await usersTold('undone'), [[ANN.id, cem.id], []])
  })

  test('a place whose shift has begun is not swapped', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const begin = until('2031-05-20T08:00:00Z')
    assert.equal(await codeOf(proposal(ann.shift, fair.place, begin)), 'begun')
    await world.addParticipation({ who: dora, shift: ann.shift, state: 0 })
    assert.deepEqual(await proposeSwap(as(dora), { shiftId: ann.shift, placeId: fair.place, message: '' }), {
      ok: false,
      code: 'no_place',
    })
    assert.equal(await codeOf(proposal(ann.shift, fair.place, begin - 1)), 'ok')
  })

  test('accepted proposals count as open ones, up to five', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    assert.equal(await yes(await swaps.propose(ann, fair)), 'swap_accepted')
    const other = (day: number) => swaps.addShift(dora, { start: `2031-06-0${day}T08:00:00Z`, end: `2031-06-0${day}T09:00:00Z` })
    for (const day of [1, 2, 3, 4]) assert.equal(await codeOf(proposal(ann.shift, (await other(day)).place)), 'ok')
    assert.equal(await codeOf(proposal(ann.shift, (await other(5)).place)), 'too_many')
  })

  test('nothing is proposed to a person who cannot take the place', async () => {
    const { ann, cem: fair } = await swaps.addPair({}, { configuration: { maximum_number_of_participants: 1, minimum_age: 60 } })
    await write.updateTable('user_profile').set({ date_of_birth: '2001-01-01' }).where('id', '=', cem.id).execute()
    assert.equal(await codeOf(proposal(ann.shift, fair.place)), 'other_cannot')
  })

  test('a proposal ends when the first of the two shifts closes, also if it is the own one', async () => {
    const { ann, cem: fair } = await swaps.addPair({}, { flowConfiguration: { signup_until: '2031-05-08T08:00:00Z' } })
    const id = await swaps.propose(ann, fair, 'my sister marries')
    const row = await write.selectFrom('swap').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.expires_at, row.message], [new Date('2031-05-08T08:00:00Z'), 'my sister marries'])
    const open = async (later: number, of: { eventId?: number; shiftId?: number } = {}, person: Person = cem) =>
      (await findOpenSwaps(write, person.id, { now: as(cem, later).now, ...of })).map((swap) => swap.id)
    const end = until('2031-05-08T08:00:00Z')
    assert.deepEqual(await open(end - 1), [id])
    assert.deepEqual(await open(end), [])
    assert.deepEqual(await open(0, {}, dora), [])
    assert.deepEqual(await open(0, { eventId: fair.eventId }), [id])
    assert.deepEqual(await open(0, { eventId: ann.eventId }), [], 'Cem has no place there')
    assert.deepEqual(await open(0, { shiftId: ann.shift }, ANN), [id])
    assert.deepEqual(await open(0, { shiftId: fair.shift }, ANN), [])
    assert.equal(await yes(id, end), 'swap_expired')
    assert.equal(await yes(id, end - 1), 'swapped')
  })

  test('the other person is told of a withdrawal once they have accepted', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    assert.equal(await withdrawSwap(as(ANN), await swaps.propose(ann, fair)), true)
    const accepted = await swaps.propose(ann, fair)
    await yes(accepted)
    assert.equal(await withdrawSwap(as(ANN), accepted), true)
    assert.equal(await swaps.stateOf(accepted), 'withdrawn')
    assert.deepEqual(await usersTold('withdrawn'), [[], [cem.id]])
  })

  test('planners decide what both people want, and nothing that is not answered, or not accepted any more', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    const decide = async (agrees: boolean) => (await decideSwap(as(PAUL), { shiftId: ann.shift, swapId: id, agrees })).kind
    for (const state of ['open', 'declined', 'withdrawn', 'refused', 'expired', 'done', 'undone']) {
      await write.updateTable('swap').set({ state }).where('id', '=', id).execute()
      assert.deepEqual([await decide(true), await decide(false)], ['gone', 'gone'], state)
      const { decided_at } = await write.selectFrom('swap').select('decided_at').where('id', '=', id).executeTakeFirstOrThrow()
      assert.deepEqual([await swaps.stateOf(id), decided_at], [state, null])
    }
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
  })

  test('a proposal is declined once, however often the answer is sent', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    const no = async (later: number) => (await answerSwap(as(cem, later), { swapId: id, answer: 'no' })).kind
    assert.deepEqual([await no(1000), await no(2000)], ['swap_declined', 'swap_declined'])
    const row = await write.selectFrom('swap').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.answered_at], ['declined', as(cem, 1000).now])
    assert.deepEqual(await usersTold('declined'), [[ANN.id]])
  })

  test('an answer after swaps were switched off, or sign-up was closed, changes nothing', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await write.updateTable('setting').set({ value: '"off"' }).where('name', '=', 'stand_ins').execute()
    assert.equal(await yes(id), 'swap_gone')
    await write.updateTable('setting').set({ value: '"at_once"' }).where('name', '=', 'stand_ins').execute()
    await closeSignUp(fair.shift)
    assert.equal(await yes(id), 'swap_expired')
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
  })

  test('planners agree after sign-up was closed, and each decision says whose it was and when', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await yes(id)
    await closeSignUp(ann.shift)
    const decisions = async () => {
      const row = await write.selectFrom('swap').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      return [row.decided_by_id, row.decided_at, row.other_decided_by_id, row.other_decided_at]
    }
    assert.deepEqual(await decideSwap(as(pia, 1000), { shiftId: fair.shift, swapId: id, agrees: true }), { kind: 'agreed' })
    assert.deepEqual(await decisions(), [null, null, pia.id, as(pia, 1000).now])
    assert.deepEqual(
      (await log('agreed')).map(({ subject_id, event_id }) => [subject_id, event_id]),
      [[fair.shift, fair.eventId]],
    )
    assert.deepEqual(await decideSwap(as(PAUL, 2000), { shiftId: ann.shift, swapId: id, agrees: true }), { kind: 'done' })
    assert.deepEqual(await decisions(), [PAUL.id, as(PAUL, 2000).now, pia.id, as(pia, 1000).now])
    assert.deepEqual(
      (await log('done')).map(({ subject_id, changes }) => [subject_id, (changes as { users: number[] }).users]),
      [
        [ann.shift, [ANN.id, cem.id]],
        [fair.shift, []],
      ],
      'in the logs of both events',
    )
  })

  test('a conflict that came up since prevents the agreement', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await yes(id)
    await swaps.addShift(cem, { start: '2031-05-20T09:00:00Z', end: '2031-05-20T10:00:00Z' })
    await decideSwap(as(pia), { shiftId: fair.shift, swapId: id, agrees: true })
    const outcome = await decideSwap(as(PAUL), { shiftId: ann.shift, swapId: id, agrees: true })
    assert.deepEqual(outcome.kind === 'not_possible' && outcome.reasons.map(({ code }) => code), ['conflict'])
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
  })

  for (const [which, times] of [
    ['the first', {}],
    ['the second', { start: '2031-05-19T08:00:00Z', end: '2031-05-19T14:00:00Z' }],
  ] as const)
    test(`an exchange is undone until ${which} of its shifts begins`, async () => {
      const { ann, cem: fair } = await swaps.addPair(times)
      const id = await swaps.propose(ann, fair)
      await yes(id)
      const begin = until(times.start ?? '2031-05-20T08:00:00Z')
      const undo = (later: number) => undoSwap(as(PAUL, later), { shiftId: ann.shift, swapId: id })
      assert.equal(await undo(begin), false)
      await assert.rejects(undoSwap(as(dora), { shiftId: ann.shift, swapId: id }), { code: 'not_found' })
      assert.equal(await undo(begin - 1), true)
    })

  test('an exchange within one event is in its log once', async () => {
    const { id: eventId, shifts } = await world.addEvent({
      seenBy: [swaps.group],
      responsible: [PAUL],
      shifts: ['20', '21'].map((day) => ({
        start: `2031-05-${day}T08:00:00Z`,
        end: `2031-05-${day}T14:00:00Z`,
        flow: 'instant_confirmation',
        configuration: { maximum_number_of_participants: 1 },
      })),
    })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    const place = await world.addParticipation({ who: cem, shift: shifts[1]!, state: 1 })
    await transact(write, (tx) => refreshStatistics(tx, shifts))
    assert.equal(await yes(await swaps.propose({ shift: shifts[0]! }, { place })), 'swapped')
    assert.deepEqual(
      (await log('done')).map(({ event_id, subject_id }) => [event_id, subject_id]),
      [[eventId, shifts[0]]],
    )
  })

  for (const which of ['ann', 'cem'] as const)
    test(`a proposal ends when the event of ${which} is cancelled`, async () => {
      const pair = await swaps.addPair()
      const id = await swaps.propose(pair.ann, pair.cem)
      await endSwaps(job())
      assert.equal(await swaps.stateOf(id), 'open')
      const values = { cancelled_at: world.now, cancellation_reason: 'storm' }
      await write.updateTable('event').set(values).where('id', '=', pair[which].eventId).execute()
      await endSwaps(job())
      assert.equal(await swaps.stateOf(id), 'expired')
      assert.deepEqual(await usersTold('ended'), [[ANN.id]])
    })

  test('a proposal ends at its time, and tells the other person if they had accepted', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await yes(id)
    const begin = until('2031-05-20T08:00:00Z')
    await endSwaps(job(begin - 1))
    assert.equal(await swaps.stateOf(id), 'accepted')
    await endSwaps(job(begin))
    assert.equal(await swaps.stateOf(id), 'expired')
    assert.deepEqual(await usersTold('ended'), [[ANN.id, cem.id]])
  })

  test('a proposal that two workers end at the same time ends once', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    await swaps.propose(ann, fair)
    const values = { cancelled_at: world.now, cancellation_reason: 'storm' }
    await write.updateTable('event').set(values).where('id', '=', ann.eventId).execute()
    const { both } = await transact(write, async (tx) => {
      await tx.selectFrom('event').select('id').where('id', 'in', [ann.eventId, fair.eventId]).forUpdate().execute()
      const both = Promise.all([endSwaps(job()), endSwaps(job())])
      await untilSomebodyWaits(world.db.read, 2)
      return { both }
    })
    await both
    assert.deepEqual(await usersTold('ended'), [[ANN.id]])
  })

  test('a proposal ends with a shift that was moved to an earlier time', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await write
      .updateTable('swap')
      .set({ expires_at: new Date('2031-05-20T12:00:00Z') })
      .where('id', '=', id)
      .execute()
    const begin = new Date('2031-05-20T08:00:00Z')
    assert.deepEqual((await getSwap(write, id))?.expiresAt, begin)
    const openAt = async (at: number) => (await findOpenSwaps(write, ANN.id, { now: new Date(at) })).length
    assert.deepEqual([await openAt(begin.getTime() - 1), await openAt(begin.getTime())], [1, 0])
    await endSwaps(job(until('2031-05-20T08:00:00Z')))
    assert.equal(await swaps.stateOf(id), 'expired')
  })

  test('the deletion of either person deletes the proposal, and no other', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const run = await swaps.addShift(dora, { start: '2031-05-23T08:00:00Z', end: '2031-05-23T14:00:00Z' })
    const first = await swaps.propose(ann, fair)
    const second = await swaps.propose(ann, run)
    const left = async () => (await write.selectFrom('swap').select('id').orderBy('id').execute()).map(({ id }) => id)
    await transact(write, (tx) => deleteSwapsOf(tx, cem.id))
    assert.deepEqual(await left(), [second])
    assert.ok(second > first)
    await transact(write, (tx) => deleteSwapsOf(tx, ANN.id))
    assert.deepEqual(await left(), [])
  })

  describe('a place of another person is not offered', () => {
    type Pair = Awaited<ReturnType<SwapWorld['addPair']>>
    const placesOf = async ({ ann }: Pair) => {
      const place = await getPlace(write, ann.shift, ANN.id)
      return findPlacesToSwap(as(ANN), { ...place!, eventId: ann.eventId })
    }
    const options = async (pair: Pair) => (await placesOf(pair)).map(({ userId }) => userId)
    const person = (values: object) => write.updateTable('user_profile').set(values).where('id', '=', cem.id).execute()
    const event = (id: number, values: object) => write.updateTable('event').set(values).where('id', '=', id).execute()
    const move = (id: number, ms: number) => {
      const start = new Date(ms)
      const values = { meeting_time: start, start_time: start, end_time: new Date(ms + HOUR_MS) }
      return write.updateTable('shift').set(values).where('id', '=', id).execute()
    }
    for (const [why, hide, back] of [
      ['if their profile is hidden', () => person({ is_visible: false }), () => person({ is_visible: true })],
      ['if their account is closed', () => person({ is_active: false }), () => person({ is_active: true })],
      ['in a draft', ({ cem: fair }: Pair) => event(fair.eventId, { active: false }), undefined],
      [
        'in an event that the caller does not see',
        ({ cem: fair }: Pair) => write.deleteFrom('event_group_grant').where('event_id', '=', fair.eventId).execute(),
        undefined,
      ],
      [
        'if it follows another shift',
        ({ cem: fair }: Pair) =>
          write.updateTable('shift').set({ signup_flow_slug: 'coupled' }).where('id', '=', fair.shift).execute(),
        undefined,
      ],
      ...([0, 2, 3] as const).map(
        (state) =>
          [
            `if it is not confirmed (state ${state})`,
            ({ cem: fair }: Pair) =>
              write.updateTable('participation').set({ state }).where('shift_id', '=', fair.shift).execute(),
            undefined,
          ] as const,
      ),
      [
        'if the caller asked for a place there',
        ({ cem: fair }: Pair) => world.addParticipation({ who: ANN, shift: fair.shift, state: 0 }),
        undefined,
      ],
      [
        'if the other asked for a place in the own shift',
        ({ ann }: Pair) => world.addParticipation({ who: cem, shift: ann.shift, state: 0 }),
        undefined,
      ],
      [
        'if the other said that they cannot',
        () =>
          write
            .insertInto('day_period')
            .values({ user_id: cem.id, kind: 'cannot', first_day: '2031-05-20', last_day: '2031-05-20' })
            .execute(),
        () => write.deleteFrom('day_period').execute(),
      ],
    ] as const)
      test(why, async () => {
        const pair = await swaps.addPair()
        assert.deepEqual(await options(pair), [cem.id])
        await hide(pair)
        assert.deepEqual(await options(pair), [])
        await back?.()
      })

    test('more than 92 days ahead', async () => {
      const pair = await swaps.addPair()
      const limit = world.now.getTime() + 92 * DAY_MS
      await move(pair.cem.shift, limit)
      assert.deepEqual(await options(pair), [])
      await move(pair.cem.shift, limit - 1)
      assert.deepEqual(await options(pair), [cem.id])
    })

    test('if a shift of either is at the time of the new place; one that begins at its end does not matter', async () => {
      const pair = await swaps.addPair()
      await swaps.addShift(ANN, { start: '2031-05-21T14:00:00Z', end: '2031-05-21T15:00:00Z' })
      await swaps.addShift(cem, { start: '2031-05-20T07:00:00Z', end: '2031-05-20T08:00:00Z' })
      const isOffered = async () => (await placesOf(pair)).some(({ shiftId }) => shiftId === pair.cem.shift)
      assert.equal(await isOffered(), true)
      const { shift } = await swaps.addShift(ANN, { start: '2031-05-21T13:59:00Z', end: '2031-05-21T15:00:00Z' })
      assert.equal(await isOffered(), false)
      assert.equal(await codeOf(proposal(pair.ann.shift, pair.cem.place)), 'gone', 'it was never offered')
      await write.deleteFrom('participation').where('shift_id', '=', shift).execute()
      await swaps.addShift(cem, { start: '2031-05-20T07:00:00Z', end: '2031-05-20T08:01:00Z' })
      assert.equal(await isOffered(), false)
      assert.equal(await codeOf(proposal(pair.ann.shift, pair.cem.place)), 'gone')
    })

    test('after those that begin earlier, by name', async () => {
      const pair = await swaps.addPair()
      await swaps.addShift(dora, { start: '2031-05-19T08:00:00Z', end: '2031-05-19T14:00:00Z' })
      assert.deepEqual(await options(pair), [dora.id, cem.id])
    })
  })
})
