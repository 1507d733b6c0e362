import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/people.ts'
import { openWorld } from '#test/world.ts'

const decode = (text: string) => text.replaceAll('&amp;', '&')
const titlesIn = (text: string) => [...text.matchAll(/class="event-title" href="[^"]+">([^<]+)</g)].map((found) => found[1]!)
const day = (month: number, date: number) => `2031-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}T08:00:00Z`

describe('the list of events', async () => {
  const world = await openWorld()
  const course = await world.hasType({ title: 'Course' })
  const helpers = { seenBy: [HELPERS] }
  const run = await world.hasEvent({
    ...{ ...helpers, title: 'Run', location: 'Dyke 100%' },
    shifts: [
      { start: day(5, 20), stats: { missing: 2, free: 5, min: 2, max: 5 } },
      { start: day(5, 20), stats: { missing: 0, free: 1, min: 1, max: 2 } },
    ],
  })
  await world.hasParticipation({ who: ANN, shift: run.shifts[0]!, state: 2 })
  await world.hasParticipation({ who: ANN, shift: run.shifts[1]!, state: 1 })
  await world.hasEvent({ ...helpers, title: 'Knots', type: course, description: 'Ropes', shifts: [{ start: day(6, 2) }] })
  await world.hasEvent({
    ...helpers,
    title: 'Stormy fair',
    cancelled: true,
    shifts: [{ start: day(5, 10), stats: { missing: 9 } }],
  })
  const running = { start: '2031-04-30T08:00:00Z', end: '2031-05-02T08:00:00Z' }
  await world.hasEvent({ ...helpers, title: 'Camp', shifts: [running] })
  const gone = await world.hasEvent({ ...helpers, title: 'Gone', shifts: [{ start: day(4, 1), stats: { missing: 3 } }] })
  await world.hasParticipation({ who: ANN, shift: gone.shifts[0]!, state: 0 })
  await world.hasEvent({ ...helpers, title: 'Long gone', shifts: [{ start: day(1, 1) }] })
  await world.hasEvent({ ...helpers, title: 'Draft', draft: true, shifts: [{ start: day(5, 20) }] })
  await world.hasEvent({ ...helpers, title: 'Deleted', deleted: true, shifts: [{ start: day(5, 20) }] })
  await world.hasEvent({ seenBy: [PLANNERS], title: 'Planners only', shifts: [{ start: day(5, 20) }] })

  async function read(who: Person, path: string): Promise<string> {
    const { status, text } = await world.withSession(who).get(path, { unchecked: true })
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }

  test('holds what the person can see, coming first, cancelled ones with their reason, no drafts', async () => {
    const text = await read(ANN, '/events/')
    assert.deepEqual(titlesIn(text), ['Camp', 'Stormy fair', 'Run', 'Knots'])
    assert.match(text, /4 events/)
    assert.match(text, /Stormy fair.*class="event-remark">storm<.*cancelled/s)
    assert.ok(!text.includes('9 missing'))
    assert.deepEqual(titlesIn(await read(PAUL, '/events/')), ['Planners only'])
    assert.deepEqual(titlesIn(await read(OLGA, '/events/')), ['Camp', 'Stormy fair', 'Run', 'Planners only', 'Knots'])
  })

  test('says where the person stands and who is missing, over all shifts', async () => {
    const rowOf = (text: string) => text.split('<li ').find((row) => row.includes('>Run<'))!
    const row = rowOf(await read(ANN, '/events/'))
    assert.match(row, /You: confirmed.*2 missing/s)
    assert.match(row, /2 shifts/)
    assert.doesNotMatch(rowOf(await read(BEN, '/events/')), /You:/)
  })

  test('has months as headings', async () => {
    assert.match(await read(ANN, '/events/'), /April 2031<.*Camp.*May 2031<.*Run.*June 2031<.*Knots/s)
  })

  test('shows past ones, the last one first, without looking for people', async () => {
    const text = await read(ANN, '/events/?when=past')
    assert.deepEqual(titlesIn(text), ['Gone', 'Long gone'])
    assert.match(text, /You: asked/)
    assert.doesNotMatch(text, /missing/)
    assert.match(text, /href="\/events\/\?when=past" aria-current="page"/)
  })

  for (const [query, titles] of [
    ['q=run', ['Run']],
    ['q=dyke+RUN', ['Run']],
    ['q=dyke+knots', []],
    ['q=ropes', ['Knots']],
    ['q=100%25', ['Run']],
    ['q=_', []],
    ['q=%00run', ['Run']],
    ['q=gone', []],
    ['q=gone&when=past', ['Gone', 'Long gone']],
    ['when=never', ['Camp', 'Stormy fair', 'Run', 'Knots']],
    ['type=999999', []],
    ['type=x', ['Camp', 'Stormy fair', 'Run', 'Knots']],
    [`type=${'9'.repeat(40)}`, ['Camp', 'Stormy fair', 'Run', 'Knots']],
    ['page=x', ['Camp', 'Stormy fair', 'Run', 'Knots']],
  ] as const) {
    test(`finds ${titles.length ? titles.join(', ') : 'nothing'} by ?${query.slice(0, 30)}`, async () => {
      assert.deepEqual(titlesIn(await read(ANN, `/events/?${query}`)), titles)
    })
  }

  test('keeps everything that is chosen in the address', async () => {
    const text = await read(ANN, `/events/?q=knots&type=${course}`)
    assert.deepEqual(titlesIn(text), ['Knots'])
    assert.match(text, /name="q"[^>]*value="knots"|value="knots"[^>]*name="q"/)
    assert.match(text, new RegExp(`<option value="${course}" selected>Course</option>`))
    assert.ok(decode(text).includes(`href="/events/?when=past&q=knots&type=${course}"`))
    const past = await read(ANN, '/events/?when=past&q=gone')
    assert.match(past, /<input type="hidden" name="when" value="past">/)
  })

  test('says what to do when nothing is found', async () => {
    assert.match(await read(ANN, '/events/?q=nowhere'), /No event matches this search.*href="\/events\/"/s)
    assert.match(await read(VERA, '/events/'), /No event is planned for your groups.*href="\/events\/\?when=past"/s)
    assert.match(await read(VERA, '/events/?when=past'), /no past events that you can see.*href="\/events\/"/s)
  })

  test('cuts the list in pages of 50, and leads back from beyond its end', async () => {
    const seer = await world.hasPerson({ name: 'Page' })
    for (let n = 1; n <= 51; n++) await world.hasEvent({ title: `No ${n}`, seenBy: [seer], shifts: [{}] })
    const first = await read(seer, '/events/?q=no')
    assert.equal(titlesIn(first).length, 50)
    assert.match(first, /1–50 of 51/)
    assert.ok(decode(first).includes('href="/events/?q=no&page=2"'))
    assert.deepEqual(titlesIn(await read(seer, '/events/?q=no&page=2')), ['No 51'])
    const beyond = await world.withSession(seer).get('/events/?q=no&page=9', { unchecked: true })
    assert.deepEqual([beyond.status, beyond.headers.location], [303, '/events/?q=no&page=2'])
  })

  test('sends whoever is not signed in to the door and back', async () => {
    const { status, headers } = await world.nobody.get('/events/?q=a', { unchecked: true })
    assert.deepEqual([status, headers.location], [303, '/accounts/login/?next=%2Fevents%2F%3Fq%3Da'])
  })
})
