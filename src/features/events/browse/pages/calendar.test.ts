import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, type Person, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const decode = (text: string) => text.replaceAll('&amp;', '&')
/** Titles of the shifts by the day that they stand on. */
function daysIn(text: string): Record<string, string[]> {
  const days = text.split('<li class="day').slice(1)
  return Object.fromEntries(
    days
      .map((part): [string, string[]] => [
        /day=(\d{4}-\d\d-\d\d)/.exec(part)![1]!,
        [...part.matchAll(/class="day-time">([^<]+)<\/span> <span class="day-title">(.*?)<\/a>/gs)].map(
          ([, time, title]) => `${time} ${title!.split('</span></span>')[0]!.replace(/<[^>]+>/g, '')}`,
        ),
      ])
      .filter(([, shifts]) => shifts.length),
  )
}

describe('the calendar', async () => {
  const world = await openWorld()
  const course = await world.addType({ title: 'Course' })
  const helpers = { seenBy: [HELPERS] }
  const one = (title: string, start: string, end: string, more: object = {}) =>
    world.addEvent({ ...helpers, title, shifts: [{ start, end, ...more }] })
  await one('Run', '2031-05-04T08:00+02:00', '2031-05-04T16:00+02:00', { stats: { missing: 2, free: 5, min: 2, max: 5 } })
  const night = await one('Night', '2031-05-31T22:00+02:00', '2031-06-01T02:00+02:00')
  await one('Camp', '2031-05-10T18:00+02:00', '2031-05-12T09:00+02:00')
  // In UTC both are on the day before.
  await one('First minute', '2031-05-01T00:00+02:00', '2031-05-01T01:00+02:00')
  await one('Not in May', '2031-06-01T00:00+02:00', '2031-06-01T01:00+02:00')
  await world.addEvent({
    ...helpers,
    title: 'Off',
    cancelled: true,
    shifts: [{ start: '2031-05-20T08:00+02:00', stats: { missing: 3 } }],
  })
  await world.addEvent({ ...helpers, title: 'Draft', draft: true, shifts: [{ start: '2031-05-20T08:00+02:00' }] })
  await world.addEvent({ seenBy: [PLANNERS], title: 'Theirs', shifts: [{ start: '2031-05-20T08:00+02:00' }] })
  await world.addEvent({ ...helpers, title: 'Knots', type: course, shifts: [{ start: '2031-05-21T08:00+02:00' }] })
  await world.addParticipation({ who: ANN, shift: night.shifts[0]!, state: 1 })

  async function read(path: string, who: Person = ANN): Promise<string> {
    const { status, text } = await world.withSession(who).get(`/events/calendar/${path}`, { unchecked: true })
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return decode(text)
  }
  const MAY = {
    '2031-05-01': ['00:00 First minute'],
    '2031-05-04': ['08:00 Run'],
    '2031-05-10': ['18:00 Camp'],
    '2031-05-11': ['all day Camp'],
    '2031-05-12': ['until 09:00 Camp'],
    '2031-05-20': ['08:00 Off'],
    '2031-05-21': ['08:00 Knots'],
    '2031-05-31': ['22:00 Night'],
  }

  test('shows this month with every shift on each of its days, in the time zone of the instance', async () => {
    const text = await read('')
    assert.deepEqual(daysIn(text), MAY)
    assert.match(text, /<h1>May 2031<\/h1>/)
    assert.match(text, /<li class="day gap-3 today"/)
    assert.match(text, /href="\/events\/calendar\/" aria-current="page"/)
  })

  test('links to the previous and next month, across years', async () => {
    const text = await read('?month=2031-05&q=camp')
    assert.match(text, /rel="prev" href="\/events\/calendar\/\?q=camp&month=2031-04"/)
    assert.match(text, /rel="next" href="\/events\/calendar\/\?q=camp&month=2031-06"/)
    assert.deepEqual(daysIn(await read('?month=2031-06')), { '2031-06-01': ['until 02:00 Night', '00:00 Not in May'] })
    const december = await read('?month=2031-12')
    assert.match(december, /<h1>December 2031<\/h1>.*month=2031-11.*month=2032-01/s)
    assert.match(december, /No shift in this month matches/)
    assert.equal((await read('?month=2032-02')).match(/<li class="day/g)!.length, 29)
  })

  test('shows the week of a day, from Monday, with all shifts, and leads to the other views', async () => {
    const text = await read('?week=2031-05-14&q=o')
    assert.match(text, /<h1>12–18 May 2031<\/h1>/)
    assert.equal(text.match(/<li class="day/g)!.length, 7)
    assert.match(text, /rel="prev" href="\/events\/calendar\/\?q=o&week=2031-05-05"/)
    assert.match(text, /rel="next" href="\/events\/calendar\/\?q=o&week=2031-05-19"/)
    assert.match(text, /<input type="hidden" name="week" value="2031-05-12">/, 'a filter keeps the week')
    assert.match(text, /month=2031-05" ?>Month<.*aria-current="page">Week<.*day=2031-05-12" ?>Day</s)
    assert.deepEqual(daysIn(await read('?week=2031-05-11')), {
      '2031-05-10': ['18:00 Camp'],
      '2031-05-11': ['all day Camp'],
    })
    assert.match(await read('?week=2031-05-01'), /<h1>28 Apr – 4 May 2031<\/h1>.*day=2031-05-01" aria-current="date"/s)
    assert.match(await read('?week=2032-01-01&q=nothing'), /<h1>29 Dec 2031 – 4 Jan 2032<\/h1>.*No shift in this week matches/s)
    assert.match(await read('?week=2031-02-30'), /<h1>May 2031<\/h1>/)
  })

  for (const [query, days] of [
    ['q=camp', ['2031-05-10', '2031-05-11', '2031-05-12']],
    [`type=${course}`, ['2031-05-21']],
    ['state=confirmed', ['2031-05-31']],
    ['state=none&q=n', ['2031-05-01', '2031-05-04', '2031-05-21']],
    ['needs=1', ['2031-05-04']],
    ['fits=1&q=off', []],
    ['fits=1&q=run', ['2031-05-04']],
    ['month=2031-13', Object.keys(MAY)],
    ['month=x&day=2031-02-30', Object.keys(MAY)],
  ] as const)
    test(`filters: ${query}`, async () => assert.deepEqual(Object.keys(daysIn(await read(`?${query}`))), days))

  test('has text alternatives for colours and icons', async () => {
    const text = await read('')
    const line = (title: string) => text.split('<li><a class="day-shift').find((part) => part.includes(`day-event">${title}<`))!
    assert.match(line('Run'), /<title>Service<\/title>/s)
    assert.match(line('Night'), /You: confirmed/)
    assert.match(line('Off'), /cancelled/)
    assert.doesNotMatch(line('Off'), /missing/)
  })

  test('shows five shifts a day, and the rest on a page of that day', async () => {
    const seer = await world.addPerson({ name: 'Busy' })
    const shifts = [8, 9, 10, 11, 12, 13, 14].map((hour) => ({
      label: `No ${hour}`,
      start: `2031-05-06T${hour < 10 ? '0' : ''}${hour}:00+02:00`,
    }))
    const { shifts: ids } = await world.addEvent({ title: 'Long day', seenBy: [seer], shifts })
    await world.addParticipation({ who: seer, shift: ids[6]!, state: 0 })
    const text = await read('?q=long', seer)
    assert.deepEqual(
      daysIn(text)['2031-05-06']!.map((line) => line.replace(/.*, /, '')),
      ['No 8', 'No 9', 'No 10', 'No 11', 'No 14'],
    )
    assert.match(text, /href="\/events\/calendar\/\?q=long&day=2031-05-06"><span aria-hidden="true">2 more</)
    assert.match(text, /2 more shifts on Tue 6 May/)
    const day = await read('?q=long&day=2031-05-06', seer)
    assert.equal(day.match(/class="event-title"/g)!.length, 7)
    assert.match(day, /<h1>6 May 2031<\/h1>.*day=2031-05-05.*day=2031-05-07.*month=2031-05".*week=2031-05-06"/s)
    const week = await read('?q=long&week=2031-05-06', seer)
    assert.equal(daysIn(week)['2031-05-06']!.length, 7, 'a week shows all of them')
    assert.doesNotMatch(week, /day-more/)
    assert.match(day, /You: requested/)
  })

  test('starts the week on the day of the language', async () => {
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', ANN.id).execute()
    const text = await read('?month=2031-05')
    assert.match(text, /<span>Mo<\/span><span>Di<\/span>.*<span>So<\/span>.*<li class="day gap-3/s)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', ANN.id).execute()
  })

  test('shows shifts on days with clock changes', async () => {
    await one('Short', '2031-03-30T01:30+01:00', '2031-03-30T03:30+02:00')
    await one('Long', '2031-10-25T23:00+02:00', '2031-10-26T02:30+01:00')
    assert.deepEqual(daysIn(await read('?month=2031-03')), { '2031-03-30': ['01:30 Short'] })
    const october = daysIn(await read('?month=2031-10'))
    assert.deepEqual(Object.keys(october), ['2031-10-25', '2031-10-26'])
    assert.match(october['2031-10-26']![0]!, /^until 02:30 (CET|GMT\+1) Long$/)
  })
})

test('a month in the middle of which we are begins today on phones, and names shifts of one event by their labels', async () => {
  const world = await openWorld({ now: new Date('2031-05-15T10:00:00Z') })
  await world.addEvent({
    seenBy: [HELPERS],
    title: 'Watch',
    shifts: [
      { label: 'Early', start: '2031-05-04T08:00+02:00' },
      { label: 'Late', start: '2031-05-20T08:00+02:00' },
    ],
  })
  const read = async (query: string) => (await world.withSession(ANN).get(`/events/calendar/${query}`, { unchecked: true })).text
  const text = await read('')
  assert.match(text, /<a class="earlier" href="#all-days">.*Show earlier days<\/a>\s*<ol class="days from-today" id="all-days"/)
  assert.match(
    text,
    /<span class="day-event">Watch<\/span><span class="day-label"><span class="day-comma">, <\/span>Late<\/span>/,
  )
  assert.match(text, /No shifts today/)
  for (const query of ['?month=2031-06', '?month=2031-04', '?q=late']) assert.doesNotMatch(await read(query), /class="earlier"/)
})
