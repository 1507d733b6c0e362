import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { EventOptions } from '#test/support/fixtures.ts'
import { BEN, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findOwnShifts } from './shifts.ts'

const HOUR_MS = 3_600_000
const MANY = 50

describe('own shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const at = (hours: number) => new Date(world.now.getTime() + hours * HOUR_MS)
  const ownShiftsOf = (person: Person, limit = MANY) =>
    findOwnShifts({ ...contextAs(world, person), words: wordsFor('en', 'Europe/Berlin') }, limit)

  /** An event with one shift that starts after so many hours and takes two. */
  async function addShift(startsAfter: number, event: EventOptions = {}): Promise<number> {
    const shift = { start: at(startsAfter).toISOString(), end: at(startsAfter + 2).toISOString() }
    return (await world.addEvent({ ...event, shifts: [shift] })).shifts[0]!
  }
  const wait = async (person: Person, shift: number, state: 'waiting' | 'offered' | 'declined', since = 0) => {
    const offer = state === 'offered' ? { offered_at: world.now, offered_until: at(5) } : {}
    await write
      .insertInto('waiting_entry')
      .values({ shift_id: shift, user_id: person.id, state, since: at(since), ...offer })
      .execute()
  }

  for (const [name, shift, state, expected] of [
    ['a confirmed shift', { startsAfter: 1 }, 1, 'confirmed'],
    ['a confirmed shift that goes on', { startsAfter: -1 }, 1, 'confirmed'],
    ['a confirmed shift that has ended', { startsAfter: -3 }, 1, 'none'],
    ['a confirmed shift of a cancelled event', { startsAfter: 1, event: { cancelled: true } }, 1, 'confirmed'],
    ['a confirmed shift of a draft', { startsAfter: 1, event: { draft: true } }, 1, 'none'],
    ['a confirmed shift of a deleted event', { startsAfter: 1, event: { deleted: true } }, 1, 'none'],
    ['a request', { startsAfter: 1 }, 0, 'requested'],
    ['a request for a shift that goes on', { startsAfter: -1 }, 0, 'requested'],
    ['a request for a cancelled event', { startsAfter: 1, event: { cancelled: true } }, 0, 'none'],
    ['a request for a draft', { startsAfter: 1, event: { draft: true } }, 0, 'none'],
    ['a request for a deleted event', { startsAfter: 1, event: { deleted: true } }, 0, 'none'],
    ['a refusal', { startsAfter: 1 }, 2, 'none'],
  ] as [string, { startsAfter: number; event?: EventOptions }, 0 | 1 | 2, 'confirmed' | 'requested' | 'none'][])
    test(`${name}: ${expected}`, async () => {
      const person = await world.addPerson({ name: 'Own' })
      const id = await addShift(shift.startsAfter, shift.event)
      await world.addParticipation({ who: person, shift: id, state })
      const { confirmed, requested } = await ownShiftsOf(person)
      assert.deepEqual(
        { confirmed: confirmed.rows.map((row) => row.id), requested: requested.rows.map((row) => row.id) },
        { confirmed: expected === 'confirmed' ? [id] : [], requested: expected === 'requested' ? [id] : [] },
      )
    })

  test('the soonest by own time come first, with the number of all in each list', async () => {
    const person = await world.addPerson({ name: 'Busy' })
    const shifts = [await addShift(30), await addShift(10), await addShift(20)] as [number, number, number]
    for (const shift of shifts) await world.addParticipation({ who: person, shift })
    // Starts before the others because the person comes at a time of their own.
    const early = await addShift(40)
    await world.addParticipation({ who: person, shift: early, start: at(5).toISOString() })
    const asked = await addShift(15)
    await world.addParticipation({ who: person, shift: asked, state: 0 })
    const { confirmed, requested } = await ownShiftsOf(person, 3)
    assert.deepEqual(
      confirmed.rows.map((row) => row.id),
      [early, shifts[1], shifts[2]],
    )
    assert.deepEqual(confirmed.rows[0]!.start, at(5))
    assert.deepEqual([confirmed.count, requested.count, requested.rows.length], [4, 1, 1])
  })

  for (const [name, startsAfter, event, state, isShown] of [
    ['a place in the waiting list', 1, {}, 'waiting', true],
    ['an offer', 1, {}, 'offered', true],
    ['an offer that was declined', 1, {}, 'declined', false],
    ['a place in the waiting list of a shift that has started', -1, {}, 'waiting', false],
    ['a place in the waiting list of a cancelled event', 1, { cancelled: true }, 'waiting', false],
    ['a place in the waiting list of a draft', 1, { draft: true }, 'waiting', false],
    ['a place in the waiting list of a deleted event', 1, { deleted: true }, 'waiting', false],
  ] as [string, number, EventOptions, 'waiting' | 'offered' | 'declined', boolean][])
    test(`${name} is ${isShown ? 'listed' : 'left out'}`, async () => {
      const person = await world.addPerson({ name: 'Patient' })
      const shift = await addShift(startsAfter, event)
      await wait(person, shift, state)
      const { lines } = await ownShiftsOf(person)
      assert.deepEqual(
        lines.map(({ id, line }) => [id, line.isOffered]),
        isShown ? [[shift, state === 'offered']] : [],
      )
    })

  test('offers come before places in waiting lists, which have their position', async () => {
    const person = await world.addPerson({ name: 'Second' })
    const soon = await addShift(1)
    const late = await addShift(9)
    await wait(VERA, soon, 'declined', -3)
    await wait(BEN, soon, 'waiting', -2)
    await wait(person, soon, 'waiting', -1)
    await wait(person, late, 'offered')
    const { lines } = await ownShiftsOf(person)
    assert.deepEqual(
      lines.map(({ id, line }) => [id, line.isOffered, line.position]),
      [
        [late, true, 1],
        [soon, false, 2],
      ],
    )
    assert.equal((await ownShiftsOf(person, 1)).lines.length, 1)
    assert.equal((await ownShiftsOf(person, 1)).openCount, 2)
  })

  for (const [name, state, expiresAfter, own, other] of [
    ['an open swap', 'open', 1, 'out', 'in'],
    ['an accepted swap', 'accepted', 1, 'accepted', 'accepted'],
    ['an expired swap', 'open', -1, undefined, undefined],
    ['a declined swap', 'declined', 1, undefined, undefined],
  ] as const)
    test(`${name} is ${own ? 'shown to both people, each with the shift that they would give away' : 'left out'}`, async () => {
      const [asker, asked] = [await world.addPerson({ name: 'Asker' }), await world.addPerson({ name: 'Asked' })]
      const [given, taken] = [await addShift(1), await addShift(2)]
      await write
        .insertInto('swap')
        .values({
          user_id: asker.id,
          shift_id: given,
          participation_id: await world.addParticipation({ who: asker, shift: given }),
          other_id: asked.id,
          other_shift_id: taken,
          other_participation_id: await world.addParticipation({ who: asked, shift: taken }),
          state,
          created_at: world.now,
          expires_at: at(expiresAfter),
        })
        .execute()
      const shownTo = async (person: Person) =>
        (await ownShiftsOf(person)).exchanges.map(({ id, exchange }) => [id, exchange.what, exchange.linkShift, exchange.name])
      assert.deepEqual(await shownTo(asker), own ? [[given, own, given, 'Asked']] : [])
      assert.deepEqual(await shownTo(asked), other ? [[taken, other, given, 'Asker']] : [])
      // My shifts shows swaps with the shifts that people have, not among what is open.
      for (const person of [asker, asked]) assert.equal((await ownShiftsOf(person)).openCount, 0)
    })

  for (const [name, state, answer, seeker, helper] of [
    ['open', 'open', null, 'sought', 'asked'],
    ['open and answered', 'open', 'no', 'sought', undefined],
    ['found', 'found', null, 'sought', undefined],
    ['cancelled', 'cancelled', null, undefined, undefined],
  ] as const)
    test(`a search for a stand-in that is ${name} is ${seeker ? '' : 'not '}shown to the seeker and ${helper ? '' : 'not '}to the person asked`, async () => {
      const [absent, free] = [await world.addPerson({ name: 'Absent' }), await world.addPerson({ name: 'Free' })]
      const shift = await addShift(1)
      const { id } = await write
        .insertInto('stand_in')
        .values({
          user_id: absent.id,
          shift_id: shift,
          participation_id: await world.addParticipation({ who: absent, shift }),
          state,
          created_at: world.now,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await write
        .insertInto('stand_in_person')
        .values({ stand_in_id: id, user_id: free.id, asked_at: world.now, answer })
        .execute()
      const shownTo = async (person: Person) => (await ownShiftsOf(person)).exchanges.map((row) => [row.id, row.exchange.what])
      assert.deepEqual(await shownTo(absent), seeker ? [[shift, seeker]] : [])
      assert.deepEqual(await shownTo(free), helper ? [[shift, helper]] : [])
      assert.deepEqual([(await ownShiftsOf(absent)).openCount, (await ownShiftsOf(free)).openCount], [0, helper ? 1 : 0])
    })
})
