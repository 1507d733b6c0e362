import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { cancelShift, restoreShift } from '#features/planning/planning/commands/removals.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { type Component, eventsOf, momentOf, parseIcal, textOf } from '#test/support/ical.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'

const unchecked = true
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function giveToken(world: World, person: Person, token: string): Promise<void> {
  const values = { calendar_token_hash: hashSecret(token), calendar_token_sealed: makeKeyring('k'.repeat(32)).seal(token) }
  await world.db.write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
}

const bySummary = (calendar: Component) => new Map(eventsOf(calendar).map((event) => [textOf(event, 'SUMMARY'), event]))

describe('the calendar feed', async () => {
  const world = await openWorld()
  await giveToken(world, ANN, 'anns-secret')
  const feed = (query = '', token = 'anns-secret', headers = {}) =>
    world.nobody.get(`/calendar/${token}/${query}`, { unchecked, headers })
  const read = async (query = '') => parseIcal((await feed(query)).text)

  const run = await world.addEvent({
    title: 'Run; jump, "swim" \\ 🏊',
    location: 'Pier 3, north; left',
    description: 'Bring\nboots – '.repeat(12),
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      { label: 'North', meeting: '2031-05-04T07:30+02:00', start: '2031-05-04T08:00+02:00', end: '2031-05-04T16:00+02:00' },
      { label: 'South', start: '2031-05-04T08:00+02:00' },
      { label: 'West', start: '2031-05-04T08:00+02:00' },
      { label: 'East', start: '2031-05-04T08:00+02:00' },
    ],
  })
  await world.addParticipation({ who: ANN, shift: run.shifts[0]!, state: 1 })
  await world.addParticipation({ who: ANN, shift: run.shifts[1]!, state: 0 })
  await world.addParticipation({ who: ANN, shift: run.shifts[2]!, state: 3 })
  await world.addParticipation({ who: ANN, shift: run.shifts[3]!, state: 2 })
  const off = await world.addEvent({ title: 'Off', cancelled: true, shifts: [{ start: '2031-05-06T08:00+02:00' }] })
  await world.addParticipation({ who: ANN, shift: off.shifts[0]!, state: 1 })
  for (const gone of [{ draft: true }, { deleted: true }]) {
    const { shifts } = await world.addEvent({ ...gone, title: 'Nowhere', shifts: [{}] })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
  }
  await world.addParticipation({ who: BEN, shift: run.shifts[0]!, state: 1 })

  test('a cancelled shift stays in the calendar as cancelled, with the reason', async () => {
    const { shifts } = await world.addEvent({
      title: 'Regatta',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { label: 'Desk', start: '2031-05-20T08:00+02:00' },
        { label: 'Tent', start: '2031-05-20T08:00+02:00' },
      ],
    })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    const find = async () => bySummary(await read()).get('Regatta, Desk')!
    const before = await find()
    await cancelShift(contextAs(world, PAUL), { shiftId: shifts[0]!, reason: 'Storm' })
    const during = await find()
    assert.equal(textOf(during, 'STATUS'), 'CANCELLED')
    assert.match(textOf(during, 'DESCRIPTION')!, /Storm/)
    assert.equal(textOf(during, 'UID'), textOf(before, 'UID'))
    assert.ok(Number(textOf(during, 'SEQUENCE')) > Number(textOf(before, 'SEQUENCE')))
    await restoreShift(contextAs(world, PAUL), { shiftId: shifts[0]! })
    const after = await find()
    assert.equal(textOf(after, 'STATUS'), 'CONFIRMED')
    assert.ok(Number(textOf(after, 'SEQUENCE')) >= Number(textOf(during, 'SEQUENCE')))
    await world.db.write.deleteFrom('shift').where('id', '=', shifts[0]!).execute()
  })

  test('contains confirmed shifts, without a session', async () => {
    const { status, headers, text } = await feed()
    assert.deepEqual([status, headers['content-type']], [200, 'text/calendar; charset=utf-8'])
    const calendar = parseIcal(text)
    const events = bySummary(calendar)
    assert.deepEqual([...events.keys()], ['Run; jump, "swim" \\ 🏊, North', 'Off'])
    const event = events.get('Run; jump, "swim" \\ 🏊, North')!
    assert.equal(textOf(event, 'UID'), `shift-${run.shifts[0]}@a.example`)
    assert.equal(textOf(event, 'STATUS'), 'CONFIRMED')
    assert.equal(textOf(event, 'LOCATION'), 'Pier 3, north; left')
    const description = textOf(event, 'DESCRIPTION')!
    assert.match(description, /^Meet at 07:30\n\nBring\nboots –/)
    assert.ok(description.endsWith(`${SITE_URL}/events/${run.id}-run-jump-swim/`))
    assert.equal(momentOf(calendar, event, 'DTSTART'), '2031-05-04T06:00:00.000Z')
    assert.equal(momentOf(calendar, event, 'DTEND'), '2031-05-04T14:00:00.000Z')
    const organizer = event.getFirstProperty('organizer')!
    assert.deepEqual([organizer.getFirstParameter('cn'), organizer.getFirstValue()], ['Paul', 'mailto:noreply@a.example'])
    // An hour before the people meet.
    assert.deepEqual(
      event.getAllSubcomponents().map((alarm) => textOf(alarm, 'TRIGGER')),
      ['-PT1H30M'],
    )
    assert.doesNotMatch(text, /paul@a\.example|Ben/)
  })

  test('shows that an event is cancelled and why, without a reminder', async () => {
    const event = bySummary(await read()).get('Off')!
    assert.deepEqual([textOf(event, 'STATUS'), event.getAllSubcomponents()], ['CANCELLED', []])
    assert.match(textOf(event, 'DESCRIPTION')!, /Cancelled: storm/)
  })

  test('contains requests and rejected requests if the URL says so', async () => {
    const states = async (query: string) =>
      eventsOf(await read(query)).map(
        (event) => `${textOf(event, 'STATUS')} ${/\w+(?= \(|$)/.exec(textOf(event, 'SUMMARY')!)![0]}`,
      )
    assert.deepEqual(await states('?requested=1'), ['CONFIRMED North', 'TENTATIVE South', 'CANCELLED Off'])
    assert.deepEqual(await states('?rejected=1'), ['CONFIRMED North', 'CANCELLED West', 'CANCELLED Off'])
    assert.deepEqual(await states('?requested=1&rejected=1'), [
      'CONFIRMED North',
      'TENTATIVE South',
      'CANCELLED West',
      'CANCELLED Off',
    ])
    assert.deepEqual(await states('?requested=yes'), ['CONFIRMED North', 'CANCELLED Off'])
  })

  test('uses individual times and keeps the UID', async () => {
    const before = textOf(eventsOf(await read())[0]!, 'SEQUENCE')
    const own = { individual_start_time: new Date('2031-05-04T07:00Z'), individual_end_time: new Date('2031-05-04T09:00Z') }
    const where = world.db.write.updateTable('participation').where('user_id', '=', ANN.id).where('shift_id', '=', run.shifts[0]!)
    await where.set(own).execute()
    const calendar = await read()
    const [event] = eventsOf(calendar)
    assert.equal(momentOf(calendar, event!, 'DTSTART'), '2031-05-04T07:00:00.000Z')
    assert.equal(momentOf(calendar, event!, 'DTEND'), '2031-05-04T09:00:00.000Z')
    assert.equal(textOf(event!, 'UID'), `shift-${run.shifts[0]}@a.example`)
    assert.ok(Number(textOf(event!, 'SEQUENCE')) > Number(before))
    await where.set({ individual_start_time: null, individual_end_time: null }).execute()
  })

  test('is answered 304 until something changes, whatever the time', async () => {
    const { headers } = await feed()
    const etag = headers.etag!
    world.now = new Date(world.now.getTime() + 3_600_000)
    assert.equal((await feed('', 'anns-secret', { 'if-none-match': etag })).status, 304)
    assert.equal((await feed('?requested=1', 'anns-secret', { 'if-none-match': etag })).status, 200)
    const changed = world.db.write.updateTable('event').where('id', '=', run.id)
    await changed.set({ location: 'Elsewhere' }).execute()
    assert.equal((await feed('', 'anns-secret', { 'if-none-match': etag })).status, 200)
    await changed.set({ location: 'Pier 3, north; left' }).execute()
    world.now = new Date(world.now.getTime() - 3_600_000)
  })

  test('answers unknown tokens and inactive people alike', async () => {
    await world.setActive(ANN, false)
    const answers = [await feed(), await feed('', 'no-such-secret'), await feed('', 'x'.repeat(500)), await feed('', '%00')]
    await world.setActive(ANN, true)
    for (const { status, text, headers } of answers)
      assert.deepEqual(
        [status, text, headers['content-type'], headers.etag],
        [404, 'Not found\n', 'text/plain; charset=utf-8', undefined],
      )
    assert.equal((await feed()).status, 200)
  })

  test('sets no cookie, is kept by no shared cache, and is read by HEAD without a difference', async () => {
    for (const token of ['anns-secret', 'no-such-secret']) {
      const { headers } = await feed('', token)
      assert.deepEqual([headers['set-cookie'], headers['cache-control']], [undefined, 'private, no-cache'])
      const head = await world.nobody.request('HEAD', `/calendar/${token}/`, { unchecked })
      assert.deepEqual([head.status, head.headers['set-cookie'], head.text], [(await feed('', token)).status, undefined, ''])
    }
  })

  test('of another person does not follow from a session', async () => {
    const bens = await world.withSession(BEN).get('/calendar/anns-secret/', { unchecked })
    assert.deepEqual([...bySummary(parseIcal(bens.text)).keys()], [...bySummary(await read()).keys()])
    assert.equal((await world.withSession(ANN).get('/calendar/no-such-secret/', { unchecked })).status, 404)
  })

  test('contains shifts of children while the guardian wants it and may act for them, and nobody else', async () => {
    const guardian = await world.addPerson({ name: 'Gerda' })
    const child = await world.addPerson({ name: 'Kid', dateOfBirth: '2016-05-02' })
    const other = await world.addPerson({ name: 'Otherkid', dateOfBirth: '2016-05-02' })
    await giveToken(world, guardian, 'gerdas-secret')
    const camp = await world.addEvent({ title: 'Camp', shifts: [{ start: '2031-05-05T08:00+02:00' }] })
    for (const who of [child, other]) await world.addParticipation({ who, shift: camp.shifts[0]!, state: 1 })
    const link = { guardian_id: guardian.id, child_id: child.id }
    await world.db.write
      .insertInto('guardianship')
      .values({ ...link, since: world.now, in_calendar: true })
      .execute()
    const shown = async () => eventsOf(parseIcal((await feed('', 'gerdas-secret')).text)).map((event) => textOf(event, 'SUMMARY'))
    assert.deepEqual(await shown(), ['Kid: Camp'])
    assert.doesNotMatch((await feed('', 'gerdas-secret')).text, /Otherkid|@a\.example(?!\r|$)|kid\./)
    const guardianship = world.db.write.updateTable('guardianship').where('child_id', '=', child.id)
    await guardianship.set({ in_calendar: false }).execute()
    assert.deepEqual(await shown(), [])
    await guardianship.set({ in_calendar: true }).execute()
    await world.setActive(child, false)
    assert.deepEqual(await shown(), [])
    await world.setActive(child, true)
    const born = (day: string) =>
      world.db.write.updateTable('user_profile').set({ date_of_birth: day }).where('id', '=', child.id)
    await born('2013-05-02').execute()
    assert.deepEqual(await shown(), ['Kid: Camp'])
    await born('2013-05-01').execute()
    assert.deepEqual(await shown(), [], 'the child is of age today')
    await born('2016-05-02').execute()
    await world.db.write.deleteFrom('guardianship').where('child_id', '=', child.id).execute()
    assert.deepEqual(await shown(), [])
  })

  test('is gone with the person who is erased', async () => {
    const leaving = await world.addPerson({ name: 'Leaving' })
    await giveToken(world, leaving, 'leavings-secret')
    assert.equal((await feed('', 'leavings-secret')).status, 200)
    await transact(world.db.write, (tx) => eraseAccount(tx, contextAs(world, OLGA), leaving.id))
    assert.equal((await feed('', 'leavings-secret')).status, 404)
    const { hash, sealed } = await world.db.read
      .selectFrom('user_profile')
      .select(['calendar_token_hash as hash', 'calendar_token_sealed as sealed'])
      .where('id', '=', leaving.id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([hash, sealed], [null, null])
  })

  test('keeps texts of people out of its structure, whatever they contain', async () => {
    await giveToken(world, BEN, 'bens-secret')
    const hostile = 'BEGIN:VEVENT\r\nATTENDEE:mailto:x@leak.example\nEND:VEVENT\u0007'
    const { shifts, id } = await world.addEvent({
      title: hostile,
      location: hostile,
      description: hostile,
      responsible: [PAUL],
      // More than are written at once.
      shifts: Array.from({ length: 12 }, (_, day) => ({
        label: hostile,
        start: `2031-06-${String(day + 1).padStart(2, '0')}T08:00+02:00`,
      })),
    })
    for (const shift of shifts) await world.addParticipation({ who: BEN, shift, state: 1 })
    const name = { name: 'organization_name', value: JSON.stringify(hostile) }
    await world.db.write.insertInto('setting').values(name).execute()
    try {
      const texts = [await feed('', 'bens-secret'), await world.withSession(BEN).get(`/events/${id}/calendar.ics`, { unchecked })]
      for (const { status, text } of texts) {
        assert.equal(status, 200)
        const calendar = parseIcal(text)
        assert.deepEqual(
          eventsOf(calendar).filter((event) => textOf(event, 'LOCATION')?.startsWith('BEGIN:VEVENT ATTENDEE')).length,
          12,
        )
        for (const event of eventsOf(calendar)) assert.equal(event.getFirstProperty('attendee'), null)
        assert.equal(text.match(/^X-WR-CALNAME/gm)?.length, 1)
        assert.equal(text.match(/^BEGIN:VEVENT\r$/gm)?.length, eventsOf(calendar).length)
        assert.ok(text.split('\r\n').every((line) => !/\p{Cc}/u.test(line.replaceAll('\t', ''))))
      }
    } finally {
      await world.db.write.deleteFrom('setting').where('name', '=', 'organization_name').execute()
      await world.db.write.deleteFrom('event').where('id', '=', id).execute()
      const none = { calendar_token_hash: null, calendar_token_sealed: null }
      await world.db.write.updateTable('user_profile').set(none).where('id', '=', BEN.id).execute()
    }
  })

  test('is a valid calendar without shifts', async () => {
    await giveToken(world, PAUL, 'pauls-secret')
    assert.deepEqual(eventsOf(parseIcal((await feed('', 'pauls-secret')).text)), [])
  })

  test('the settings create an address, show it again and revoke it', async () => {
    const ben = world.withSession(BEN)
    const open = async (path: string) => {
      const { status, text, headers } = await ben.get(path, { unchecked })
      assert.equal(status, 200)
      assert.deepEqual(checkMarkup(text), [])
      return { text, cookie: String(headers['set-cookie'] ?? '').split(';')[0]! }
    }
    const post = async (path: string) => {
      const { text, cookie } = await open(path)
      const body = `csrf_token=${/name="csrf_token" value="([^"]+)"/.exec(text)![1]}`
      const headers = { ...FORM, cookie: `${await world.sessionCookie(BEN)}; ${cookie}` }
      const answer = await world.nobody.request('POST', path, { unchecked, headers, body })
      assert.deepEqual([answer.status, answer.headers.location], [303, '/settings/calendar/'])
    }
    const address = async () =>
      /value="(https:\/\/a\.example\/calendar\/[^"?]+\/)"/.exec((await open('/settings/calendar/')).text)?.[1]
    assert.equal(await address(), undefined)
    await post('/settings/calendar/')
    const first = (await address())!
    const path = (url: string) => url.slice(SITE_URL.length)
    assert.equal((await world.nobody.get(path(first), { unchecked })).status, 200)
    await post('/settings/calendar/')
    assert.equal(await address(), first)
    assert.match((await open('/settings/calendar/')).text, new RegExp(`href="webcal://a\\.example${path(first)}"`))
    await post('/settings/calendar/reset/')
    const second = (await address())!
    assert.notEqual(second, first)
    assert.equal((await world.nobody.get(path(first), { unchecked })).status, 404)
    assert.equal((await world.nobody.get(path(second), { unchecked })).status, 200)
    const kinds = await world.db.read
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('kind', 'like', 'user.calendar%')
      .orderBy('id')
      .execute()
    assert.deepEqual(kinds, [
      { kind: 'user.calendar_address_made', changes: {} },
      { kind: 'user.calendar_address_reset', changes: {} },
    ])
  })

  test('an address that cannot be decrypted still works and can be replaced', async () => {
    const vera = await world.addPerson({ name: 'Vic' })
    const sealed = makeKeyring('o'.repeat(32)).seal('old')
    await world.db.write
      .updateTable('user_profile')
      .set({ calendar_token_hash: hashSecret('vics-old'), calendar_token_sealed: sealed })
      .where('id', '=', vera.id)
      .execute()
    const { text } = await world.withSession(vera).get('/settings/calendar/', { unchecked })
    assert.match(text, /can no longer be shown.*href="\/settings\/calendar\/reset\/"/s)
    assert.equal((await feed('', 'vics-old')).status, 200)
  })

  describe('of one event', () => {
    const download = (who: Person, path: string) => world.withSession(who).get(path, { unchecked })
    test('contains the own shifts of participants, and all shifts for others who see the event', async () => {
      const own = await download(ANN, `/events/${run.id}/calendar.ics`)
      assert.equal(own.headers['content-disposition'], `attachment; filename="event-${run.id}.ics"`)
      const statuses = (text: string) => eventsOf(parseIcal(text)).map((event) => textOf(event, 'STATUS'))
      assert.deepEqual(statuses(own.text).sort(), ['CONFIRMED', 'TENTATIVE'])
      const fresh = await world.addPerson({ name: 'Fred' })
      await world.grantsEvent(fresh, run.id, 'view')
      const all = await download(fresh, `/events/${run.id}-whatever/calendar.ics`)
      assert.deepEqual(statuses(all.text), ['TENTATIVE', 'TENTATIVE', 'TENTATIVE', 'TENTATIVE'])
    })
    test('is 404 for others', async () => {
      const stranger = await world.addPerson({ name: 'Stan' })
      for (const path of [`/events/${run.id}/calendar.ics`, '/events/999999999/calendar.ics', '/events/x/calendar.ics'])
        assert.equal((await download(stranger, path)).status, 404)
      const { status, headers } = await world.nobody.get(`/events/${run.id}/calendar.ics`, { unchecked })
      assert.deepEqual([status, headers.location?.startsWith('/accounts/login/')], [303, true])
    })
  })
})

test('addresses of feeds cannot be guessed without end', async () => {
  const world = await openWorld({ rateLimit: '0.01' })
  await giveToken(world, ANN, 'anns-secret')
  const statuses: number[] = []
  for (let n = 0; n < 7; n++) statuses.push((await world.nobody.get(`/calendar/guess-${n}/`, { unchecked })).status)
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 404, 429])
  assert.equal((await world.nobody.get('/calendar/anns-secret/', { unchecked })).status, 429, 'a right guess is not told apart')
})

for (const timeZone of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'])
  describe(`times of a calendar in ${timeZone}`, async () => {
    const world = await openWorld({ timeZone, now: new Date('2031-03-01T00:00Z') })
    await giveToken(world, ANN, 'secret')
    test('are correct around every clock change', async () => {
      // Every half hour around the changes in Berlin, New York and on Lord Howe Island.
      const starts = ['2031-03-30', '2031-03-09', '2031-04-05', '2031-10-26', '2031-11-02', '2031-10-04']
        .flatMap((day) => Array.from({ length: 48 }, (_, half) => Date.parse(`${day}T00:00Z`) + half * 1_800_000))
        .map((at) => new Date(at).toISOString())
        .sort()
      const { shifts } = await world.addEvent({ title: 'All', seenBy: [ANN], shifts: starts.map((start) => ({ start })) })
      for (const shift of shifts) await world.addParticipation({ who: ANN, shift, state: 1 })
      const calendar = parseIcal((await world.nobody.get('/calendar/secret/', { unchecked })).text)
      const told = eventsOf(calendar).map((event) => momentOf(calendar, event, 'DTSTART'))
      assert.deepEqual(told, starts)
    })
  })
