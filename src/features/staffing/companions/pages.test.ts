import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { findPlaceholders } from '#test/support/companions.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const BRINGS = { user_can_bring: 3, user_can_decline_confirmed: true }
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: BRINGS, configuration: { maximum_number_of_participants: 3 } }

describe('pages for bringing others', async () => {
  const world = await openWorld()
  const ann = await browserOf(world, ANN)
  beforeEach(() => world.db.write.deleteFrom('participation').execute())

  async function addShift(shift: ShiftOptions) {
    const times = { start: '2031-05-04T08:00:00+02:00', end: '2031-05-04T12:00:00+02:00' }
    const { id, shifts } = await world.addEvent({
      title: 'Run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ ...times, ...shift }],
    })
    const shiftId = shifts[0]!
    const own = `/shifts/${shiftId}`
    return {
      shiftId,
      page: `/events/${id}-run/`,
      path: `${own}/companions/`,
      decline: `${own}/decline/`,
      board: `${own}/disposition/`,
    }
  }
  const read = async (path: string, browser = ann) => {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, path)
    assert.deepEqual(checkMarkup(body), [])
    return body
  }
  const seenIn = (body: string) => /name="seen" value="([^"]*)"/.exec(body)![1]!
  const post = async (path: string, fields: Record<string, string>) =>
    ann.post(path, { form: { seen: seenIn((await ann.get(path)).body), ...fields } })
  const listOf = (shiftId: number) => findPlaceholders(world.db, shiftId)

  test('a person adds, names and removes people, and the pages show them', async () => {
    const { shiftId, page, path, decline, board } = await addShift(INSTANT)
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    assert.ok((await read(page)).includes(`href="${path}"`))
    assert.match(plain(await read(path)), /You may bring up to 3 others\..*3 more are possible/)
    assert.equal((await post(path, { add: '2', names: 'Eva Lind' })).statusCode, 303)
    const [eva, unnamed] = await listOf(shiftId)
    assert.deepEqual([eva!.name, unnamed!.name], ['Eva Lind', `Companion of ${ANN.name} (1)`])
    const shown = await read(path)
    assert.ok(shown.includes('value="Eva Lind"') && !shown.includes('value="Companion of'))
    assert.match(plain(await read(page)), /You bring 2 others\./)
    assert.match(plain(await read(decline)), /The 2 people you bring leave the shift together with you\./)
    assert.match(plain(await read(board, await browserOf(world, PAUL))), new RegExp(`brought by ${ANN.name}`))
    await post(path, { [`name_${unnamed!.id}`]: 'Max', [`leave_${eva!.id}`]: 'on' })
    assert.deepEqual(
      (await listOf(shiftId)).map(({ name, state }) => [name, state]),
      [
        ['Eva Lind', 2],
        ['Max', 1],
      ],
    )
  })

  test('errors are at their fields, and nothing typed is lost', async () => {
    const { shiftId, path } = await addShift(INSTANT)
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    await world.addParticipation({ who: { placeholder: 'Otto' }, shift: shiftId, state: 0 })
    for (const [fields, status, text] of [
      [{ add: 'two' }, 422, 'Please enter a whole number.'],
      [{ add: '4' }, 422, 'At most 3 more are possible.'],
      [{ names: 'Otto' }, 422, 'Otto is on the list of this event already.'],
      [
        { names: 'Eva\nMax\nMia' },
        409,
        'There are not enough free places for people without qualifications. There are places for 2 of them.',
      ],
    ] as const) {
      const { statusCode, body } = await post(path, fields)
      assert.equal(statusCode, status, text)
      assert.ok(body.includes(text), text)
      assert.deepEqual(checkMarkup(body), [])
      for (const value of Object.values(fields)) assert.ok(body.includes(value))
    }
    assert.equal((await listOf(shiftId)).length, 1)
  })

  test('a request with companions is not withdrawn without asking', async () => {
    const { shiftId, page, path, decline } = await addShift({ flow: 'request_confirm', flowConfiguration: BRINGS })
    await world.addParticipation({ who: ANN, shift: shiftId, state: 0 })
    await post(path, { add: '1' })
    assert.ok((await read(page)).includes(`href="${decline}?from=event"`))
    assert.equal((await ann.post(decline, { form: { from: 'event' } })).headers.location, `${decline}?from=event`)
    assert.deepEqual(
      (await listOf(shiftId)).map(({ state }) => state),
      [0],
    )
  })

  test('without a sign-up, or if it is off, the page says so and the event page has no link', async () => {
    const { shiftId, page, path } = await addShift({ ...INSTANT, flowConfiguration: {} })
    assert.match(plain(await read(path)), /Sign up first/)
    await world.addParticipation({ who: ANN, shift: shiftId, state: 1 })
    assert.match(plain(await read(path)), /You can’t bring others to this shift/)
    assert.ok(!(await read(page)).includes(path))
  })
})
