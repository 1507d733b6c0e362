import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { askPeople } from './commands/ask.ts'

const NOON = new Date('2031-05-10T10:00:00Z')
/** 23:30 in Berlin. */
const NIGHT = new Date('2031-05-10T21:30:00Z')

describe('the page to ask people', async () => {
  const world = await openWorld()
  const people: Person[] = []
  for (let n = 0; n < 60; n++) {
    const person = await world.addPerson({ name: `Helper ${String(n).padStart(2, '0')}` })
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: person.id }).execute()
    people.push(person)
  }
  beforeEach(async () => {
    world.now = NOON
    await world.db.write.deleteFrom('inquiry').execute()
  })

  const addShift = async (start = '2031-05-20T08:00:00Z', end = '2031-05-20T14:00:00Z') => {
    const shift = {
      start,
      end,
      flow: 'instant_confirmation',
      configuration: { minimum_number_of_participants: 3, maximum_number_of_participants: 3 },
    }
    const { shifts } = await world.addEvent({ title: 'Run', seenBy: [HELPERS], responsible: [PAUL], shifts: [shift] })
    await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
    return shifts[0]!
  }
  const open = async (path: string) => {
    const { status, text } = await world.withSession(PAUL).get(path, { unchecked: true })
    assert.deepEqual([status, checkMarkup(text)], [200, []])
    return text
  }
  const post = async (shift: number, form: Record<string, string | string[]>) => {
    const browser = await browserOf(world, PAUL)
    const path = `/shifts/${shift}/ask/`
    await browser.get(path)
    const sent = await browser.post(path, { form: { count: '2', wanted: '3', how: 'all', size: '5', hours: '2', ...form } })
    return { status: sent.statusCode, body: sent.statusCode === 303 ? (await browser.get(path)).body : sent.body }
  }
  const askedNames = async () =>
    (
      await world.db.write
        .selectFrom('inquiry_person')
        .innerJoin('user_profile', 'user_profile.id', 'inquiry_person.user_id')
        .select('display_name as name')
        .orderBy('position')
        .execute()
    ).map(({ name }) => name)
  const shown = (text: string) => [...text.matchAll(/name="people" value="(\d+)"/g)].map(([, id]) => Number(id))

  const ticked = (text: string) => [...text.matchAll(/name="people" value="(\d+)"[^>]* checked/g)].map(([, id]) => Number(id))

  test('asks as many of the next people as the planner says, without a list to tick', async () => {
    const shift = await addShift()
    const text = await open(`/shifts/${shift}/ask/`)
    assert.match(text, /name="count"[^>]*value="6"|value="6"[^>]*name="count"/, 'twice as many as are missing')
    assert.match(text, /<details class="fold ask-choose" id="choose" ?>/, 'folded')
    assert.doesNotMatch(text, /ask-status/)
    const first = shown(text).slice(0, 2)
    const done = await post(shift, { who: 'next' })
    assert.match(done.body, /2 people are being asked\./)
    const names = await askedNames()
    assert.deepEqual(names, first.map((id) => people.find((one) => one.id === id)?.name).filter(Boolean))
    assert.match(done.body, /<dt>Asked<\/dt><dd>2<\/dd>[\s\S]*<dt>Can<\/dt><dd>0<\/dd>[\s\S]*<dt>No answer yet<\/dt><dd>2<\/dd>/)
    assert.match(done.body, /Withdraw 2 open questions/)
  })

  test('finds people by name, ticks all that are shown, and asks those who are chosen', async () => {
    const shift = await addShift()
    const text = await open(`/shifts/${shift}/ask/`)
    assert.equal(shown(text).length, 50)
    assert.match(text, /There are more; search by name/)
    assert.match(text, /not asked before/)
    const found = await open(`/shifts/${shift}/ask/?q=helper+5`)
    const named = people.filter(({ name }) => name.includes('5')).map(({ id }) => id)
    assert.deepEqual(
      shown(found).toSorted((a, b) => a - b),
      named,
    )
    assert.match(found, /<details class="fold ask-choose" id="choose" open>/)
    assert.doesNotMatch(found, /name="people"[^>]* checked/)
    assert.equal(ticked((await post(shift, { who: 'all', q: 'helper 5' })).body).length, named.length)
    assert.match(await open(`/shifts/${shift}/ask/?q=xyz`), /Nobody with this name can be asked/)
    const none = await post(shift, { who: 'chosen' })
    assert.equal(none.status, 422)
    assert.match(none.body, /Choose at least one person/)
    await post(shift, { who: 'chosen', people: String(people[57]!.id) })
    assert.deepEqual(await askedNames(), ['Helper 57'])
    assert.match(await open(`/shifts/${await addShift()}/ask/?q=helper+57`), /last asked now/)
  })

  test('keeps the ticks and all fields while people are searched for', async () => {
    const shift = await addShift()
    const [first, second, third] = [41, 52, 53].map((n) => people[n]!.id) as [number, number, number]
    const fields = { count: '4', how: 'waves', message: 'Bring boots\nplease' }
    const found = await post(shift, { ...fields, who: 'search', q: 'helper 5', people: [`${first}`, `${second}`] })
    assert.deepEqual([found.status, checkMarkup(found.body)], [200, []])
    assert.match(found.body, /<details class="fold ask-choose" id="choose" open>/)
    assert.match(found.body, /name="message"[^>]*>\s*Bring boots\s+please</)
    assert.match(found.body, /<input[^>]*(?=[^>]*value="waves")[^>]*checked/)
    assert.match(found.body, /<input[^>]*(?=[^>]*name="count")[^>]*value="4"/)
    assert.match(found.body, /<input[^>]*(?=[^>]*name="q")[^>]*value="helper 5"/)
    assert.equal(shown(found.body)[0], first, 'who is ticked and has another name comes first')
    assert.deepEqual(ticked(found.body), [first, second])
    const none = await post(shift, { who: 'search', q: 'xyz', people: `${first}` })
    assert.match(none.body, /Nobody with this name can be asked/)
    assert.deepEqual([shown(none.body), ticked(none.body)], [[first], [first]])
    const all = await post(shift, { who: 'all', q: 'helper 53', people: [`${first}`] })
    assert.deepEqual(ticked(all.body), [first, third])
    const fewer = await post(shift, { who: 'none', q: 'helper 53', people: [`${first}`, `${third}`] })
    assert.deepEqual([shown(fewer.body), ticked(fewer.body)], [[first, third], [first]])
    const cleared = await post(shift, { who: 'clear', q: 'helper 53', people: `${first}` })
    assert.ok(shown(cleared.body).length >= 50)
    assert.deepEqual(ticked(cleared.body), [first])
    assert.deepEqual(await askedNames(), [], 'nobody is asked by a search')
    // The first button of the form belongs to the Enter key.
    assert.equal(/<button[^>]*name="who"[^>]*value="(\w+)"/.exec(found.body.slice(found.body.indexOf('id="ask"')))?.[1], 'search')
  })

  test('at night: says that messages go out in the morning, and that nobody was asked yet', async () => {
    world.now = NIGHT
    const shift = await addShift()
    const before = await open(`/shifts/${shift}/ask/`)
    assert.match(before, /It is night: the messages go out on .*11 May at 07:00/)
    const done = await post(shift, { who: 'next' })
    assert.match(done.body, /It is night: 2 people are asked on .*11 May at 07:00/)
    assert.doesNotMatch(done.body, /are being asked/)
    assert.match(done.body, /2 messages go out on .*11 May at 07:00/)
    assert.match(done.body, /goes out on/)
    world.now = new Date('2031-05-11T06:00:00Z')
    const after = await open(`/shifts/${shift}/ask/`)
    assert.doesNotMatch(after, /go out|goes out/)
    // The shift begins before people could answer in the morning: they are asked at once.
    world.now = NIGHT
    const soon = await addShift('2031-05-11T06:00:00Z', '2031-05-11T10:00:00Z')
    assert.match((await post(soon, { who: 'next' })).body, /2 people are being asked\./)
  })

  test('messages do not wait for the morning if sign-up has closed by then', async () => {
    world.now = NIGHT
    const { shifts } = await world.addEvent({
      title: 'Run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        {
          start: '2031-05-20T08:00:00Z',
          end: '2031-05-20T14:00:00Z',
          flow: 'instant_confirmation',
          flowConfiguration: { signup_until: '2031-05-11T05:30:00Z' },
        },
      ],
    })
    const outcome = await askPeople(contextAs(world, PAUL), {
      shiftId: shifts[0]!,
      who: { next: 1 },
      wanted: 1,
      waves: undefined,
      message: '',
    })
    assert.ok(outcome.ok)
    assert.deepEqual(outcome.notifiedAt, NIGHT)
    const { changes } = await world.db.write
      .selectFrom('journal')
      .select('changes')
      .where('kind', '=', 'shift.asked')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal((changes as { until: string }).until, '2031-05-11T05:30:00.000Z', 'what notifications do not wait for')
  })
})
