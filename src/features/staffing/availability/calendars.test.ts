import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { loadSharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findFreePeople } from '#features/staffing/eligibility/queries/free-people.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { makeOutbound, type OutboundOptions } from '#platform/outbound/outbound.ts'
import { dumpTables } from '#test/support/canary.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { postFile } from '#test/support/upload.ts'
import { openWorld } from '#test/support/world.ts'
import { addCalendarAddress, type CalendarAccess, refreshOwnCalendar } from './commands/calendars.ts'
import { makeReadCalendar } from './commands/read-calendar.ts'
import { availabilityTasks } from './jobs.ts'
import { readBusyTimes } from './rules/busy-times.ts'

const PAGE = '/settings/availability/'
const SECRET = 'private-7f3c9a'
const TITLE = 'Zahnarzttermin'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server for calendars on loopback, which is reached by its name only. */
async function startServer() {
  const state: { answer: Answer; requests: IncomingMessage[] } = { answer: (_, response) => response.end(), requests: [] }
  const server = createServer((request, response) => {
    state.requests.push(request)
    state.answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  after(() => server.close())
  const { port } = server.address() as AddressInfo
  const say = (status: number, body = '', headers: Record<string, string> = {}) => {
    state.answer = (_, response) => response.writeHead(status, headers).end(body)
  }
  return { state, say, port, url: `http://cal.localhost:${port}/${SECRET}/basic.ics` }
}

/** 5 May 2031 is a Monday. */
const entry = (...lines: string[]): string =>
  [
    'BEGIN:VEVENT',
    'UID:1@private.example',
    `SUMMARY:${TITLE}`,
    'LOCATION:Praxis Dr. Weiss',
    'DESCRIPTION:bring the insurance card',
    'ATTENDEE;CN=Erika Muster:mailto:erika@private.example',
    ...lines,
    'END:VEVENT',
  ].join('\r\n')
const calendarOf = (...entries: string[]): string =>
  ['BEGIN:VCALENDAR', 'X-WR-CALNAME:Erikas Kalender', ...entries, 'END:VCALENDAR'].join('\r\n')
const MONDAY = entry('DTSTART;TZID=Europe/Berlin:20310505T090000', 'DTEND;TZID=Europe/Berlin:20310505T100000')
const WHOLE_TUESDAY = entry('DTSTART;VALUE=DATE:20310506')
const TRACES = /zahnarzt|praxis|insurance|erika|private\.example|7f3c9a/i

describe('private calendars', async () => {
  const server = await startServer()
  const world = await openWorld({ outboundAllow: 'cal.localhost', logLevel: 'trace' })
  const { read, write } = world.db
  const ann = await browserOf(world, ANN)
  const calendars = () => read.selectFrom('private_calendar').selectAll().orderBy('id').execute()
  const times = async () =>
    (await read.selectFrom('busy_time').selectAll().orderBy('start_time').execute()).map(
      ({ start_time, end_time }) => `${start_time.toISOString().slice(0, 16)}/${end_time.toISOString().slice(0, 16)}`,
    )
  const access = (options: Partial<OutboundOptions> = {}): CalendarAccess => ({
    outbound: makeOutbound({ allow: ['cal.localhost'], ...options }),
    read: makeReadCalendar(),
    chance: () => 0.5,
  })
  const refreshJob = (given = access()) =>
    availabilityTasks({ db: world.db, clock: { now: () => world.now }, site: world.app.site, access: given })[0]!.run({})
  const { shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: ['2031-05-05T08:00+02:00', '2031-05-06T08:00+02:00', '2031-05-07T08:00+02:00'].map((start) => ({
      start,
      end: `${start.slice(0, 11)}12:00+02:00`,
      flow: 'request_confirm',
      configuration: { minimum_number_of_participants: 1 },
    })),
  })
  /** For each shift: whether sign-up warns. */
  const warned = () =>
    Promise.all(
      shifts.map(async (shift) => {
        const { body } = await world.as(ANN, 'ME_READ').get(`/api/shifts/${shift}/eligibility/`)
        assert.equal(body.sign_up.allowed, true)
        return body.warnings.some(({ code }: { code: string }) => code === 'not_available')
      }),
    )
  /** For each shift: whether Ann is among the free people, on the board, and in a proposal. */
  const free = async () => {
    const shared = await loadSharedFacts(read, shifts, world.now)
    const found = await findFreePeople(
      { db: read, now: world.now, site: world.app.site },
      shared,
      shifts.map((id) => ({ id, ways: [[]] })),
      { mostPerShift: 50 },
    )
    return shifts.map((id) => found.get(id)!.people.some((person) => person.id === ANN.id))
  }

  test('a calendar is added by its address, fetched at once, and shown without its secret', async () => {
    assert.match((await ann.get(PAGE)).body, /You have not added a calendar/)
    server.say(200, calendarOf(MONDAY, WHOLE_TUESDAY), { etag: '"one"', 'last-modified': 'Thu, 01 May 2031 08:00:00 GMT' })
    const form = await ann.get(`${PAGE}calendars/address/`)
    assert.deepEqual(checkMarkup(form.body), [])
    assert.match(form.body, /name="counts_all_day"[^>]*checked/)
    const added = await ann.post(`${PAGE}calendars/address/`, {
      form: { address: server.url, name: 'At home', counts_all_day: 'on' },
    })
    assert.equal(added.statusCode, 303)
    const page = (await ann.get(PAGE)).body
    assert.match(page, /The calendar was added with 2 busy times/)
    assert.deepEqual(checkMarkup(page), [])
    assert.match(page, /At home<\/a>.*up to date/s)
    assert.match(page, /5 May.*09:00–10:00.*6 May.*all day/s)
    const [calendar] = await calendars()
    const details = (await ann.get(`${PAGE}calendars/${calendar!.id}/`)).body
    assert.deepEqual(checkMarkup(details), [])
    assert.match(details, /cal\.localhost \(the rest of the address is not shown\)/)
    assert.doesNotMatch(page + details, TRACES)
    assert.deepEqual(await times(), ['2031-05-05T07:00/2031-05-05T08:00', '2031-05-05T22:00/2031-05-06T22:00'])
  })

  test('the person is not available then: at sign-up, among free people, on the board and in proposals', async () => {
    assert.deepEqual(await warned(), [true, true, false])
    assert.deepEqual(await free(), [false, false, true])
    const paul = await browserOf(world, PAUL)
    const board = await paul.post(`/shifts/${shifts[0]}/disposition/`, { form: { do: 'search', find: 'Ann' } })
    assert.match(board.body, /Entered as not available at this time/)
    assert.doesNotMatch(board.body, /09:00–10:00|At home/)
    assert.doesNotMatch((await paul.get(`/planning/fill/?shift=${shifts[0]}&pool=everyone`)).body, />Ann</)
    assert.match((await paul.get(`/planning/fill/?shift=${shifts[2]}&pool=everyone`)).body, />Ann</)
    const { body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(`/api/shifts/${shifts[0]}/candidates/?search=Ann`)
    assert.deepEqual(
      body.results[0].warnings.map(({ code }: { code: string }) => code),
      ['not_available'],
    )
  })

  test('what the person entered counts more than the calendar', async () => {
    await ann.post(`${PAGE}days/`, { form: { days_kind: 'can', first: '2031-05-05', last: '2031-05-05' } })
    assert.deepEqual(await warned(), [false, true, false])
    assert.deepEqual(await free(), [true, false, true])
    await write.deleteFrom('day_period').execute()
  })

  test('all-day entries count only if the person says so', async () => {
    const [calendar] = await calendars()
    const path = `${PAGE}calendars/${calendar!.id}/`
    assert.equal((await ann.post(path, { form: { name: 'Work' } })).statusCode, 303)
    assert.deepEqual(await warned(), [true, false, false])
    assert.deepEqual(await free(), [false, true, true])
    assert.doesNotMatch((await ann.get(PAGE)).body, /, all day/)
    await ann.post(path, { form: { name: 'Work', counts_all_day: 'on' } })
    assert.deepEqual(await warned(), [true, true, false])
    assert.equal((await ann.post(path, { form: { name: ' ' } })).statusCode, 422)
  })

  test('titles, places, people and the address are in no table and in no line of the log', async () => {
    const dump = await dumpTables(write)
    assert.match(dump.get('public.private_calendar')!, /Work/, 'the dump contains rows of calendars')
    for (const [table, text] of dump) assert.doesNotMatch(text, TRACES, table)
    assert.ok(world.logLines.length > 0)
    assert.doesNotMatch(world.logLines.join('\n'), TRACES)
    const [calendar] = await calendars()
    assert.equal(world.app.site.keyring.unseal(calendar!.address_sealed!), server.url)
    const kinds = await read
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .distinct()
      .where('kind', 'like', 'user.%')
      .execute()
    assert.deepEqual(kinds, [{ kind: 'user.availability_changed', changes: {} }])
  })

  test('the job asks whether the calendar changed, and only when it is time', async () => {
    server.state.requests.length = 0
    await refreshJob()
    assert.equal(server.state.requests.length, 0)
    world.now = new Date(world.now.getTime() + 5 * 3_600_000)
    server.say(304)
    await refreshJob()
    const [request] = server.state.requests
    assert.deepEqual(
      [request!.headers['if-none-match'], request!.headers['if-modified-since']],
      ['"one"', 'Thu, 01 May 2031 08:00:00 GMT'],
    )
    const [calendar] = await calendars()
    assert.deepEqual(calendar!.last_success_at, world.now)
    assert.deepEqual(calendar!.next_attempt_at, new Date(world.now.getTime() + 4 * 3_600_000))
    assert.equal((await times()).length, 2)
  })

  test('failures keep the known times, wait longer each time, and are explained', async () => {
    for (const [status, minutes, reason] of [
      [500, 15, /reports an error/],
      [403, 30, /does not give out the calendar/],
      [404, 60, /no calendar at this address any more/],
    ] as const) {
      world.now = new Date(world.now.getTime() + 25 * 3_600_000)
      server.say(status, `${TITLE} failed`)
      await refreshJob()
      const [calendar] = await calendars()
      assert.equal((calendar!.next_attempt_at!.getTime() - world.now.getTime()) / 60_000, minutes)
      const page = (await ann.get(PAGE)).body
      assert.match(page, /cannot be read/)
      assert.match(page, reason)
      assert.match((await ann.get(`${PAGE}calendars/${calendar!.id}/`)).body, /Last read.*1 May 2031, 17:00/s)
      assert.equal((await times()).length, 2)
    }
    server.say(200, calendarOf(WHOLE_TUESDAY), { etag: 'x'.repeat(300) })
    const [calendar] = await calendars()
    await ann.post(`${PAGE}calendars/${calendar!.id}/refresh/`)
    const [after] = await calendars()
    assert.deepEqual([after!.failure, after!.failures_in_row, after!.etag], [null, 0, null])
    assert.deepEqual(await times(), ['2031-05-05T22:00/2031-05-06T22:00'])
    assert.match((await ann.get(PAGE)).body, /The calendar was read/)
  })

  test('after a week the calendar is read completely, because recurring entries go on', async () => {
    await write.updateTable('private_calendar').set({ etag: '"two"', last_modified: null }).execute()
    world.now = new Date(world.now.getTime() + 8 * 86_400_000)
    server.state.requests.length = 0
    server.say(200, calendarOf(entry('DTSTART:20310101T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY')))
    await refreshJob()
    assert.equal(server.state.requests[0]!.headers['if-none-match'], undefined)
    assert.deepEqual(await times(), ['2032-01-01T08:00/2032-01-01T09:00'])
  })

  test('people with a closed account are left alone', async () => {
    world.now = new Date(world.now.getTime() + 86_400_000)
    server.state.requests.length = 0
    await world.setActive(ANN, false)
    await refreshJob()
    assert.equal(server.state.requests.length, 0)
    await world.setActive(ANN, true)
    await refreshJob()
    assert.equal(server.state.requests.length, 1)
  })

  test('two workers at once fetch a calendar once', async () => {
    world.now = new Date(world.now.getTime() + 86_400_000)
    server.state.requests.length = 0
    await Promise.all([refreshJob(), refreshJob(), refreshJob()])
    assert.equal(server.state.requests.length, 1)
  })

  test('people have only their own calendars read', async () => {
    const [calendar] = await calendars()
    server.state.requests.length = 0
    await assert.rejects(refreshOwnCalendar(contextAs(world, BEN), access(), calendar!.id), { code: 'not_found' })
    assert.equal(server.state.requests.length, 0)
  })

  test('a calendar that is removed while it is fetched stays removed', async () => {
    const [calendar] = await calendars()
    server.state.answer = (_, response) => {
      void write
        .deleteFrom('private_calendar')
        .execute()
        .then(() => response.end(calendarOf(MONDAY)))
    }
    await refreshOwnCalendar(contextAs(world, ANN), access(), calendar!.id)
    assert.deepEqual([await calendars(), await times()], [[], []])
  })

  for (const [name, address, text] of [
    ['no address', 'soon', /begins with https/],
    ['another protocol', 'ftp://cal.localhost/', /begins with https/],
    ['plain http', 'http://calendar.example/', /begins with https/],
    ['loopback', 'https://127.0.0.1/', /not on the public internet/],
    ['a private network', 'https://192.168.1.1/', /not on the public internet/],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/', /not on the public internet/],
    ['this computer', 'webcal://localhost/', /not on the public internet/],
    ['a user in the address', 'https://me:secret@calendar.example/', /begins with https/],
  ] as const)
    test(`an address is refused at its field: ${name}`, async () => {
      const page = await ann.post(`${PAGE}calendars/address/`, { form: { address, name: 'Mine' } })
      assert.equal(page.statusCode, 422)
      assert.match(page.body, /id="field-address-error"/)
      assert.match(page.body, text)
      assert.match(page.body, /value="Mine"/)
      assert.deepEqual(await calendars(), [])
    })

  for (const [reason, say, options] of [
    ['forbidden', () => {}, { resolve: async () => ['10.0.0.1'], allow: [] }],
    ['forbidden', () => server.say(302, '', { location: `http://127.0.0.1:${server.port}/` }), {}],
    ['redirected', () => server.say(302, '', { location: server.url }), {}],
    ['too_large', () => server.say(200, calendarOf(MONDAY)), { maxBytes: 100 }],
    ['too_slow', () => Object.assign(server.state, { answer: () => {} }), { deadlineMs: 100 }],
    ['encoded', () => server.say(200, calendarOf(MONDAY), { 'content-encoding': 'br' }), {}],
    ['unreachable', () => Object.assign(server.state, { answer: (request: IncomingMessage) => request.destroy() }), {}],
    ['not_a_calendar', () => server.say(200, `<title>${TITLE}</title>`), {}],
    ['status', () => server.say(304), {}],
  ] as const)
    test(`nothing is stored if the calendar cannot be read: ${reason}`, async () => {
      say()
      const form = { address: server.url, name: 'Mine', countsAllDay: true }
      const added = await addCalendarAddress(contextAs(world, ANN), access(options as Partial<OutboundOptions>), form)
      assert.deepEqual(added, { ok: false, reason })
      assert.deepEqual(await calendars(), [])
    })

  test('without the check of addresses, a redirect would reach this computer', async () => {
    server.state.answer = (request, response) => {
      if (request.headers.host!.startsWith('cal.'))
        response.writeHead(302, { location: `http://127.0.0.1:${server.port}/` }).end()
      else response.end(calendarOf(MONDAY))
    }
    const form = { address: server.url, name: 'Mine', countsAllDay: true }
    const context = contextAs(world, ANN)
    assert.deepEqual(await addCalendarAddress(context, access(), form), { ok: false, reason: 'forbidden' })
    const added = await addCalendarAddress(context, access({ isAllowed: () => true }), form)
    assert.equal(added.ok, true)
    await write.deleteFrom('private_calendar').execute()
  })

  test('a file is read once, and neither it nor its name is kept', async () => {
    const form = await ann.get(`${PAGE}calendars/file/`)
    assert.deepEqual(checkMarkup(form.body), [])
    const file = {
      name: 'erika.ics',
      content: calendarOf(entry('DTSTART:20310601T080000Z', 'DURATION:PT1H'), entry('DTSTART:soon')),
    }
    const added = await postFile(ann, `${PAGE}calendars/file/`, file, { name: 'My file', counts_all_day: 'on' })
    assert.equal(added.statusCode, 303)
    const [calendar] = await calendars()
    assert.deepEqual([calendar!.name, calendar!.address_sealed, calendar!.next_attempt_at], ['My file', null, null])
    const details = (await ann.get(`${PAGE}calendars/${calendar!.id}/`)).body
    assert.match(details, /1 entry could not be read and does not count/)
    assert.doesNotMatch(details, /Read now/)
    for (const [table, text] of await dumpTables(write)) assert.doesNotMatch(text, TRACES, table)
    assert.deepEqual(await read.selectFrom('stored_file').select('name').execute(), [])
    assert.deepEqual(await ann.post(`${PAGE}calendars/${calendar!.id}/refresh/`).then(({ statusCode }) => statusCode), 404)
  })

  for (const [name, content, text] of [
    ['no file', '', /Please choose a file/],
    ['another file', '%PDF-1.7', /no calendar in iCalendar format/],
    ['a file that is too large', Buffer.alloc(5_000_001, 'x'), /larger than 5 MB/],
    ['too many times', calendarOf(entry('DTSTART:20310101T080000Z', 'DURATION:PT1S', 'RRULE:FREQ=HOURLY')), /at most 3,000/],
  ] as const)
    test(`a file is refused at its field: ${name}`, async () => {
      const before = await calendars()
      const page = await postFile(ann, `${PAGE}calendars/file/`, { name: 'a.ics', content: content as string }, { name: 'Mine' })
      assert.equal(page.statusCode, 422)
      assert.match(page.body, /id="field-file-error"/)
      assert.match(page.body, text)
      assert.match(page.body, /value="Mine"/)
      assert.deepEqual(await calendars(), before)
    })

  test('nobody else sees, changes or removes a calendar', async () => {
    const [calendar] = await calendars()
    const ben = await browserOf(world, BEN)
    const path = `${PAGE}calendars/${calendar!.id}/`
    assert.equal((await ben.get(path)).statusCode, 404)
    assert.equal((await ben.get(`${path}remove/`)).statusCode, 404)
    assert.equal((await ben.post(path, { form: { name: 'Taken' } })).statusCode, 404)
    assert.equal((await ben.post(`${path}refresh/`)).statusCode, 404)
    await ben.post(`${path}remove/`)
    assert.deepEqual(await calendars(), [calendar])
  })

  test('removing a calendar asks, and removes its busy times', async () => {
    const [calendar] = await calendars()
    const path = `${PAGE}calendars/${calendar!.id}/remove/`
    const question = (await ann.get(path)).body
    assert.match(question, /Remove My file\?.*busy times are deleted/s)
    assert.deepEqual(checkMarkup(question), [])
    assert.equal((await ann.post(path)).statusCode, 303)
    assert.deepEqual([await calendars(), await times()], [[], []])
    assert.equal((await ann.post(path)).statusCode, 303, 'removed in another tab already')
  })

  test('a person has at most five calendars', async () => {
    const file = { name: 'a.ics', content: calendarOf() }
    for (let number = 1; number <= 5; number++) await postFile(ann, `${PAGE}calendars/file/`, file, { name: `Number ${number}` })
    const page = await postFile(ann, `${PAGE}calendars/file/`, file, { name: 'Number 6' })
    assert.match(page.body, /at most five calendars/)
    assert.equal((await calendars()).length, 5)
    assert.match((await ann.get(PAGE)).body, /no busy times in the next twelve months/)
    await write.deleteFrom('private_calendar').execute()
  })

  test('the own feed makes nobody busy', async () => {
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    await write
      .updateTable('user_profile')
      .set({ calendar_token_hash: hashSecret('bens') })
      .where('id', '=', BEN.id)
      .execute()
    const { text } = await world.nobody.get('/calendar/bens/', { unchecked: true })
    const options = { fromMs: Date.parse('2031-05-01'), untilMs: Date.parse('2032-05-01'), timeZone: 'Europe/Berlin' }
    const found = readBusyTimes(text, { ...options, host: 'a.example' })
    assert.deepEqual(found, { ok: true, times: [], unreadCount: 0 })
    const elsewhere = readBusyTimes(text, { ...options, host: 'b.example' })
    assert.equal(elsewhere.ok && elsewhere.times.length, 1)
  })

  test('times that are over are deleted', async () => {
    await postFile(
      ann,
      `${PAGE}calendars/file/`,
      { name: 'a.ics', content: calendarOf(entry('DTSTART:20310601T080000Z', 'DURATION:PT1H')) },
      { name: 'File' },
    )
    world.now = new Date('2031-06-01T09:00:01Z')
    const tasks = availabilityTasks({ db: world.db, clock: { now: () => world.now }, site: world.app.site, access: access() })
    assert.equal((await times()).length, 1)
    await tasks[1]!.run({})
    assert.deepEqual(await times(), [])
  })
})

describe('with limits of requests', async () => {
  const world = await openWorld({ rateLimit: 'on' })
  test('a person can have four calendars read in a minute', async () => {
    const ann = await browserOf(world, ANN)
    const post = () => postFile(ann, `${PAGE}calendars/file/`, { name: 'a.ics', content: 'no calendar' }, { name: 'Mine' })
    for (let attempt = 0; attempt < 4; attempt++) assert.match((await post()).body, /no calendar in iCalendar format/)
    assert.match((await post()).body, /wait a minute/)
  })
})
