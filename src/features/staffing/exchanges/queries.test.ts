import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { offerKinds } from '#features/staffing/waiting-list/points.ts'
import { getOfferByLink, makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import {
  findDue,
  findEntries,
  findWaiting,
  getOpenEntry,
  getPosition,
} from '#features/staffing/waiting-list/queries/waiting-list.ts'
import type { OfferLink } from '#features/staffing/waiting-list/rules/links.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { ANN, BEN, PAUL, type Person } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import type { SwapByLink } from './queries/offered.ts'
import { findStandInsOf, getOpenStandIn, getStandIn } from './queries/stand-in.ts'
import { findSwapsOf } from './queries/swap.ts'

const at = (hour: number) => new Date(`2031-05-01T${String(hour).padStart(2, '0')}:00:00Z`)

describe('what is read about offers', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, dora, pia } = swaps
  const { write } = world.db
  const { keyring } = world.app.site
  beforeEach(async () => {
    await swaps.clear()
    await write.deleteFrom('waiting_line').execute()
  })
  const wait = async (shift: number, person: Person, values: object = {}) =>
    (
      await write
        .insertInto('waiting_entry')
        .values({ shift_id: shift, user_id: person.id, since: at(8), ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const searchOf = async (shift: number, person: Person, place: number, values: object = {}) =>
    (
      await write
        .insertInto('stand_in')
        .values({ shift_id: shift, user_id: person.id, participation_id: place, message: 'ill', created_at: at(8), ...values })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id

  describe('waiting lists', () => {
    test('positions count those who came before and still wait, in this shift', async () => {
      const { shift } = await swaps.addShift(ANN)
      const other = await swaps.addShift(ANN)
      await wait(other.shift, pia, { since: at(1) })
      await wait(shift, pia, { since: at(2), state: 'withdrawn' })
      const offered = await wait(shift, cem, { since: at(3), state: 'offered', offered_at: at(4), offered_until: at(20) })
      const first = await wait(shift, dora, { since: at(5) })
      const second = await wait(shift, BEN, { since: at(5) })
      assert.deepEqual(
        [await getPosition(write, offered), await getPosition(write, first), await getPosition(write, second)],
        [1, 2, 3],
      )
      assert.deepEqual(await findWaiting(write, shift, 9), [
        { id: first, userId: dora.id },
        { id: second, userId: BEN.id },
      ])
      assert.deepEqual(await findWaiting(write, shift, 1), [{ id: first, userId: dora.id }])
      assert.equal((await getOpenEntry(write, shift, cem.id))?.id, offered)
      assert.equal(await getOpenEntry(write, shift, pia.id), undefined)
      assert.equal(await getOpenEntry(write, other.shift, cem.id), undefined)
    })

    test('planners see every entry with its offer, who made it and why', async () => {
      const { shift } = await swaps.addShift(ANN)
      const offer = {
        state: 'offered',
        offered_at: at(9),
        offered_until: at(20),
        offered_by_id: PAUL.id,
        reason: 'speaks Turkish',
      }
      const gone = await wait(shift, pia, { since: at(1), state: 'expired', offered_at: at(2), offered_until: at(3) })
      const waiting = await wait(shift, dora, { since: at(9), passed_over: 'conflict' })
      const offered = await wait(shift, cem, { since: at(8), ...offer })
      const plain = { offeredUntil: null, passedOver: null, offeredBy: null, reason: '' }
      assert.deepEqual(await findEntries(write, shift), [
        {
          ...plain,
          id: offered,
          userId: cem.id,
          name: 'Cem',
          since: at(8),
          state: 'offered',
          offeredUntil: at(20),
          offeredBy: PAUL.name,
          reason: 'speaks Turkish',
        },
        { ...plain, id: waiting, userId: dora.id, name: 'Dora', since: at(9), state: 'waiting', passedOver: 'conflict' },
        { ...plain, id: gone, userId: pia.id, name: 'Pia', since: at(1), state: 'expired', offeredUntil: at(3) },
      ])
    })

    test('are due with an offer that has ended, or when a place became free', async () => {
      const ended = await swaps.addShift(ANN)
      const later = await swaps.addShift(ANN)
      const free = await swaps.addShift(ANN)
      const quiet = await swaps.addShift(ANN)
      const offer = { state: 'offered', offered_at: at(1) }
      await wait(ended.shift, cem, { ...offer, offered_until: at(10) })
      await wait(later.shift, cem, { ...offer, offered_until: at(11) })
      await wait(quiet.shift, cem, { state: 'expired', offered_at: at(1), offered_until: at(2) })
      await write
        .insertInto('waiting_line')
        .values([
          { shift_id: free.shift, is_due: true },
          { shift_id: quiet.shift, is_due: false },
        ])
        .execute()
      const due = ({ shift, eventId }: typeof ended) => ({ shiftId: shift, eventId })
      assert.deepEqual(await findDue(write, at(10)), [due(ended), due(free)])
      assert.deepEqual(await findDue(write, new Date(at(10).getTime() - 1)), [due(free)])
    })
  })

  describe('links', () => {
    const kinds = world.app.site.added(offerKinds)
    const openToken = async (token: string) => (await getOfferByLink(write, { keyring, kinds }, token))?.offer
    const open = (link: OfferLink) => openToken(makeOfferToken(keyring, link))
    /** Tokens of the same row for another person, shift or kind. */
    const assertOnlyOwn = async (link: OfferLink, others: Partial<OfferLink>[]) => {
      for (const other of others) assert.equal(await open({ ...link, ...other }), undefined, JSON.stringify(other))
      const token = makeOfferToken(keyring, link)
      assert.equal(await openToken(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`), undefined)
      assert.equal(await openToken('nonsense'), undefined)
    }
    const setActive = (person: Person, is_active: boolean) =>
      write.updateTable('user_profile').set({ is_active }).where('id', '=', person.id).execute()

    test('to an offered place say what it is, for whom and until when', async () => {
      const { shift, eventId } = await swaps.addShift(ANN)
      const id = await wait(shift, cem, { state: 'offered', offered_at: at(9), offered_until: at(20) })
      const link = { kind: 'waiting_list', id, userId: cem.id, shiftId: shift } as const
      const found = (await open(link))!
      const { actor, ...rest } = found
      assert.deepEqual(rest, { ...link, eventId, state: 'offered', since: at(8), offeredUntil: at(20), isActive: true })
      assert.deepEqual([actor.userId, actor.displayName], [cem.id, 'Cem'])
      await assertOnlyOwn(link, [
        { userId: dora.id },
        { shiftId: shift + 1 },
        { id: id + 1 },
        { kind: 'swap' },
        { kind: 'stand_in' },
      ])
      await setActive(cem, false)
      assert.equal((await open(link))?.isActive, false)
      await setActive(cem, true)
    })

    test('to a search say who searches, with the message and the answer', async () => {
      const { shift, eventId, place } = await swaps.addShift(ANN)
      const standInId = await searchOf(shift, ANN, place)
      const { id } = await write
        .insertInto('stand_in_person')
        .values({ stand_in_id: standInId, user_id: cem.id, asked_at: at(9), answer: 'no' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const link = { kind: 'stand_in', id, userId: cem.id, shiftId: shift } as const
      const { actor, ...rest } = (await open(link))!
      const start = new Date('2031-05-20T08:00:00Z')
      assert.deepEqual(rest, {
        ...link,
        standInId,
        eventId,
        state: 'open',
        answer: 'no',
        start,
        seeker: 'Ann',
        message: 'ill',
        isTaker: false,
        isActive: true,
      })
      assert.equal(actor.userId, cem.id)
      await assertOnlyOwn(link, [{ userId: ANN.id }, { shiftId: shift + 1 }, { id: id + 1 }, { kind: 'waiting_list' }])
    })

    test('to a swap lead to the place that the person would get', async () => {
      const { ann, cem: fair } = await swaps.addPair()
      const id = await swaps.propose(ann, fair, 'please')
      const link = { kind: 'swap', id, userId: cem.id, shiftId: ann.shift } as const
      const found = (await open(link)) as SwapByLink
      assert.deepEqual(
        [found.eventId, found.swap.message, found.isActive, found.actor.userId],
        [ann.eventId, 'please', true, cem.id],
      )
      await assertOnlyOwn(link, [{ userId: ANN.id }, { shiftId: fair.shift }, { id: id + 1 }, { kind: 'waiting_list' }])
      await setActive(cem, false)
      assert.equal((await open(link))?.isActive, false)
      await setActive(cem, true)
    })
  })

  describe('searches', () => {
    test('are open while somebody is looked for or found, by person and shift', async () => {
      const { shift, place, eventId } = await swaps.addShift(ANN)
      const other = await swaps.addShift(ANN)
      const old = await searchOf(shift, ANN, place, { state: 'cancelled' })
      assert.equal(await getOpenStandIn(write, shift, ANN.id), undefined)
      const id = await searchOf(shift, ANN, place)
      assert.deepEqual(await getOpenStandIn(write, shift, ANN.id), {
        id,
        shiftId: shift,
        eventId,
        participationId: place,
        userId: ANN.id,
        state: 'open',
        message: 'ill',
        takenBy: null,
        start: new Date('2031-05-20T08:00:00Z'),
        end: new Date('2031-05-20T14:00:00Z'),
        waveSize: 100,
        nextAt: null,
        asked: 0,
        people: 0,
      })
      assert.equal(await getOpenStandIn(write, other.shift, ANN.id), undefined)
      assert.equal(await getOpenStandIn(write, shift, cem.id), undefined)
      const asked = [cem, dora].map(({ id: user_id }) => ({ stand_in_id: id, user_id, asked_at: at(9) }))
      await write.insertInto('stand_in_person').values(asked).execute()
      await write
        .updateTable('stand_in')
        .set({ state: 'found', taken_by_id: cem.id, taken_at: at(10) })
        .where('id', '=', id)
        .execute()
      const found = (await getOpenStandIn(write, shift, ANN.id))!
      assert.deepEqual([found.id, found.takenBy, found.asked], [id, cem.id, 2])
      assert.equal((await getStandIn(write, old))?.asked, 0)
      assert.deepEqual(
        (await findStandInsOf(write, shift)).map((row) => [row.id, row.name, row.takenByName]),
        [
          [id, 'Ann', 'Cem'],
          [old, 'Ann', null],
        ],
      )
      assert.deepEqual(await findStandInsOf(write, other.shift), [])
    })
  })

  test('planners see swaps of either shift, the newest first, and whether they know each event', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const second = await swaps.addShift(dora, { start: '2031-05-23T08:00:00Z', end: '2031-05-23T09:00:00Z', planner: pia })
    const first = await swaps.propose(ann, fair)
    const later = await swaps.propose(ann, second)
    const see = async (person: Person, shift: number) =>
      (await findSwapsOf({ ...swaps.as(person), words: wordsFor('en', 'UTC') }, shift)).map(({ id, knows }) => [id, knows])
    const onlyOwn = { proposer: true, other: false }
    assert.deepEqual(await see(PAUL, ann.shift), [
      [later, onlyOwn],
      [first, onlyOwn],
    ])
    assert.deepEqual(await see(pia, fair.shift), [[first, { proposer: false, other: true }]])
    assert.deepEqual(await see(cem, second.shift), [[later, { proposer: true, other: true }]])
  })
})
