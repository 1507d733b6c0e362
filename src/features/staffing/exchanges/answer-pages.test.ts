import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { joinWaitingList } from '#features/staffing/waiting-list/commands/join.ts'
import { offerDuePlaces } from '#features/staffing/waiting-list/commands/offer.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import type { OfferLink } from '#features/staffing/waiting-list/rules/links.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, PAUL, type Person } from '#test/support/people.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import { seekStandIn } from './commands/search.ts'
import { decideStandIn } from './commands/stand-in.ts'
import { answerSwap } from './commands/swap.ts'

const DECLINABLE = { flowConfiguration: { user_can_decline_confirmed: true }, location: 'Pier 3' }

describe('the page behind the link of an offer', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, dora } = swaps
  beforeEach(() => swaps.clear())

  const pathOf = (link: OfferLink) => `/offered/${makeOfferToken(world.app.site.keyring, link)}/`
  const read = async (path: string) => {
    const page = await world.nobody.get(path, { unchecked: true })
    assert.deepEqual(checkMarkup(page.text), [])
    return { status: page.status, text: page.text.split('<main')[1]! }
  }
  /** What the page says after the answer. */
  const say = async (path: string, answer: 'yes' | 'no') => {
    const { status, headers } = await world.nobody.request('POST', path, {
      body: `answer=${answer}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      unchecked: true,
    })
    assert.deepEqual([status, headers.location], [303, path])
    return (await read(path)).text
  }
  const stateOf = async (person: Person, shift: number) =>
    (
      await world.db.write
        .selectFrom('participation')
        .select('state')
        .where('shift_id', '=', shift)
        .where('user_id', '=', person.id)
        .executeTakeFirst()
    )?.state
  const searchOf = async (shift: number) => {
    const outcome = await seekStandIn(swaps.as(ANN), { shiftId: shift, message: 'ill', size: 100, chosen: [] })
    assert.ok(outcome.ok)
    const linkOf = async (person: Person) => {
      const { id } = await world.db.write
        .selectFrom('stand_in_person')
        .select('id')
        .where('stand_in_id', '=', outcome.id)
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow()
      return pathOf({ kind: 'stand_in', id, userId: person.id, shiftId: shift })
    }
    const row = () =>
      world.db.write
        .selectFrom('stand_in')
        .select(['state', 'taken_by_id', 'taken_at', 'next_at'])
        .where('id', '=', outcome.id)
        .executeTakeFirstOrThrow()
    return { id: outcome.id, linkOf, row }
  }

  /** Ann leaves the only place, and it is offered to Cem, who waits. */
  const addOffer = async () => {
    const { shift } = await swaps.addShift(ANN, DECLINABLE)
    assert.ok((await joinWaitingList(swaps.as(cem), shift)).ok)
    await world.db.write.deleteFrom('participation').where('shift_id', '=', shift).execute()
    await world.db.write.updateTable('shift').set({ free: 1 }).where('id', '=', shift).execute()
    await world.db.write.updateTable('waiting_line').set({ is_due: true }).where('shift_id', '=', shift).execute()
    await offerDuePlaces({ ...swaps.as(PAUL), actor: ANONYMOUS })
    const { id } = await world.db.write
      .selectFrom('waiting_entry')
      .select('id')
      .where('shift_id', '=', shift)
      .executeTakeFirstOrThrow()
    return { shift, path: pathOf({ kind: 'waiting_list', id, userId: cem.id, shiftId: shift }) }
  }

  test('an offer: the person takes the place, gives it up and takes it again', async () => {
    const { shift, path } = await addOffer()
    const shown = await read(path)
    assert.match(shown.text, /With “I take it” you are signed up and have the place\./)
    for (const part of [/Pier 3/, /openstreetmap/, /Add to calendar/]) assert.match(shown.text, part)
    const taken = await say(path, 'yes')
    assert.match(taken, /The place is yours[\s\S]*Pier 3[\s\S]*Add to calendar[\s\S]*I can’t after all/)
    assert.equal(await stateOf(cem, shift), 1)
    assert.match(await say(path, 'yes'), /The place is yours/, 'a second tap changes nothing')
    assert.match(await say(path, 'no'), /Thank you for answering[\s\S]*I can after all/)
    assert.equal(await stateOf(cem, shift), 2)
    assert.match(await say(path, 'yes'), /The place is yours/)
    assert.equal(await stateOf(cem, shift), 1)
  })

  test('an offer: somebody who may not leave the shift is not offered the other answer', async () => {
    const { shift, path } = await addOffer()
    await world.db.write
      .updateTable('shift')
      .set({ signup_flow_configuration: JSON.stringify({ user_can_decline_confirmed: false }) })
      .where('id', '=', shift)
      .execute()
    assert.doesNotMatch(await say(path, 'yes'), /after all/)
    const refused = await world.nobody.request('POST', path, {
      body: 'answer=no',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      unchecked: true,
    })
    assert.equal(refused.status, 409)
    assert.equal(await stateOf(cem, shift), 1)
  })

  test('GET and HEAD change nothing, whatever the address says', async () => {
    const { shift, path } = await addOffer()
    for (const method of ['GET', 'HEAD'])
      for (const query of ['', '?answer=yes', '?answer=no'])
        await world.nobody.request(method, `${path}${query}`, { unchecked: true })
    assert.equal(await stateOf(cem, shift), undefined)
    const entry = await world.db.write.selectFrom('waiting_entry').select('state').where('shift_id', '=', shift).execute()
    assert.deepEqual(entry, [{ state: 'offered' }])
  })

  test('the calendar file has this shift, for the person of the link only', async () => {
    const { shift, path } = await addOffer()
    const file = await world.nobody.get(`${path}calendar.ics`, { unchecked: true })
    assert.equal(file.status, 200)
    assert.match(file.headers['content-type'] ?? '', /^text\/calendar/)
    assert.equal(file.headers['cache-control'], 'no-store')
    assert.equal(file.headers['content-disposition'], `attachment; filename="shift-${shift}.ics"`)
    assert.equal(file.text.match(/BEGIN:VEVENT/g)?.length, 1)
    assert.match(file.text, /Harbour run/)
    const wrong = path.replace(/.\/$/, 'A/')
    assert.equal((await world.nobody.get(`${wrong}calendar.ics`, { unchecked: true })).status, 404)
  })

  test('a stand-in: no and yes again, gives the place up; others read that somebody takes it', async () => {
    const { shift } = await swaps.addShift(ANN, DECLINABLE)
    const { linkOf } = await searchOf(shift)
    const [path, other] = [await linkOf(cem), await linkOf(dora)]
    assert.match((await read(path)).text, /Ann needs a stand-in[\s\S]*With “I take it” you are signed up[\s\S]*Ann is free/)
    assert.match(await say(path, 'no'), /You can’t this time[\s\S]*Ann asks you\.[\s\S]*I can after all/)
    assert.equal(await stateOf(cem, shift), undefined)
    assert.match(await say(path, 'yes'), /The place is yours[\s\S]*Ann asks you\.[\s\S]*I can’t after all/)
    assert.deepEqual([await stateOf(ANN, shift), await stateOf(cem, shift)], [2, 1])
    const late = await read(other)
    assert.equal(late.status, 200)
    assert.match(late.text, /Somebody else takes the place/)
    assert.doesNotMatch(late.text, /I take it/)
    assert.match(await say(path, 'no'), /You do not have this place any more/)
    assert.equal(await stateOf(cem, shift), 2)
  })

  test('a stand-in that planners have not decided about: the search goes on', async () => {
    await swaps.clear('planner')
    const { shift } = await swaps.addShift(ANN, DECLINABLE)
    const { id, linkOf, row } = await searchOf(shift)
    const [path, other] = [await linkOf(cem), await linkOf(dora)]
    assert.match((await read(path)).text, /With “I take it” you request the place\. The planners decide\./)
    assert.match(await say(path, 'yes'), /Thank you![\s\S]*I can’t after all/)
    assert.match((await read(other)).text, /Somebody else takes the place/)
    assert.match(await say(path, 'no'), /You can’t this time/)
    assert.deepEqual(await row(), { state: 'open', taken_by_id: null, taken_at: null, next_at: world.now })
    assert.deepEqual(await decideStandIn(swaps.as(PAUL), { shiftId: shift, standInId: id, agrees: true }), { kind: 'gone' })
    assert.match(await say(other, 'yes'), /Thank you!/)
    assert.deepEqual([(await row()).state, (await row()).taken_by_id], ['found', dora.id])
  })

  test('a swap: not after all until the planners decide', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair({}, DECLINABLE)
    const id = await swaps.propose(ann, fair, 'please')
    const path = pathOf({ kind: 'swap', id, userId: cem.id, shiftId: ann.shift })
    const shown = await read(path)
    assert.match(shown.text, /You get[\s\S]*Pier 3[\s\S]*Add to calendar[\s\S]*You give[\s\S]*With “Yes, swap” you agree/)
    assert.match(await say(path, 'yes'), /The planners decide about the swap[\s\S]*Ann asks you\.[\s\S]*I can’t after all/)
    assert.match(await say(path, 'no'), /You keep your shift/)
    assert.equal(await swaps.stateOf(id), 'declined')
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    assert.match(await say(path, 'yes'), /The planners decide about the swap/)
    assert.equal(await swaps.stateOf(id), 'accepted')
  })

  test('a swap that was declined: after all, while both people have their places', async () => {
    const { ann, cem: fair } = await swaps.addPair({}, DECLINABLE)
    const id = await swaps.propose(ann, fair)
    const path = pathOf({ kind: 'swap', id, userId: cem.id, shiftId: ann.shift })
    assert.match(await say(path, 'no'), /You keep your shift[\s\S]*Swap after all/)
    assert.match(await say(path, 'no'), /You keep your shift/, 'a second tap changes nothing')
    assert.match(await say(path, 'yes'), /You have swapped/)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    await swaps.clear()
    const next = await swaps.addPair({}, DECLINABLE)
    const later = await swaps.propose(next.ann, next.cem)
    const other = pathOf({ kind: 'swap', id: later, userId: cem.id, shiftId: next.ann.shift })
    await say(other, 'no')
    await world.db.write.updateTable('participation').set({ state: 2 }).where('shift_id', '=', next.ann.shift).execute()
    assert.doesNotMatch((await read(other)).text, /after all/)
    assert.deepEqual(await answerSwap(swaps.as(cem), { swapId: later, answer: 'yes' }), { kind: 'swap_gone' })
  })

  test('a swap that is done: the new place can be given up', async () => {
    const { ann, cem: fair } = await swaps.addPair({}, DECLINABLE)
    const id = await swaps.propose(ann, fair)
    const path = pathOf({ kind: 'swap', id, userId: cem.id, shiftId: ann.shift })
    assert.match((await read(path)).text, /With “Yes, swap” you swap at once/)
    assert.match(await say(path, 'yes'), /You have swapped[\s\S]*I can’t after all/)
    assert.match(await say(path, 'no'), /You do not have this place any more/)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[], [ANN.id]])
  })
})
