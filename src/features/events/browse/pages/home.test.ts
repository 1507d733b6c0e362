import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const day = (month: number, date: number) => `2031-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}T08:00:00Z`

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

/** The words of the part with that heading. */
function partOf(text: string, heading: string): string {
  const section = text.split('<section ').find((part) => part.includes(`<h2>${heading}`))
  assert.ok(section, heading)
  return plain(section.split('</section>')[0]!)
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

  test('shows the next shift with its place, a map and the meeting time, and nothing about staffing', async () => {
    const text = await read(ANN)
    const next = partOf(text, 'Next shift')
    assert.match(next, /My shifts: All 3 .*Fair, Early Mon 5 May 10:00–11:00 meet 09:15 Pier 3 Map /)
    assert.doesNotMatch(next, /Late|Asked|Over|missing|1 of 3/)
    assert.ok(text.includes('https://www.openstreetmap.org/search?query=Pier+3'))
  })

  test('names cancelled shifts of the person', async () => {
    assert.match(partOf(await read(ANN), 'Next shift'), /Off, Tue 6 May is cancelled: storm/)
    assert.doesNotMatch(await read(VERA), /cancelled/)
  })

  test('lets people say that they can’t come, and says why not where they cannot', async () => {
    const person = await world.addPerson({ name: 'Cara' })
    const { shifts } = await world.addEvent({
      title: 'Open',
      seenBy: [person],
      shifts: [shift('', 4, { flowConfiguration: { user_can_decline_confirmed: true } })],
    })
    await world.addParticipation({ who: person, shift: shifts[0]! })
    assert.ok((await read(person)).includes(`href="/shifts/${shifts[0]}/decline/?from=home"`))
    const next = partOf(await read(ANN), 'Next shift')
    assert.match(next, /can’t change that here any more/)
    assert.match(await read(ANN), /<a href="\/events\/[^"#]+#contact">Ask the planners\.<\/a>/)
    assert.doesNotMatch(next, /Can’t come/)
  })

  test('names a person who plans the event, with a link that calls them', async () => {
    const planner = await world.addPerson({ name: 'Pina Phone', phone: '+491713920012' })
    await world.db.write.updateTable('user_profile').set({ shows_phone: true }).where('id', '=', planner.id).execute()
    const person = await world.addPerson({ name: 'Dora' })
    const { shifts } = await world.addEvent({
      title: 'Run',
      seenBy: [person],
      responsible: [planner],
      shifts: [
        shift('', 4, {
          structure: 'named_teams',
          configuration: { teams: [{ uuid: 'north', title: 'North', min_count: 1, max_count: 2 }] },
        }),
      ],
    })
    await world.addParticipation({ who: person, shift: shifts[0]! })
    await world.db.write
      .updateTable('participation')
      .set({ structure_data: { dispatched_team_uuid: 'north' } })
      .where('user_id', '=', person.id)
      .execute()
    const text = await read(person)
    assert.match(text, /href="tel:\+491713920012"/)
    assert.match(partOf(text, 'Next shift'), /You: North Pina Phone/)
  })

  describe('on the day', async () => {
    const addRunning = async (name: string, isChanging: boolean) => {
      const person = await world.addPerson({ name })
      const { id, shifts } = await world.addEvent({
        title: 'Today',
        seenBy: [person],
        shifts: [{ label: '', start: new Date(world.now.getTime() - 3_600_000).toISOString(), end: day(5, 2) }],
      })
      const participation = await world.addParticipation({ who: person, shift: shifts[0]! })
      const token = `token-${id}`
      const sealed = world.app.site.keyring.seal(token)
      await sql`insert into event_check_in (event_id, is_active, is_changing, token_hash, token_sealed)
        values (${id}, true, ${isChanging}, ${hashSecret(token)}, ${sealed})`.execute(world.db.write)
      return { person, path: `/events/${id}/check-in/own/${participation}/` }
    }

    test('a person checks in and out, and the page says so', async () => {
      const { person, path } = await addRunning('Emil', false)
      const before = await read(person)
      assert.match(before, /Your shift is running\./)
      assert.match(partOf(before, 'Next shift'), /I am here/)
      const browser = await browserOf(world, person)
      assert.equal((await browser.post(path, { form: { kind: 'arrived' } })).statusCode, 303)
      const there = await read(person)
      assert.match(there, /You are checked in\./)
      assert.match(partOf(there, 'Next shift'), /Checked in since .* Check out/)
      assert.doesNotMatch(partOf(there, 'Next shift'), /I am here/)
      assert.equal((await browser.post(path, { form: { kind: 'left' } })).statusCode, 303)
      assert.doesNotMatch(await read(person), /You are checked in\.|Check out/)
    })

    test('a code that changes has to be scanned at the place', async () => {
      const { person, path } = await addRunning('Fritz', true)
      assert.match(partOf(await read(person), 'Next shift'), /Scan the code at the place/)
      const browser = await browserOf(world, person)
      assert.equal((await browser.post(path, { form: { kind: 'arrived' } })).statusCode, 404)
      assert.doesNotMatch(await read(person), /You are checked in\./)
    })

    test('nobody checks in others', async () => {
      const { person, path } = await addRunning('Gerd', false)
      const other = await browserOf(world, BEN)
      await other.post(path, { form: { kind: 'arrived' } })
      assert.doesNotMatch(await read(person), /You are checked in\./)
    })
  })

  test('counts what is open, with a link to it', async () => {
    const text = await read(ANN)
    assert.match(plain(text), /Requests and waiting lists 1 /)
    assert.ok(text.includes('href="/my-shifts/#open"'))
    assert.doesNotMatch(await read(VERA), /my-shifts\/#open/)
  })

  test('links to shifts with open requests for planners', async () => {
    const links = async (who: Person) => plain((await read(who)).split('home-links')[1]!)
    assert.match(await links(PAUL), /Requests for shifts to decide 1 /)
    assert.match(await links(OLGA), /Requests for shifts to decide 1 /)
    assert.doesNotMatch(await links(ANN), /to decide/)
    const planner = await world.addPerson({ name: 'Pia Planner' })
    await world.addEvent({ title: 'Quiet', responsible: [planner], shifts: [{}] })
    assert.doesNotMatch(await links(planner), /to decide/)
  })

  test('does not count requests for cancelled events', async () => {
    const person = await world.addPerson({ name: 'Busy Bee' })
    const stormy = await world.addEvent({ title: 'Stormy', cancelled: true, seenBy: [person], shifts: [shift('', 6)] })
    await world.addParticipation({ who: person, shift: stormy.shifts[0]!, state: 0 })
    assert.doesNotMatch(await read(person), /Stormy|#open/)
  })

  test('offers the next step to people without shifts', async () => {
    const text = await read(VERA)
    assert.match(text, /You have no upcoming shifts\./)
    assert.match(partOf(text, 'Next shift'), /You are not confirmed for any upcoming shift\. Find a shift/)
    assert.match(partOf(text, 'You could help here'), /No free shift fits you right now\./)
    assert.match(plain(text), /All events/)
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
