import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const REASON = 'Storm <over> the coast'
const SHOWN = /Storm &lt;over&gt; the coast/

describe('pages of a removed shift', async () => {
  const world = await openWorld()
  const { write } = world.db

  async function browserOf(person: Person): Promise<Browser> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    return browser
  }
  const [ann, ben, paul, vera] = [await browserOf(ANN), await browserOf(BEN), await browserOf(PAUL), await browserOf(VERA)]

  async function read(browser: Browser, path: string): Promise<string> {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, path)
    assert.deepEqual(checkMarkup(body), [])
    return body
  }

  async function addShifts(labels = ['Desk', 'Tent']) {
    const { id, shifts } = await world.addEvent({
      title: 'Regatta',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: labels.map((label) => ({ label, start: '2031-06-01T08:00:00Z' })),
    })
    const shiftId = shifts[0]!
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    await world.addParticipation({ who: VERA, shift: shiftId, state: 0 })
    return { page: `/events/${id}-regatta/`, shiftId, at: (what: string) => `/shifts/${shiftId}/${what}/` }
  }
  const countOn = async (shiftId: number) => {
    const rows = await write.selectFrom('participation').select('id').where('shift_id', '=', shiftId).execute()
    return rows.length
  }

  test('say who is notified, show the reason to those who were on it, and restore it', async () => {
    const { page, shiftId, at } = await addShifts()
    assert.match(await read(paul, at('cancel')), /2 people are notified, with the reason: <b>Ann and Vera \(requested\)</)
    assert.equal((await paul.post(at('cancel'), { form: { reason: REASON } })).headers.location, page)
    assert.match(await read(paul, page), /1 cancelled or deleted shift.*Desk.*cancelled.*Storm.*Restore shift/s)
    for (const path of [page, '/', '/my-shifts/']) assert.match(await read(ann, path), SHOWN, path)
    for (const path of ['/', '/my-shifts/']) assert.match(await read(vera, path), SHOWN, `requested: ${path}`)
    for (const path of [page, '/', '/my-shifts/']) assert.doesNotMatch(await read(ben, path), SHOWN, `not on it: ${path}`)
    assert.match(await read(paul, at('restore')), /2 people are on it again.*Ann and Vera/s)
    assert.equal((await paul.post(at('restore'))).headers.location, page)
    assert.equal(await countOn(shiftId), 2)
    for (const path of [page, '/', '/my-shifts/']) assert.doesNotMatch(await read(ann, path), SHOWN, path)
    assert.equal((await paul.get(at('restore'))).headers.location, page, 'a second tap leads to the event')
    assert.equal((await paul.post(at('restore'))).headers.location, page)
  })

  test('a deleted shift is offered to planners alone, for a day', async () => {
    const { page, shiftId, at } = await addShifts()
    assert.match(
      await read(paul, at('delete')),
      /24 hours.*2 people are notified that they do not need to come: <b>Ann and Vera/s,
    )
    await paul.post(at('delete'))
    assert.match(await read(paul, page), /1 cancelled or deleted shift.*Desk.*deleted.*Can be restored until/s)
    assert.doesNotMatch(await read(ann, page), /Desk/)
    assert.doesNotMatch(await read(ann, '/'), new RegExp(`shift-${shiftId}`))
    const yesterday = new Date(world.now.getTime() - 24 * 3_600_000)
    await write.updateTable('removed_shift').set({ removed_at: yesterday }).where('id', '=', shiftId).execute()
    assert.doesNotMatch(await read(paul, page), /cancelled or deleted shift/)
    assert.equal((await paul.get(at('restore'))).statusCode, 404)
    await paul.post(at('restore'))
    assert.match(await read(paul, page), /more than a day ago and cannot be restored/)
    assert.equal(await countOn(shiftId), 0)
  })

  test('keep what was typed if the shift is the last one, or the reason is missing', async () => {
    const { at, page } = await addShifts(['Desk'])
    assert.doesNotMatch(await read(paul, page), /Cancel shift…|Delete…/)
    const refused = await paul.post(at('cancel'), { form: { reason: REASON } })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /This is the last shift of the event\. Cancel the event instead\..*Storm &lt;over&gt;/s)
    assert.equal((await paul.post(at('cancel'), { form: { reason: ' ' } })).statusCode, 422)
    assert.equal((await paul.post(at('cancel'), { form: { reason: 'x'.repeat(1001) } })).statusCode, 422)
  })

  test('are for those who may change the event', async () => {
    const { shiftId, at, page } = await addShifts()
    for (const what of ['cancel', 'delete']) assert.equal((await ann.get(at(what))).statusCode, 403, what)
    assert.equal((await ann.post(at('cancel'), { form: { reason: REASON } })).statusCode, 403)
    assert.doesNotMatch(await read(ann, page), /Cancel shift…/)
    await paul.post(at('cancel'), { form: { reason: REASON } })
    assert.equal((await ann.get(at('restore'))).statusCode, 404)
    assert.equal((await ann.post(at('restore'))).statusCode, 404)
    assert.equal(await countOn(shiftId), 0)
  })
})
