import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const decode = (text: string) => text.replaceAll('&amp;', '&')
const titlesIn = (text: string) => [...text.matchAll(/class="event-title" href="[^"]+">([^<]+)</g)].map((found) => found[1]!)
const day = (month: number, date: number) => `2031-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}T08:00:00Z`

describe('the list of events', async () => {
  const world = await openWorld()
  const course = await world.addType({ title: 'Course' })
  const helpers = { seenBy: [HELPERS] }
  const run = await world.addEvent({
    ...helpers,
    title: 'Run',
    location: 'Dyke 100%',
    shifts: [
      { start: day(5, 20), stats: { missing: 2, free: 5, min: 2, max: 5 } },
      { start: day(5, 20), stats: { missing: 0, free: 1, min: 1, max: 2 } },
    ],
  })
  await world.addParticipation({ who: ANN, shift: run.shifts[0]!, state: 2 })
  await world.addParticipation({ who: ANN, shift: run.shifts[1]!, state: 1 })
  await world.addEvent({ ...helpers, title: 'Knots', type: course, description: 'Ropes', shifts: [{ start: day(6, 2) }] })
  await world.addEvent({
    ...helpers,
    title: 'Stormy fair',
    cancelled: true,
    shifts: [{ start: day(5, 10), stats: { missing: 9 } }],
  })
  const running = { start: '2031-04-30T08:00:00Z', end: '2031-05-02T08:00:00Z' }
  await world.addEvent({ ...helpers, title: 'Camp', shifts: [running] })
  const gone = await world.addEvent({ ...helpers, title: 'Gone', shifts: [{ start: day(4, 1), stats: { missing: 3 } }] })
  await world.addParticipation({ who: ANN, shift: gone.shifts[0]!, state: 0 })
  await world.addEvent({ ...helpers, title: 'Long gone', shifts: [{ start: day(1, 1) }] })
  await world.addEvent({ ...helpers, title: 'Draft', draft: true, shifts: [{ start: day(5, 20) }] })
  await world.addEvent({ ...helpers, title: 'Deleted', deleted: true, shifts: [{ start: day(5, 20) }] })
  await world.addEvent({ seenBy: [PLANNERS], title: 'Planners only', shifts: [{ start: day(5, 20) }] })

  async function read(who: Person, path: string): Promise<string> {
    const { status, text } = await world.withSession(who).get(path, { unchecked: true })
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }

  test('lists visible events, upcoming first, cancelled ones with their reason, no drafts', async () => {
    const text = await read(ANN, '/events/')
    assert.deepEqual(titlesIn(text), ['Camp', 'Stormy fair', 'Run', 'Knots'])
    assert.match(text, /4 events/)
    assert.match(text, /Stormy fair.*class="event-remark">storm<.*cancelled/s)
    assert.ok(!text.includes('9 missing'))
    assert.deepEqual(titlesIn(await read(PAUL, '/events/')), ['Planners only'])
    assert.deepEqual(titlesIn(await read(OLGA, '/events/')), ['Camp', 'Stormy fair', 'Run', 'Planners only', 'Knots'])
  })

  test('shows the own state and the staffing over all shifts to planners, the places to others', async () => {
    const rowOf = (text: string) => text.split('<li ').find((row) => row.includes('>Run<'))!
    const row = rowOf(await read(ANN, '/events/'))
    assert.match(row, /You: confirmed/)
    assert.doesNotMatch(row, /missing|places/)
    assert.match(rowOf(await read(OLGA, '/events/')), /2 missing/)
    assert.match(row, /2 shifts/)
    const other = rowOf(await read(BEN, '/events/'))
    assert.match(other, /6 places left/)
    assert.doesNotMatch(other, /You:|missing/)
  })

  test('links to the bin for those who can restore events', async () => {
    assert.match(await read(OLGA, '/events/'), /href="\/events\/bin\/"/)
    assert.doesNotMatch(await read(ANN, '/events/'), /href="\/events\/bin\/"/)
  })

  test('has months as headings', async () => {
    assert.match(await read(ANN, '/events/'), /April 2031<.*Camp.*May 2031<.*Run.*June 2031<.*Knots/s)
  })

  test('shows past events, latest first, without staffing', async () => {
    const text = await read(ANN, '/events/?when=past')
    assert.deepEqual(titlesIn(text), ['Gone', 'Long gone'])
    assert.match(text, /You: requested/)
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
    ['from=2031-05-20', ['Run', 'Knots']],
    ['from=2031-05-21', ['Knots']],
    ['until=2031-05-19', ['Camp', 'Stormy fair']],
    ['from=2031-05-10&until=2031-05-20', ['Stormy fair', 'Run']],
    ['from=2031-03-01', ['Gone', 'Camp', 'Stormy fair', 'Run', 'Knots']],
    ['from=2031-03-01&when=past', ['Gone']],
    ['until=2031-01-31&when=past', ['Long gone']],
    ['from=2031-02-30', ['Camp', 'Stormy fair', 'Run', 'Knots']],
    ['from=0001-01-01', ['Camp', 'Stormy fair', 'Run', 'Knots']],
    ['state=confirmed', ['Run']],
    ['state=in&when=past', ['Gone']],
    ['state=none', ['Camp', 'Stormy fair', 'Knots']],
    ['state=decide', []],
    ['state=sometimes', ['Camp', 'Stormy fair', 'Run', 'Knots']],
    ['needs=1', ['Run']],
    ['needs=1&when=past', ['Gone', 'Long gone']],
    ['fits=1', ['Camp', 'Knots']],
    ['fits=1&needs=1', []],
    ['state=requested', []],
  ] as const) {
    test(`finds ${titles.length ? titles.join(', ') : 'nothing'} by ?${query.slice(0, 30)}`, async () => {
      assert.deepEqual(titlesIn(await read(ANN, `/events/?${query}`)), titles)
    })
  }

  test('keeps all filters in the URL', async () => {
    const text = await read(ANN, `/events/?q=knots&type=${course}`)
    assert.deepEqual(titlesIn(text), ['Knots'])
    assert.match(text, /name="q"[^>]*value="knots"|value="knots"[^>]*name="q"/)
    assert.match(text, new RegExp(`<input type="checkbox" checked[^>]*name="type" value="${course}"`))
    assert.ok(decode(text).includes(`href="/events/?when=past&q=knots&type=${course}"`))
    const past = await read(ANN, '/events/?when=past&q=gone')
    assert.match(past, /<input type="hidden" name="when" value="past">/)
  })

  test('folds the filters into one control that says what is set, beside a link that clears all', async () => {
    const controlOf = (text: string) => text.match(/<summary class="button secondary[^>]*>.*?<span>([^<]+)<\/span>/)?.[1]
    const text = await read(
      ANN,
      `/events/?q=knots&type=${course}&from=2031-06-01&until=2031-06-30&state=none&needs=1&fits=1&whose=ours`,
    )
    assert.equal(
      controlOf(text),
      'Filter: “knots” · Fits me · Needs people · Course · from 1 June 2031 · until 30 June 2031 · Not answered yet · Us',
    )
    assert.match(text, /class="clear-all" href="\/events\/"/)
    assert.match(decode(await read(ANN, '/events/?when=past&q=gone')), /class="clear-all" href="\/events\/\?when=past"/)
    const plain = await read(ANN, '/events/')
    assert.equal(controlOf(plain), 'Filter')
    assert.doesNotMatch(plain, /clear-all/)
  })

  test('keeps the boxes that are ticked', async () => {
    const ticked = (text: string) =>
      [...text.matchAll(/<input type="checkbox"[^>]*name="(\w+)" value="1" checked/g)].map(([, name]) => name)
    assert.deepEqual(ticked(await read(ANN, '/events/?fits=1')), ['fits'])
    assert.deepEqual(ticked(await read(ANN, '/events/?needs=1')), ['needs'])
    assert.doesNotMatch(await read(ANN, '/events/?when=past'), /name="(fits|needs)"/)
  })

  test('offers the next step when nothing is found', async () => {
    assert.match(await read(ANN, '/events/?q=nowhere'), /No event matches this search.*href="\/events\/"/s)
    assert.match(await read(VERA, '/events/'), /There are no upcoming events for your groups.*href="\/events\/\?when=past"/s)
    assert.match(await read(VERA, '/events/?when=past'), /There are no past events for your groups.*href="\/events\/"/s)
  })

  test('has pages of 50 and redirects from beyond the end', async () => {
    const seer = await world.addPerson({ name: 'Page' })
    for (let n = 1; n <= 51; n++) await world.addEvent({ title: `No ${n}`, seenBy: [seer], shifts: [{}] })
    const first = await read(seer, '/events/?q=no')
    assert.equal(titlesIn(first).length, 50)
    assert.match(first, /1–50 of 51/)
    assert.ok(decode(first).includes('href="/events/?q=no&page=2"'))
    assert.deepEqual(titlesIn(await read(seer, '/events/?q=no&page=2')), ['No 51'])
    const beyond = await world.withSession(seer).get('/events/?q=no&page=9', { unchecked: true })
    assert.deepEqual([beyond.status, beyond.headers.location], [303, '/events/?q=no&page=2'])
  })

  test('redirects to the sign-in page and back', async () => {
    const { status, headers } = await world.nobody.get('/events/?q=a', { unchecked: true })
    assert.deepEqual([status, headers.location], [303, '/accounts/login/?next=%2Fevents%2F%3Fq%3Da'])
  })

  test('takes several types', async () => {
    const text = await read(ANN, `/events/?type=${course}&type=1&q=n`)
    assert.deepEqual(titlesIn(text), ['Run', 'Knots'])
    assert.deepEqual(titlesIn(await read(ANN, `/events/?type=${course}&type=999999`)), ['Knots'])
  })
})

describe('the list of events, by state', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  const doctor = await world.addQualification('Doctor', [medic])
  const seer = await world.addPerson({ name: 'Sue', dateOfBirth: '2010-01-01' })
  const from = (title: string, shift: object, more: object = {}) =>
    world.addEvent({ title, seenBy: [seer], shifts: [{ start: day(6, 1), ...shift }], ...more })
  const titles = async (query: string, who = seer) => {
    const { status, text } = await world.withSession(who).get(`/events/?${query}`, { unchecked: true })
    assert.equal(status, 200)
    return titlesIn(text).sort()
  }

  test('fits me: events that the person can sign up for, not those that they take part in', async () => {
    await from('Open', {})
    await from('Adults', { configuration: { minimum_age: 30 } })
    await from('Medics', { configuration: { required_qualification_ids: [medic.id] } })
    await from('Full', {
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: 0 },
      stats: { missing: 0, free: 0, max: 0 },
    })
    await from('Manual', { flow: 'manual' })
    await from('Closed', { flowConfiguration: { signup_until: '2031-04-01T00:00:00Z' } })
    await from('Called off', {}, { cancelled: true })
    const busy = await from('Busy', { flow: 'manual', start: day(7, 1) })
    await world.addParticipation({ who: seer, shift: busy.shifts[0]!, state: 1 })
    await from('At the same time', { start: day(7, 1), flowConfiguration: { user_can_customize_signup_times: false } })
    const type = await world.addType({ title: 'For medics' })
    await world.db.write
      .insertInto('event_type_required_qualification')
      .values({ event_type_id: type, qualification_id: medic.id })
      .execute()
    await from('Type for medics', {}, { type })
    assert.deepEqual(await titles('fits=1'), ['Open'])
    await world.holds(seer, doctor)
    assert.deepEqual(await titles('fits=1'), ['Medics', 'Open', 'Type for medics'])
  })

  test('fits me and needs people: the shift that fits lacks people, and the list names it', async () => {
    const kim = await world.addPerson({ name: 'Kim' })
    const short = { stats: { missing: 2, free: 2 } }
    const enough = { stats: { missing: 0, free: 5 } }
    const own = await world.addEvent({
      title: 'Own',
      seenBy: [kim],
      shifts: [
        { label: 'Early', start: day(6, 1), ...short },
        { label: 'Late', start: day(6, 2), ...enough },
      ],
    })
    await world.addParticipation({ who: kim, shift: own.shifts[0]!, state: 0 })
    await world.addEvent({
      title: 'Two of three',
      seenBy: [kim],
      shifts: [
        { label: 'North', start: day(6, 3), ...short },
        { label: 'Medics', start: day(6, 4), configuration: { required_qualification_ids: [medic.id] }, ...short },
        { label: 'South', start: day(6, 5), ...short },
      ],
    })
    assert.deepEqual(await titles('fits=1&needs=1', kim), ['Two of three'])
    const { text } = await world.withSession(kim).get('/events/?fits=1&needs=1', { unchecked: true })
    assert.match(text, /You can sign up for North \([^)]+\) and South \([^)]+\)\./)
    assert.deepEqual(await titles('fits=1', kim), ['Own', 'Two of three'])
  })

  test('to decide: for planners, while there are open requests', async () => {
    const planner = await world.addPerson({ name: 'Pia' })
    const mine = await world.addEvent({ title: 'Asked for', responsible: [planner], shifts: [{}] })
    await world.addParticipation({ who: ANN, shift: mine.shifts[0]!, state: 0 })
    const calm = await world.addEvent({ title: 'Calm', responsible: [planner], shifts: [{}] })
    await world.addParticipation({ who: ANN, shift: calm.shifts[0]!, state: 1 })
    const theirs = await world.addEvent({ title: 'Not mine', seenBy: [planner], shifts: [{}] })
    await world.addParticipation({ who: ANN, shift: theirs.shifts[0]!, state: 0 })
    assert.deepEqual(await titles('state=decide', planner), ['Asked for'])
    const text = (who: Person) => world.withSession(who).get('/events/', { unchecked: true })
    assert.match((await text(planner)).text, /Needs your decision/)
    assert.doesNotMatch((await text(seer)).text, /Needs your decision/)
  })

  test('judges a limited number of shifts and links to the rest of the search', async () => {
    const many = await world.addPerson({ name: 'Many' })
    const needs = { configuration: { minimum_age: 99 } }
    const shifts = Array.from({ length: 600 }, () => ({ start: day(6, 10), ...needs }))
    await world.db.write.updateTable('user_profile').set({ date_of_birth: '2000-01-01' }).where('id', '=', many.id).execute()
    await world.addEvent({ title: 'For the old', seenBy: [many], shifts })
    await world.addEvent({ title: 'For all', seenBy: [many], shifts: [{ start: day(7, 10) }] })
    const read = (query: string) => world.withSession(many).get(`/events/?${query}`, { unchecked: true })
    const first = decode((await read('fits=1')).text)
    assert.deepEqual(titlesIn(first), [])
    assert.match(first, /href="\/events\/\?from=2031-06-10&fits=1">Continue searching/)
    assert.match(
      decode((await read('from=2031-06-10&fits=1')).text),
      /href="\/events\/\?from=2031-06-11&fits=1">Continue searching/,
    )
    const last = (await read('from=2031-06-11&fits=1')).text
    assert.deepEqual(titlesIn(last), ['For all'])
    assert.doesNotMatch(last, /Continue searching/)
  })
})
