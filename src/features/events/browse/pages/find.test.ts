import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { type Person, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'

const decode = (text: string) => text.replaceAll('&amp;', '&')
const at = (day: string, hour = 8) => `2031-${day}T${String(hour).padStart(2, '0')}:00:00Z`
const titlesIn = (text: string) =>
  [...text.matchAll(/<h2 class="shift-title"><a href="[^"]+">([^<]+)</g)].map(([, title]) => title!)

const readerOf = (world: World) => async (path: string, who: Person) => {
  const { status, text } = await world.withSession(who).get(path, { unchecked: true })
  assert.equal(status, 200, path)
  assert.deepEqual(checkMarkup(text), [])
  return text
}

describe('the list of shifts to find', async () => {
  const world = await openWorld()
  const course = await world.addType({ title: 'Course' })
  const sue = await world.addPerson({ name: 'Sue', dateOfBirth: '2000-01-01' })
  const instant = { flow: 'instant_confirmation', configuration: { maximum_number_of_participants: 3 } }
  const add = (title: string, shift: object, more: object = {}) =>
    world.addEvent({ title, seenBy: [sue], shifts: [{ start: at('06-01'), ...shift }], ...more })
  await add('Later', { start: at('07-01'), stats: { missing: 0, free: 2 } })
  await add('Soon', { start: at('05-20'), label: 'Stalls', stats: { missing: 1, free: 2 } }, { location: 'Market 100%' })
  await add('Knots', { start: at('06-10'), end: at('06-10', 12) }, { type: course })
  await add('Adults', { configuration: { minimum_age: 60 } })
  await add('Full', {
    ...instant,
    configuration: { maximum_number_of_participants: 0 },
    stats: { missing: 0, free: 0, max: 0 },
  })
  for (const [title, state] of [
    ['Requested', 0],
    ['Confirmed', 1],
    ['Declined', 2],
    ['Rejected', 3],
  ] as const)
    await world.addParticipation({
      who: sue,
      shift: (await add(title, { start: at(`08-0${state + 1}`) })).shifts[0]!,
      state,
    })
  await add('Over', { start: at('04-01') })
  await add('Called off', {}, { cancelled: true })
  await add('Draft', {}, { draft: true })
  await world.addEvent({ title: 'Planners only', seenBy: [PLANNERS], shifts: [{ start: at('06-01') }] })

  const readAs = readerOf(world)
  const read = (path: string, who: Person = sue) => readAs(path, who)

  for (const [query, titles] of [
    ['', ['Soon', 'Knots', 'Later']],
    ['?all=1', ['Soon', 'Adults', 'Full', 'Knots', 'Later', 'Declined', 'Rejected']],
    ['?needs=1', ['Soon']],
    ['?q=market', ['Soon']],
    ['?q=100%25', ['Soon']],
    ['?q=nowhere', []],
    [`?type=${course}`, ['Knots']],
    ['?from=2031-06-10', ['Knots', 'Later']],
    ['?from=2031-06-11', ['Later']],
    ['?until=2031-06-10', ['Soon', 'Knots']],
    ['?until=2031-06-09', ['Soon']],
    ['?whose=ours', ['Soon', 'Knots', 'Later']],
    ['?whose=others', []],
    ['?state=confirmed', ['Soon', 'Knots', 'Later']],
  ] as const)
    test(`shows ${titles.join(', ') || 'nothing'} for “${query}”`, async () => {
      assert.deepEqual(titlesIn(await read(`/shifts/${query}`)), titles)
    })

  test('shows a card with title, day, hours and places, one button, and the rest folded', async () => {
    const text = await read('/shifts/?q=Soon')
    const card = text.split('<article class="shift-card compact"')[1]!.split('</article>')[0]!
    const [shown, folded] = card.split('<details class="shift-more">') as [string, string]
    assert.match(shown, /<a href="\/events\/\d+-soon\/#shift-\d+">Soon<.*20 May.*Stalls.*2 places left/s)
    assert.equal(shown.match(/<(button|a class="button)/g)?.length, 1)
    assert.match(folded, /Sign up with times.*Market 100%/s)
  })

  test('says why a shift cannot be taken, without a button', async () => {
    const card = (await read('/shifts/?all=1&q=Adults')).split('<article ')[1]!.split('</article>')[0]!
    assert.match(card.split('<details')[0]!, /60/)
    assert.doesNotMatch(card, /<button/)
  })

  test('offers the next step when nothing is found', async () => {
    const lea = await world.addPerson({ name: 'Lea' })
    assert.match(await read('/shifts/', lea), /No open shift fits you right now.*href="\/shifts\/\?all=1"/s)
    const none = await read('/shifts/?all=1', lea)
    assert.match(none, /No shift matches these filters/)
    assert.doesNotMatch(none.split('class="empty"')[1]!.split('</div>')[0]!, /href=/)
    assert.match(await read('/shifts/?q=nowhere', lea), /No shift matches these filters.*href="\/shifts\/"/s)
  })

  test('signs up in place, with the filters kept, and undoes it there', async () => {
    const ben = await world.addPerson({ name: 'Benno' })
    const made = await world.addEvent({ title: 'Walk', seenBy: [ben], shifts: [{ start: at('06-05'), ...instant }] })
    const browser = await browserOf(world, ben)
    await browser.get('/shifts/?q=Walk&needs=1&all=1')
    const done = await browser.post(`/shifts/${made.shifts[0]}/signup/`, {
      form: { quick: '1', from: 'find?q=Walk&all=1' },
    })
    assert.equal(done.headers.location, '/shifts/?q=Walk&all=1')
    const undo = (await browser.get('/shifts/?q=Walk&all=1')).body.match(/name="from" value="([^"]+)"/)?.[1]
    assert.equal(decode(undo!), 'find?q=Walk&all=1')
  })

  describe('with more shifts than one page shows', async () => {
    const max = await world.addPerson({ name: 'Max' })
    for (let n = 1; n <= 20; n++)
      await world.addEvent({ title: `No ${n}`, seenBy: [max], shifts: [{ start: at(`06-${String(n).padStart(2, '0')}`) }] })
    test('shows seven, and more where the list ended', async () => {
      const first = decode(await read('/shifts/?from=2031-06-01', max))
      assert.equal(titlesIn(first).length, 7)
      const next = first.match(/href="(\/shifts\/\?[^"]+)#(find-\d+)"[^>]*>.*Show more shifts/)!
      assert.equal(next[1], '/shifts/?from=2031-06-01&shown=19')
      assert.ok(first.includes(`<li id="${next[2]}" data-row>`))
      const second = decode(await read(next[1]!, max))
      assert.equal(titlesIn(second).length, 19)
      assert.match(second, /shown=31#/)
      const last = await read('/shifts/?shown=31', max)
      assert.equal(titlesIn(last).length, 20)
      assert.doesNotMatch(last, /Show more shifts/)
      // A form returns to the same length.
      assert.match(second, /name="from" value="find\?from=2031-06-01&shown=19"/)
    })
    for (const [shown, count] of [
      ['7', 7],
      ['8', 8],
      ['6', 7],
      ['x', 7],
      ['-1', 7],
      ['999', 20],
    ] as const)
      test(`shows ${count} for shown=${shown}`, async () => {
        assert.equal(titlesIn(await read(`/shifts/?shown=${shown}`, max)).length, count)
      })
  })

  test('judges a limited number of shifts and links to the rest of the search', async () => {
    const many = await world.addPerson({ name: 'Many', dateOfBirth: '2000-01-01' })
    const old = { start: at('06-10'), configuration: { minimum_age: 99 } }
    await world.addEvent({ title: 'For the old', seenBy: [many], shifts: Array.from({ length: 600 }, () => old) })
    await world.addEvent({ title: 'For all', seenBy: [many], shifts: [{ start: at('07-10') }] })
    const first = decode(await read('/shifts/', many))
    assert.deepEqual(titlesIn(first), [])
    assert.match(first, /href="\/shifts\/\?from=2031-06-10">Continue searching/)
    assert.match(decode(await read('/shifts/?from=2031-06-10', many)), /href="\/shifts\/\?from=2031-06-11">Continue searching/)
    const last = await read('/shifts/?from=2031-06-11', many)
    assert.deepEqual(titlesIn(last), ['For all'])
    assert.doesNotMatch(last, /Continue searching/)
  })

  test('finds a shift beyond the first ones that do not fit', async () => {
    const pia = await world.addPerson({ name: 'Pia', dateOfBirth: '2000-01-01' })
    const old = { start: at('06-10'), configuration: { minimum_age: 99 } }
    await world.addEvent({ title: 'For the old', seenBy: [pia], shifts: Array.from({ length: 61 }, () => old) })
    await world.addEvent({ title: 'For Pia', seenBy: [pia], shifts: [{ start: at('07-10') }] })
    const text = await read('/shifts/', pia)
    assert.deepEqual(titlesIn(text), ['For Pia'])
    assert.doesNotMatch(text, /Continue searching/)
  })
})

describe('the list of shifts to find, with partners', async () => {
  const world = await openWorld()
  const read = readerOf(world)
  const kim = await world.addPerson({ name: 'Kim' })
  await world.addEvent({
    title: 'Ours',
    location: 'Hall',
    seenBy: [kim],
    shifts: [{ start: at('06-10'), stats: { missing: 1, free: 2 } }],
  })
  const { id: host_id } = await world.db.write
    .insertInto('federated_host')
    .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 's', speaks_turnout: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  let remote_id = 0
  const share = async (title: string, start: string, end = start.replace('T08', 'T18')) => {
    const facts = { title, location: 'Pier', type_title: 'Race', signup_url: `https://nord.example/${title}` }
    const times = { start_time: new Date(start), end_time: new Date(end), fetched_at: world.now }
    const row = { host_id, remote_id: ++remote_id, ...facts, ...times }
    return (await world.db.write.insertInto('partner_event').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  await share('Before', at('06-01'))
  await share('After', at('06-20'))
  await share('Ended', at('04-01'))
  const taken = await share('Taken', at('06-15'))
  await world.db.write
    .insertInto('participation_abroad')
    .values({
      partner_event_id: taken,
      user_id: kim.id,
      remote_shift_id: 1,
      state: 1,
      shift_label: '',
      start_time: new Date(at('06-15')),
      end_time: new Date(at('06-15', 12)),
      fetched_at: world.now,
    })
    .execute()

  for (const [query, titles] of [
    ['', ['Before', 'Ours', 'After']],
    ['?all=1', ['Before', 'Ours', 'After']],
    ['?whose=ours', ['Ours']],
    ['?whose=others', ['Before', 'After']],
    ['?needs=1', ['Ours']],
    ['?q=pier', ['Before', 'After']],
    ['?from=2031-06-02', ['Ours', 'After']],
    ['?until=2031-06-19', ['Before', 'Ours']],
  ] as const)
    test(`shows ${titles.join(', ')} for “${query}”`, async () => {
      assert.deepEqual(titlesIn(await read(`/shifts/${query}`, kim)), titles)
    })

  test('names the partner, and leads to its page', async () => {
    const card = (await read('/shifts/?q=Before', kim)).split('<article ')[1]!.split('</article>')[0]!
    assert.match(card, /at Nord/)
    assert.match(card, /aria-label="Open Before at Nord"/)
  })

  test('counts partners’ events in the length of the list', async () => {
    const max = await world.addPerson({ name: 'Maxi' })
    for (let n = 1; n <= 6; n++) await world.addEvent({ title: `M ${n}`, seenBy: [max], shifts: [{ start: at(`06-0${n + 2}`) }] })
    const text = await read('/shifts/', max)
    assert.deepEqual(titlesIn(text), ['Before', 'M 1', 'M 2', 'M 3', 'M 4', 'M 5', 'M 6'])
    assert.match(text, /Show more shifts/)
  })
})
