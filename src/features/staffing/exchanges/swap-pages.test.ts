import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { SwapWorld } from '#test/support/swaps.ts'
import { answerSwap, withdrawSwap } from './commands/swap.ts'

describe('pages of swaps', async () => {
  const swaps = await SwapWorld.open()
  const { world, cem, pia } = swaps
  beforeEach(() => swaps.clear())

  const read = async (person: Person, path: string) => {
    const page = await world.withSession(person).get(path, { unchecked: true })
    if (page.status === 200) checkMarkup(page.text)
    return page
  }
  const linkOf = (id: number, shiftId: number) =>
    `/offered/${makeOfferToken(world.app.site.keyring, { kind: 'swap', id, userId: cem.id, shiftId })}/`
  const answer = (path: string, value: 'yes' | 'no') =>
    world.nobody.request('POST', path, {
      body: `answer=${value}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      unchecked: true,
    })

  test('Ann chooses a place, proposes, sees the proposal and withdraws it', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const list = await read(ANN, `/shifts/${ann.shift}/swap/`)
    assert.match(list.text, new RegExp(`href="/shifts/${ann.shift}/swap/${fair.place}/"[^>]*>Cem: Fair`))
    const form = await read(ANN, `/shifts/${ann.shift}/swap/${fair.place}/`)
    assert.match(form.text, /You get[\s\S]*Fair[\s\S]*You give[\s\S]*Harbour run/)
    const browser = await browserOf(world, ANN)
    const long = await browser.post(`/shifts/${ann.shift}/swap/${fair.place}/`, { form: { message: 'x'.repeat(256) } })
    assert.equal(long.statusCode, 422)
    assert.match(long.body, /Use at most 255 characters/)
    const sent = await browser.post(`/shifts/${ann.shift}/swap/${fair.place}/`, { form: { message: 'please' } })
    assert.equal(sent.statusCode, 303)
    const { id } = await world.db.write.selectFrom('swap').select('id').executeTakeFirstOrThrow()
    assert.match((await read(ANN, `/shifts/${ann.shift}/swap/`)).text, /You asked Cem/)
    assert.match((await read(ANN, eventPath(ann.eventId, 'Harbour run'))).text, /You asked Cem/)
    assert.match((await read(ANN, '/my-shifts/')).text, /asked Cem/)
    const own = await read(cem, eventPath(fair.eventId, 'Fair'))
    assert.ok(own.text.includes('Ann would like to swap.') && own.text.includes(linkOf(id, ann.shift)))
    assert.ok((await read(cem, '/')).text.includes(linkOf(id, ann.shift)))
    assert.equal((await browser.post(`/shifts/${ann.shift}/swap/${id}/withdraw/`)).statusCode, 303)
    assert.equal(await swaps.stateOf(id), 'withdrawn')
    const again = await browser.post(`/shifts/${ann.shift}/swap/${fair.place + 999}/`, { form: { message: '' } })
    assert.equal(again.statusCode, 303, 'a place that is not there any more leads back to the list')
  })

  test('the link works without signing in, once, and opening it changes nothing', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const path = linkOf(await swaps.propose(ann, fair, 'my sister marries'), ann.shift)
    const shown = await world.nobody.get(path, { unchecked: true })
    assert.equal(shown.status, 200)
    assert.equal(shown.headers['cache-control'], 'no-store')
    checkMarkup(shown.text)
    assert.match(shown.text, /Ann would like to swap shifts with you[\s\S]*You get[\s\S]*Harbour run[\s\S]*You give[\s\S]*Fair/)
    assert.match(shown.text, /my sister marries/)
    assert.deepEqual(await swaps.confirmed(ann.shift), [[ANN.id]])
    assert.equal((await world.nobody.get(path.replace(/.\/$/, 'A/'), { unchecked: true })).status, 404)
    assert.equal((await answer(path, 'yes')).headers.location, path)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    assert.equal((await answer(path, 'yes')).status, 303)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    assert.match((await world.nobody.get(path, { unchecked: true })).text, /You have swapped/)
  })

  test('links of other kinds and people are not valid for a swap', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    for (const link of [
      { kind: 'stand_in', id, userId: cem.id, shiftId: ann.shift },
      { kind: 'swap', id, userId: ANN.id, shiftId: ann.shift },
      { kind: 'swap', id, userId: cem.id, shiftId: fair.shift },
    ] as const) {
      const signature = makeOfferToken(world.app.site.keyring, link).split('.')[1]
      assert.equal((await world.nobody.get(`/offered/x${id}.${signature}/`, { unchecked: true })).status, 404)
    }
  })

  test('an ended proposal, and a place that the person cannot take', async () => {
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    const path = linkOf(id, ann.shift)
    const busy = await swaps.addShift(cem)
    const cannot = await world.nobody.get(path, { unchecked: true })
    assert.match(cannot.text, /You can’t take this place at the moment[\s\S]*Harbour run/)
    assert.doesNotMatch(cannot.text, /Yes, swap/)
    assert.equal((await answer(path, 'yes')).status, 409)
    await world.db.write.deleteFrom('participation').where('shift_id', '=', busy.shift).execute()
    await withdrawSwap(swaps.as(ANN), id)
    const gone = await world.nobody.get(path, { unchecked: true })
    assert.deepEqual([gone.status, /No longer proposed/.test(gone.text)], [410, true])
    assert.equal((await answer(path, 'yes')).status, 410)
  })

  test('planners of both events see the swap, without the title of an event that is not theirs, and decide', async () => {
    await swaps.clear('planner')
    const { ann, cem: fair } = await swaps.addPair()
    const id = await swaps.propose(ann, fair)
    await answerSwap(swaps.as(cem), { swapId: id, answer: 'yes' })
    const page = await read(PAUL, `/shifts/${ann.shift}/line/`)
    assert.match(page.text, /Ann: this shift → another event/)
    assert.doesNotMatch(page.text, /Fair/)
    assert.match((await read(pia, `/shifts/${fair.shift}/line/`)).text, /Cem: this shift → another event/)
    const paul = await browserOf(world, PAUL)
    const agreed = await paul.post(`/shifts/${ann.shift}/swap/${id}/agree/`)
    assert.equal(agreed.statusCode, 303)
    assert.match((await read(PAUL, `/shifts/${ann.shift}/line/`)).text, /waits for the other event/)
    await (await browserOf(world, pia)).post(`/shifts/${fair.shift}/swap/${id}/agree/`)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[cem.id], [ANN.id]])
    await paul.post(`/shifts/${ann.shift}/swap/${id}/undo/`)
    assert.deepEqual(await swaps.confirmed(ann.shift, fair.shift), [[ANN.id], [cem.id]])
    const log = await read(PAUL, `/events/${ann.eventId}/log/`)
    assert.match(log.text, /undid a swap/)
  })
})
