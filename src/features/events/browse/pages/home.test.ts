import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const day = (month: number, date: number) => `2031-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}T08:00:00Z`

/** The words of the part with that heading. */
function partOf(text: string, heading: string): string {
  const section = text.split('<section ').find((part) => part.includes(`<h2>${heading}`))
  assert.ok(section, heading)
  return section.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

describe('home', async () => {
  const world = await openWorld()
  const shift = (label: string, date: number, more = {}) => ({ label, start: day(5, date), ...more })
  const fair = await world.addEvent({
    title: 'Fair',
    seenBy: [HELPERS],
    responsible: [PLANNERS],
    shifts: [
      shift('Late', 9),
      shift('Early', 5, { meeting: '2031-05-05T07:15:00Z', stats: { missing: 1, free: 2, min: 2, max: 3 } }),
      shift('Asked', 7),
      shift('Mirror', 8, { flow: 'coupled' }),
      { label: 'Over', start: day(4, 2) },
    ],
  })
  const [late, early, requested, mirror, over] = fair.shifts as [number, number, number, number, number]
  for (const [shift, state] of [
    [late, 1],
    [early, 1],
    [requested, 0],
    [over, 1],
  ] as const)
    await world.addParticipation({ who: ANN, shift, state })
  for (const shift of [requested, mirror, over]) await world.addParticipation({ who: BEN, shift, state: 0 })
  const off = await world.addEvent({ title: 'Off', cancelled: true, seenBy: [HELPERS], shifts: [shift('', 6)] })
  await world.addParticipation({ who: ANN, shift: off.shifts[0]! })
  await world.addEvent({ title: 'Gone', seenBy: [HELPERS], shifts: [{ start: day(3, 1) }] })
  await world.addEvent({ title: 'Draft', draft: true, seenBy: [HELPERS], shifts: [{}] })
  await world.addEvent({ title: 'Elsewhere', shifts: [{}] })

  async function read(who: Person): Promise<string> {
    const { status, text } = await world.withSession(who).get('/', { unchecked: true })
    assert.equal(status, 200)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }

  test('greets and shows when the next shift starts', async () => {
    const text = await read(ANN)
    assert.match(text, /<h1>Hello Ann<\/h1>.*Your next shift starts in 4 days\./s)
  })

  test('lists the next shifts in order, with cancelled ones and without past ones', async () => {
    const next = partOf(await read(ANN), 'Your next shifts')
    assert.match(
      next,
      /Mon 5 May 10:00–11:00 Fair, Early 1 missing meet 09:15 Pier 3 Service 1 of 3.*Off.*cancelled storm.*Fair, Late/,
    )
    assert.doesNotMatch(next, /Asked|Over/)
  })

  test('lists open requests', async () => {
    assert.match(partOf(await read(ANN), 'Your requests'), /1 .* Fair, Asked/)
  })

  test('lists upcoming events that the person can see', async () => {
    const coming = partOf(await read(ANN), 'Upcoming events')
    assert.match(coming, /Fair .*You: confirmed/)
    assert.doesNotMatch(coming, /Gone|Draft|Elsewhere|Off/)
  })

  test('lists shifts with open requests for planners, with links to the board', async () => {
    const waiting = partOf(await read(PAUL), 'Waiting for your decision')
    assert.match(waiting, /^class="section-block" ?> Waiting for your decision 1 .*Fair, Asked .*2 requests/)
    assert.match(partOf(await read(OLGA), 'Waiting for your decision'), /2 requests/)
    assert.ok(!(await read(ANN)).includes('Waiting for your decision'))
  })

  test('has nothing to decide after all requests are answered', async () => {
    const planner = await world.addPerson({ name: 'Pia Planner' })
    await world.addEvent({ title: 'Quiet', responsible: [planner], shifts: [{}] })
    const text = await read(planner)
    assert.match(text, /Hello Pia</)
    assert.match(partOf(text, 'Waiting for your decision'), /No requests are waiting for your decision\. Show upcoming events/)
  })

  test('links to all own shifts if there are more than it shows, and leaves out requests for cancelled events', async () => {
    const person = await world.addPerson({ name: 'Busy Bee' })
    const days = Array.from({ length: 7 }, (_, at) => shift(`Part ${at}`, 10 + at))
    const week = await world.addEvent({ title: 'Week', seenBy: [person], shifts: days })
    for (const id of week.shifts) await world.addParticipation({ who: person, shift: id, state: 1 })
    const stormy = await world.addEvent({ title: 'Stormy', cancelled: true, seenBy: [person], shifts: [shift('', 6)] })
    await world.addParticipation({ who: person, shift: stormy.shifts[0]!, state: 0 })
    const text = await read(person)
    assert.match(text, /href="\/events\/\?state=confirmed"/)
    assert.match(partOf(text, 'Your next shifts'), /Your next shifts 7 Show all/)
    assert.match(partOf(text, 'Your requests'), /You have no open requests/)
    assert.doesNotMatch(text, /Stormy/)
    assert.doesNotMatch(await read(ANN), /href="\/events\/\?state=confirmed"/)
  })

  test('offers the next step in empty sections', async () => {
    const text = await read(VERA)
    assert.match(text, /You have no upcoming shifts\./)
    assert.match(partOf(text, 'Your next shifts'), /You are not confirmed for any upcoming shift\. Find a shift/)
    assert.match(partOf(text, 'Your requests'), /You have no open requests\. Show upcoming events/)
    assert.match(partOf(text, 'Upcoming events'), /There are no upcoming events for your groups\. Show past events/)
  })

  test('is translated to German', async () => {
    const person = await world.addPerson({ name: 'Grete' })
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', person.id).execute()
    assert.match(await read(person), /<h1>Hallo Grete<\/h1>.*Du hast keine kommenden Schichten/s)
  })

  test('redirects to the sign-in page', async () => {
    const { status, headers } = await world.nobody.get('/', { unchecked: true })
    assert.deepEqual([status, headers.location], [303, '/accounts/login/?next=%2F'])
  })

  test('shows the name of the organisation if it is set', async () => {
    assert.match(await read(ANN), /<title>Home · Turnout<\/title>/)
    const name = JSON.stringify('Harbour <Helpers>')
    await world.db.write.insertInto('setting').values({ name: 'organization_name', value: name }).execute()
    assert.match(await read(ANN), /<title>Home · Harbour &lt;Helpers&gt;<\/title>/)
    assert.match((await world.nobody.get('/accounts/login/', { unchecked: true })).text, /Harbour &lt;Helpers&gt;/)
  })
})
