import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { BEN, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const at = (date: number, hour: number) => `2031-05-${String(date).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const DECLINABLE = { flowConfiguration: { user_can_decline_confirmed: true } }

describe('my shifts', async () => {
  const world = await openWorld()
  let people = 0
  const addPerson = () => world.addPerson({ name: `Mo ${++people}` })
  const addShift = async (who: Person, label: string, date: number, hour: number, more = {}) =>
    (
      await world.addEvent({
        title: 'Fair',
        seenBy: [who],
        shifts: [{ label, start: at(date, hour), end: at(date, hour + 4), ...DECLINABLE, ...more }],
      })
    ).shifts[0]!
  const read = async (who: Person, path = '/my-shifts/') => {
    const { status, text } = await world.withSession(who).get(path, { unchecked: true })
    assert.equal(status, 200)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }
  const rowOf = (text: string, id: string) => text.split(`id="${id}"`)[1]!.split('</li>')[0]!

  test('every confirmed shift has its actions', async () => {
    const person = await addPerson()
    const ids = [await addShift(person, 'First', 5, 8), await addShift(person, 'Second', 6, 8)]
    for (const shift of ids) await world.addParticipation({ who: person, shift })
    const text = await read(person)
    for (const id of ids) {
      const row = rowOf(text, `own-${id}`)
      assert.match(plain(row), /Fair, .*Confirmed/)
      for (const path of [`decline/?from=my-shifts`, 'stand-in/', 'swap/', 'signup/'])
        assert.ok(row.includes(`/shifts/${id}/${path}`))
    }
    assert.match(rowOf(text, `own-${ids[1]}`), /<details class="menu row-menu">/)
    assert.doesNotMatch(rowOf(text, `own-${ids[0]}`), /<details/)
  })

  test('a place that cannot be given up has the reason, with a link to those who plan', async () => {
    const person = await addPerson()
    const shift = await addShift(person, 'Bound', 5, 8, { flowConfiguration: {} })
    await world.addParticipation({ who: person, shift })
    const row = rowOf(await read(person), `own-${shift}`)
    assert.doesNotMatch(row, /decline/)
    assert.match(row, /can’t change that here any more\. <a href="\/events\/[^"#]+#contact">Ask the planners\.<\/a>/)
  })

  test('a request at the time of a confirmed shift is marked, and one tap withdraws it', async () => {
    const person = await addPerson()
    const confirmed = await addShift(person, 'Sure', 5, 8)
    const overlapping = await addShift(person, 'Same time', 5, 10)
    const later = await addShift(person, 'After', 5, 12)
    await world.addParticipation({ who: person, shift: confirmed })
    for (const shift of [overlapping, later]) await world.addParticipation({ who: person, shift, state: 0 })
    const text = await read(person)
    assert.match(plain(rowOf(text, `request-of-${overlapping}`)), /Requested Overlaps Fair, Sure Withdraw/)
    assert.doesNotMatch(plain(rowOf(text, `request-of-${later}`)), /Overlaps/)
    const browser = await browserOf(world, person)
    const answer = await browser.post(`/shifts/${overlapping}/decline/`, { form: { from: 'my-shifts' } })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/my-shifts/'])
    assert.ok(!(await read(person)).includes(`id="request-of-${overlapping}"`))
  })

  test('places on waiting lists are named, and leaving one returns here', async () => {
    const person = await addPerson()
    const full = await addShift(person, 'Full', 7, 8, {
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: 1 },
    })
    await world.addParticipation({ who: BEN, shift: full })
    const browser = await browserOf(world, person)
    await browser.post(`/shifts/${full}/line/join/`, { form: {} })
    assert.match(plain(rowOf(await read(person), `line-of-${full}`)), /Number 1 on the waiting list Leave the waiting list/)
    const answer = await browser.post(`/shifts/${full}/line/leave/`, { form: { from: 'my-shifts' } })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, '/my-shifts/'])
    assert.ok(!(await read(person)).includes(`line-of-${full}`))
  })

  test('the first shifts are shown, and all of them one tap away', async () => {
    const person = await addPerson()
    for (let date = 10; date < 16; date++)
      await world.addParticipation({ who: person, shift: await addShift(person, `Day ${date}`, date, 8) })
    const text = await read(person)
    assert.match(plain(text), /Upcoming shifts 6 .*Show 2 more/)
    assert.doesNotMatch(text, /Day 14/)
    assert.match(await read(person, '/my-shifts/?all=1'), /Day 14.*Day 15/s)
  })
})
