import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true
const time = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00:00+02:00`
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the verdict about a shift is the same on all pages', async () => {
  const world = await openWorld()
  world.now = new Date('2031-05-01T10:00:00Z')
  const driver = await world.addQualification('Driver')
  await world.holds(ANN, driver)
  const read = async (path: string) => plain((await world.withSession(PAUL).get(path, { unchecked })).text)
  const refresh = (shift: number) => transact(world.db.write, (tx) => refreshStatistics(tx, [shift]))
  async function addMix(title: string, { min, max }: { min: number; max: number | null }) {
    const configuration = { qualification_requirements: [{ qualification: driver.id, min_count: min, max_count: max }] }
    const shifts = [{ start: time(12), end: time(18), structure: 'qualification_mix', configuration }]
    const made = await world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts })
    return { id: made.id, shift: made.shifts[0]! }
  }
  const pagesOf = ({ id, shift }: { id: number; shift: number }) => [
    `/events/${id}-transport/`,
    `/events/?q=Transport`,
    `/shifts/${shift}/disposition/`,
    `/events/${id}/board/`,
    `/events/calendar/?month=2031-05`,
    `/shifts/${shift}/edit/`,
  ]

  test('short while a driver is missing for an hour, and found by “people are missing”', async () => {
    const made = await addMix('Transport', { min: 1, max: null })
    await world.addParticipation({ who: ANN, shift: made.shift, end: time(17) })
    await refresh(made.shift)
    for (const path of pagesOf(made)) {
      const text = await read(path)
      assert.match(text, /1 missing at times/, path)
      assert.doesNotMatch(text, /enough people/, path)
    }
    assert.match(await read(`/events/${made.id}-transport/`), /Driver missing.* 17:00–18:00/)
    assert.match(await read('/events/?needs=1&q=Transport'), /Transport/)
    const record = await world.withSession(PAUL).get(`/api/shifts/${made.shift}/`)
    assert.equal((record.body as { signup_stats: { missing: number } }).signup_stats.missing, 0, 'the API counts whole shifts')
    await world.addParticipation({ who: BEN, shift: made.shift, start: time(17) })
    await world.holds(BEN, driver)
    await refresh(made.shift)
    for (const path of pagesOf(made)) assert.doesNotMatch(await read(path), /missing at times/, path)
  })

  test('people without a place in the plan are extra', async () => {
    const made = await addMix('Convoy', { min: 3, max: 3 })
    await world.addParticipation({ who: PAUL, shift: made.shift })
    await refresh(made.shift)
    for (const path of [`/events/${made.id}-convoy/`, `/shifts/${made.shift}/disposition/`, `/shifts/${made.shift}/edit/`]) {
      const text = await read(path)
      assert.match(text, /3 missing/, path)
      assert.match(text, /0 of 3 \+ 1 extra/, path)
      assert.doesNotMatch(text, /1 of 4/, path)
    }
  })
})
