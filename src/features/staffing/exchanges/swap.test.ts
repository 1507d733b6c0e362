import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, PAUL, type Person } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import { answerSwap, deleteSwapsOf, endSwaps, proposeSwap, withdrawSwap } from './commands/swap.ts'
import { decideSwap, undoSwap } from './commands/swap-decisions.ts'
import { getPlace } from './queries/stand-in.ts'
import { findPlacesToSwap } from './queries/swap.ts'
import { expiryOf, judgeSwapLink, reasonsAgainstSwap, rolesToAgree, type SwapState } from './rules/swap.ts'

const HOUR_MS = 3_600_000

describe('rules of swaps', () => {
  const now = new Date('2031-05-01T10:00:00Z')
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)

  const LINKS: [SwapState, number, ReturnType<typeof judgeSwapLink>][] = [
    ['open', 1, 'open'],
    ['open', 0, 'swap_expired'],
    ['accepted', 1, 'answered'],
    ['done', 1, 'answered'],
    ['declined', 1, 'declined'],
    ['declined', 0, 'answered'],
    ['withdrawn', 1, 'swap_gone'],
    ['refused', 1, 'swap_gone'],
    ['undone', 1, 'swap_gone'],
    ['expired', 1, 'swap_expired'],
  ]
  for (const [state, hours, verdict] of LINKS)
    test(`a link to a proposal that is ${state} and ends in ${hours} hours: ${verdict}`, () =>
      assert.equal(judgeSwapLink({ state, expiresAt: at(hours) }, now), verdict))

  const AGREEMENT: [Parameters<typeof rolesToAgree>[0], boolean, boolean, string[]][] = [
    ['at_once', false, false, []],
    ['at_once', true, false, ['proposer']],
    ['at_once', false, true, ['other']],
    ['planner', false, false, ['proposer', 'other']],
  ]
  for (const [mode, proposer, other, roles] of AGREEMENT)
    test(`${mode}, requests ${proposer}/${other}: the planners of ${roles.join(' and ') || 'no event'} agree`, () =>
      assert.deepEqual(rolesToAgree(mode, { proposer, other }), roles))

  test('a proposal ends with the first start or end of sign-up', () =>
    assert.deepEqual(
      expiryOf([
        { start: at(30), closesAt: at(20) },
        { start: at(40), closesAt: at(40) },
      ]),
      at(20),
    ))

  const judged = (...reasons: Reason[]) =>
    ({
      reasons: { 'sign-up': reasons, decline: [], customize: [], 'take-place': [] },
      shift: { structureSlug: 'uniform', structureConfiguration: {} },
      input: { people: [], blocks: new Map(), qualifications: new Map() },
      applicant: { skills: new Set() },
    }) as unknown as Candidacy
  const COUNTED: [Reason, boolean][] = [
    [{ code: 'full' }, false],
    [{ code: 'already_declined' }, false],
    [{ code: 'no_self_service', explanation: '' }, false],
    [{ code: 'not_open_yet', at: now }, false],
    [{ code: 'closed', at: now }, true],
    [{ code: 'rejected' }, true],
    [{ code: 'already_in' }, true],
    [{ code: 'follows_other_shift' }, true],
    [{ code: 'event_cancelled' }, true],
    [{ code: 'too_young', minimumAge: 18, from: now }, true],
  ]
  for (const [reason, counts] of COUNTED)
    test(`${reason.code} ${counts ? 'prevents' : 'does not prevent'} a swap`, () =>
      assert.equal(reasonsAgainstSwap(judged(reason), {}).length > 0, counts))
})

describe('swaps', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, dora, pia } = swaps
  const outbox = new NotificationOutbox(world)
  const as = (person: Person, later = 0) => swaps.as(person, later)
  const job = (later = 0) => ({ ...as(PAUL, later), actor: ANONYMOUS })
  beforeEach(() => swaps.clear())

  const optionsOf = async (person: Person, { shift, eventId }: { shift: number; eventId: number }) => {
    const place = await getPlace(world.db.write, shift, person.id)
    const found = await findPlacesToSwap(as(person), { ...place!, eventId })
    return found.map(({ userId }) => userId)
  }

  test('both get the place of the other with its times, the counters stay, and everybody is told', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    await world.db.write
      .updateTable('participation')
      .set({ individual_end_time: new Date('2031-05-21T12:00:00Z') })
      .where('id', '=', fair.place)
      .execute()
    assert.deepEqual(await optionsOf(ANN, ann), [cem.id])
    await outbox.clear()
    const id = await swaps.propose(ann, fair, 'my sister marries')
    assert.deepEqual(await optionsOf(ANN, ann), [], 'a person who was asked is not offered again')
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]], 'nothing changes before the answer')
    const [mail, ...more] = await outbox.deliver()
    assert.deepEqual([mail!.to, more.length], [cem.email, 0])
    assert.match(mail!.text, /Ann would like to have your shift .*Fair.*“my sister marries”[\s\S]*\/offered\/x/)
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'swapped' })
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    const place = await getPlace(world.db.write, fair.shift, ANN.id)
    assert.equal(place?.individualEnd?.toISOString(), '2031-05-21T12:00:00.000Z')
    const counts = await world.db.write
      .selectFrom('shift')
      .select(['confirmed_count', 'free'])
      .where('id', 'in', [ann.shift, fair.shift])
      .execute()
    assert.deepEqual(counts, [
      { confirmed_count: 1, free: 0 },
      { confirmed_count: 1, free: 0 },
    ])
    const told = (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject.split(':')[0]}`).sort()
    assert.deepEqual(told, [`${ANN.email} Swapped`, `${PAUL.email} Swap`, `${pia.email} Swap`].sort())
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'answered' })
  })

  test('two shifts at the same time can be swapped; another shift at that time prevents it for either', async () => {
    const same = { start: '2031-05-20T08:00:00Z', end: '2031-05-20T14:00:00Z' }
    const { ann, cem: fair } = await swaps.addPair(same)
    assert.deepEqual(await optionsOf(ANN, ann), [cem.id])
    const id = await swaps.propose(ann, fair)
    const third = await swaps.addShift(cem, { start: '2031-05-20T13:00:00Z', end: '2031-05-20T15:00:00Z' })
    const outcome = await answerSwap(as(cem), { swapId: id, answer: 'yes' })
    assert.deepEqual(outcome.kind === 'refused' && outcome.reasons.map(({ code }) => code), ['conflict'])
    await world.db.write.deleteFrom('participation').where('shift_id', '=', third.shift).execute()
    const mine = await swaps.addShift(ANN, { start: '2031-05-20T13:00:00Z', end: '2031-05-20T15:00:00Z' })
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'other_cannot' })
    assert.deepEqual(await optionsOf(ANN, ann), [])
    await world.db.write.deleteFrom('participation').where('shift_id', '=', mine.shift).execute()
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'swapped' })
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
  })

  test('qualifications and age are needed for the place of the other, not for any place', async () => {
    const medic = await world.addQualification('Medic')
    const teams = {
      structure: 'named_teams',
      configuration: {
        teams: [
          {
            uuid: 'a0000000-0000-4000-8000-000000000001',
            title: 'Medics',
            qualification: medic.id,
            min_count: null,
            max_count: 1,
          },
          { uuid: 'a0000000-0000-4000-8000-000000000002', title: 'Helpers', qualification: null, min_count: null, max_count: 5 },
        ],
        choose_preferred_team: false,
      },
    }
    const { ann, cem: fair } = await swaps.addPair(teams)
    await world.db.write
      .updateTable('participation')
      .set({ structure_data: JSON.stringify({ dispatched_team_uuid: 'a0000000-0000-4000-8000-000000000001' }) })
      .where('id', '=', fair.place)
      .execute()
    assert.deepEqual(await optionsOf(ANN, ann), [], 'Ann would fit another team, but not the place of Cem')
    const outcome = await proposeSwap(as(ANN), { shiftId: ann.shift, placeId: fair.place, message: '' })
    assert.deepEqual(!outcome.ok && outcome.code === 'refused' && outcome.reasons.map(({ code }) => code), ['not_qualified'])
    const { ann: first, cem: second } = await swaps.addPair({
      start: '2031-05-25T08:00:00Z',
      end: '2031-05-25T14:00:00Z',
      configuration: { maximum_number_of_participants: 1, minimum_age: 60 },
    })
    const young = await proposeSwap(as(ANN), { shiftId: first.shift, placeId: second.place, message: '' })
    assert.deepEqual(!young.ok && young.code === 'refused' && young.reasons.map(({ code }) => code), ['too_young'])
  })

  test('people whose names the caller may not see are neither listed nor can they be asked', async () => {
    const hidden = await world.addType({ title: 'Hidden', showParticipantData: 2 })
    const { ann, cem: fair } = await swaps.addPair({ type: hidden })
    assert.deepEqual(await optionsOf(ANN, ann), [])
    assert.deepEqual(await proposeSwap(as(ANN), { shiftId: ann.shift, placeId: fair.place, message: '' }), {
      ok: false,
      code: 'gone',
    })
    const page = await world.withSession(ANN).get(`/shifts/${ann.shift}/swap/`, { unchecked: true })
    assert.doesNotMatch(page.text, /Cem/)
    assert.equal((await world.withSession(ANN).get(`/shifts/${ann.shift}/swap/${fair.place}/`, { unchecked: true })).status, 404)
    // Ben has a place in an event that Ann sees, and does not see the event of Ann.
    const open = await swaps.addShift(BEN, { start: '2031-05-22T08:00:00Z', end: '2031-05-22T14:00:00Z' })
    assert.deepEqual(await proposeSwap(as(ANN), { shiftId: ann.shift, placeId: open.place, message: '' }), {
      ok: false,
      code: 'gone',
    })
  })

  test('the planners of both events agree, if the organisation wants that; one who refuses is enough', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const first = await swaps.propose(ann, fair)
    assert.deepEqual(await answerSwap(as(cem), { swapId: first, answer: 'yes' }), { kind: 'swap_accepted' })
    await assert.rejects(decideSwap(as(dora), { shiftId: ann.shift, swapId: first, agrees: true }))
    await assert.rejects(decideSwap(as(PAUL), { shiftId: fair.shift, swapId: first, agrees: true }), 'not his event')
    assert.deepEqual(await decideSwap(as(PAUL), { shiftId: ann.shift, swapId: first, agrees: true }), { kind: 'agreed' })
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    await outbox.clear()
    assert.deepEqual(await decideSwap(as(pia), { shiftId: fair.shift, swapId: first, agrees: false }), { kind: 'refused' })
    const refused = (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject.split(':')[0]}`).sort()
    assert.deepEqual(refused, [`${ANN.email} No swap`, `${cem.email} No swap`].sort())
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    const second = await swaps.propose(ann, fair)
    await answerSwap(as(cem), { swapId: second, answer: 'yes' })
    await outbox.clear()
    assert.deepEqual(await decideSwap(as(pia), { shiftId: fair.shift, swapId: second, agrees: true }), { kind: 'agreed' })
    assert.deepEqual(await decideSwap(as(PAUL), { shiftId: ann.shift, swapId: second, agrees: true }), { kind: 'done' })
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    const told = (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject.split(':')[0]}`).sort()
    assert.deepEqual(told, [`${ANN.email} Swapped`, `${cem.email} Swapped`, `${pia.email} Swap`].sort())
    assert.equal(await undoSwap(as(pia), { shiftId: fair.shift, swapId: second }), true)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    assert.equal(await undoSwap(as(pia), { shiftId: fair.shift, swapId: second }), false)
  })

  test('a shift with requests needs the agreement of its planners alone', async () => {
    const { ann, cem: fair } = await swaps.addPair({ flow: 'request_confirm' })
    const id = await swaps.propose(ann, fair)
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'swap_accepted' })
    assert.deepEqual(await decideSwap(as(pia), { shiftId: fair.shift, swapId: id, agrees: true }), { kind: 'done' })
  })

  test('an undo that would book a person twice is refused', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await answerSwap(as(cem), { swapId: id, answer: 'yes' })
    const other = await swaps.addShift(undefined)
    assert.ok((await signUp(as(ANN), { shiftId: other.shift })).ok, 'Ann is free on the day of her former shift')
    assert.equal(await undoSwap(as(PAUL), { shiftId: ann.shift, swapId: id }), false)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
  })

  test('a proposal ends when a place changes, when it is withdrawn, when sign-up closes, and with the setting', async () => {
    const { ann, cem: fair } = await swaps.addPair({ configuration: { maximum_number_of_participants: 1 } })
    const changed = await swaps.propose(ann, fair)
    await world.db.write
      .updateTable('participation')
      .set({ individual_end_time: new Date('2031-05-20T12:00:00Z') })
      .where('id', '=', ann.place)
      .execute()
    assert.equal(await swaps.stateOf(changed), 'expired')
    assert.deepEqual(await answerSwap(as(cem), { swapId: changed, answer: 'yes' }), { kind: 'swap_expired' })
    await outbox.clear()
    await endSwaps(job())
    await endSwaps(job())
    const told = (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject}`)
    assert.deepEqual(told, [`${ANN.email} No swap: Harbour run`], 'once')

    const withdrawn = await swaps.propose(ann, fair)
    await assert.rejects(withdrawSwap(as(dora), withdrawn))
    assert.equal(await withdrawSwap(as(ANN), withdrawn), true)
    assert.equal(await withdrawSwap(as(ANN), withdrawn), false)
    assert.deepEqual(await answerSwap(as(cem), { swapId: withdrawn, answer: 'yes' }), { kind: 'swap_gone' })

    const late = await swaps.propose(ann, fair)
    const begun = new Date('2031-05-20T08:00:00Z').getTime() - world.now.getTime()
    assert.deepEqual(await answerSwap(as(cem, begun), { swapId: late, answer: 'yes' }), { kind: 'swap_expired' })
    await endSwaps(job(begun))
    assert.equal(await swaps.stateOf(late), 'expired')

    await world.db.write.deleteFrom('setting').where('name', '=', 'stand_ins').execute()
    await world.db.write.insertInto('setting').values({ name: 'stand_ins', value: '"off"' }).execute()
    assert.deepEqual(await proposeSwap(as(ANN), { shiftId: ann.shift, placeId: fair.place, message: '' }), {
      ok: false,
      code: 'off',
    })
  })

  test('sign-up that closes before the shift ends the proposal', async () => {
    const { ann, cem: fair } = await swaps.addPair({
      flowConfiguration: { signup_until: '2031-05-10T08:00:00Z' },
    })
    const id = await swaps.propose(ann, fair)
    const { expires_at } = await world.db.write
      .selectFrom('swap')
      .select('expires_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(expires_at.toISOString(), '2031-05-10T08:00:00.000Z')
    const after = expires_at.getTime() - world.now.getTime() + HOUR_MS
    assert.deepEqual(await answerSwap(as(cem, after), { swapId: id, answer: 'yes' }), { kind: 'swap_expired' })
  })

  test('a person declines, and only the one who was asked can answer', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    assert.deepEqual(await answerSwap(as(dora), { swapId: id, answer: 'yes' }), { kind: 'swap_gone' })
    assert.deepEqual(await answerSwap(as(ANN), { swapId: id, answer: 'yes' }), { kind: 'swap_gone' })
    await outbox.clear()
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'no' }), { kind: 'swap_declined' })
    assert.deepEqual(
      (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject}`),
      [`${ANN.email} No swap: Harbour run`],
    )
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    const begun = as(cem, 90 * 24 * HOUR_MS)
    assert.deepEqual(await answerSwap(begun, { swapId: id, answer: 'yes' }), { kind: 'answered' })
    await outbox.clear()
    assert.deepEqual(await answerSwap(as(cem), { swapId: id, answer: 'yes' }), { kind: 'swapped' })
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    const told = (await outbox.deliver()).map(({ to, subject }) => `${to} ${subject}`)
    assert.ok(told.includes(`${ANN.email} Swapped: Harbour run`), told.join())
  })

  test('a proposal that has ended before its mail is sent is not mailed', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    await outbox.clear()
    const id = await swaps.propose(ann, fair)
    await withdrawSwap(as(ANN), id)
    assert.deepEqual(await outbox.deliver(), [])
  })

  test('the exchange ends other proposals about the same places, and at most five are open', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const run = await swaps.addShift(dora, { start: '2031-05-23T08:00:00Z', end: '2031-05-23T14:00:00Z' })
    const first = await swaps.propose(ann, fair)
    const second = await swaps.propose(ann, run)
    await answerSwap(as(cem), { swapId: first, answer: 'yes' })
    assert.equal(await swaps.stateOf(second), 'expired')
    const third = await swaps.addShift(ANN, { start: '2031-05-27T08:00:00Z', end: '2031-05-27T14:00:00Z' })
    for (let day = 0; day < 5; day++)
      await swaps.propose(
        third,
        await swaps.addShift(dora, { start: `2031-06-0${day + 1}T08:00:00Z`, end: `2031-06-0${day + 1}T09:00:00Z` }),
      )
    const sixth = await swaps.addShift(dora, { start: '2031-06-08T08:00:00Z', end: '2031-06-08T09:00:00Z' })
    assert.deepEqual(await proposeSwap(as(ANN), { shiftId: third.shift, placeId: sixth.place, message: '' }), {
      ok: false,
      code: 'too_many',
    })
  })

  test('a decline, or the deletion of one of the people, ends the proposal', async () => {
    const { ann, cem: fair } = await swaps.addPair({ flowConfiguration: { user_can_decline_confirmed: true } })
    const id = await swaps.propose(ann, fair)
    assert.ok((await decline(as(cem), { shiftId: fair.shift })).ok)
    assert.equal(await swaps.stateOf(id), 'expired')
    await world.db.write.transaction().execute((tx) => deleteSwapsOf(tx, cem.id))
    assert.equal((await world.db.write.selectFrom('swap').selectAll().execute()).length, 0)
  })
})
