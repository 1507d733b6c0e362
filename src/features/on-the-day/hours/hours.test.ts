import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { StoredRequest } from '#features/accounts/requests/access.ts'
import { decideRequest } from '#features/accounts/requests/commands.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { hoursRequest } from './commands.ts'
import { hoursForm } from './schema.ts'

const MINE = '/my-shifts/'
const REQUESTS = '/manage/requests/'
const HOURS = '/manage/hours/'

describe('the amount of hours in forms', () => {
  const parse = (hours: string) => hoursForm.schema.safeParse({ date: '2031-04-01', hours, reason: 'x' })
  for (const [text, hours] of [
    ['1.5', 1.5],
    ['1,25', 1.25],
    [' 3 ', 3],
    ['1000', 1000],
  ] as const)
    test(`accepts “${text}”`, () => assert.equal(parse(text).data?.hours, hours))
  for (const text of ['', '0', '0,00', '-1', '1.234', '1000.01', '1e3', '1:30', 'two', '∞'])
    test(`refuses “${text}”`, () =>
      assert.deepEqual(
        parse(text).error?.issues.map(({ message }) => message),
        ['hours.amount_invalid'],
      ))
})

describe('working hours', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const drill = await world.addType({ title: 'Drill' })
  const past = { start: '2031-03-10T18:00:00+01:00', end: '2031-03-10T20:30:00+01:00' }
  // 23:30 on 31 December until 02:00 on 1 January: counts for the year in which it starts.
  const night = { start: '2030-12-31T23:30:00+01:00', end: '2031-01-01T02:00:00+01:00' }
  const future = { start: '2031-05-20T08:00:00+02:00', end: '2031-05-20T12:00:00+02:00' }
  const events = {
    drill: await world.addEvent({ title: 'Hose drill', type: drill, shifts: [past], seenBy: [HELPERS] }),
    night: await world.addEvent({ title: 'New year', shifts: [night], seenBy: [HELPERS] }),
    future: await world.addEvent({ title: 'Fair', shifts: [future], seenBy: [HELPERS] }),
    cancelled: await world.addEvent({ title: 'Storm', shifts: [past], seenBy: [HELPERS], cancelled: true }),
  }
  for (const event of Object.values(events)) await world.addParticipation({ shift: event.shifts[0]!, who: ANN, state: 1 })
  await world.addParticipation({ shift: events.drill.shifts[0]!, who: BEN, state: 0 })
  await write
    .insertInto('group_grant')
    .values({ group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'decide_working_hours_for_group' })
    .execute()
  const ann = await browserOf(world, ANN)
  const paul = await browserOf(world, PAUL)
  const outbox = new NotificationOutbox(world)
  const requestsOf = (userId: number) =>
    read.selectFrom('decision_request').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const entriesOf = (userId: number) =>
    read.selectFrom('working_hours').selectAll().where('user_id', '=', userId).orderBy('id').execute()

  test('count ended confirmed shifts of events that took place, by the day of their start', async () => {
    const page = await ann.get(`${MINE}?from=2031-01-01&to=2031-12-31`)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Hose drill/)
    assert.match(page.body, /Total: 2\.5 hours/)
    assert.doesNotMatch(page.body.split('id="past"')[1]!, /Storm|Fair/)
    const before = await ann.get(`${MINE}?from=2030-12-31&to=2030-12-31`)
    assert.match(before.body, /New year[\s\S]*Total: 2\.5 hours/)
    assert.match((await (await browserOf(world, BEN)).get(MINE)).body, /No hours in this period/)
  })

  test('count for the local day, also where the day in UTC is another one', async () => {
    const early = { start: '2031-02-01T00:30:00+01:00', end: '2031-02-01T02:30:00+01:00' }
    const { shifts } = await world.addEvent({ title: 'Early watch', shifts: [early], seenBy: [HELPERS] })
    await world.addParticipation({ shift: shifts[0]!, who: VERA, state: 1 })
    const vera = await browserOf(world, VERA)
    const hoursOf = async (from: string, to: string) =>
      /Early watch[\s\S]*Total: 2 hours/.test((await vera.get(`${MINE}?from=${from}&to=${to}`)).body.split('id="past"')[1]!)
    assert.equal(await hoursOf('2031-02-01', '2031-02-01'), true)
    assert.equal(await hoursOf('2031-01-01', '2031-01-31'), false)
  })

  test('show coming shifts with their state', async () => {
    assert.match((await ann.get(MINE)).body.split('id="past"')[0]!, /Fair[\s\S]*Confirmed/)
  })

  test('use individual times', async () => {
    const where = write.updateTable('participation').where('user_id', '=', ANN.id).where('event_id', '=', events.drill.id)
    await where.set({ individual_end_time: new Date('2031-03-10T21:00:00+01:00') }).execute()
    assert.match((await ann.get(MINE)).body, /Total: 3 hours/)
    await where.set({ individual_end_time: null }).execute()
  })

  test('are requested, with errors at the fields', async () => {
    const form = { date: '2031-05-02', hours: 'two', reason: '' }
    const refused = await ann.post(`${MINE}request/`, { form })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /Please enter hours between/)
    assert.match(refused.body, /Please say what was done/)
    const future = await ann.post(`${MINE}request/`, { form: { date: '2031-05-02', hours: '2', reason: 'Tidied up' } })
    assert.match(future.body, /past days and today only/)
    assert.equal((await requestsOf(ANN.id)).length, 0)
    const sent = await ann.post(`${MINE}request/`, { form: { date: '2031-04-30', hours: '2,5', reason: 'Tidied up' } })
    assert.equal(sent.statusCode, 303)
    const [request] = await requestsOf(ANN.id)
    assert.deepEqual(request!.data, { date: '2031-04-30', hours: 2.5, reason: 'Tidied up' })
    assert.equal(request!.state, 'open')
    assert.equal((await entriesOf(ANN.id)).length, 0)
    assert.match((await ann.get(MINE)).body, /Waiting for a decision/)
  })

  test('requests are shown on the home page of people who decide about the group, and to no others', async () => {
    assert.match((await paul.get('/')).body, /href="\/manage\/requests\/"[\s\S]*Requests to decide/)
    assert.match((await paul.get('/manage/requests/')).body, /Ann[\s\S]*2\.5 hours on 30 April 2031: Tidied up/)
    for (const person of [ANN, BEN, VERA]) {
      const browser = await browserOf(world, person)
      assert.doesNotMatch((await browser.get('/')).body, /Requests to decide/)
      assert.equal((await browser.get(REQUESTS)).statusCode, 403)
      const [request] = await requestsOf(ANN.id)
      assert.equal((await browser.post(`${REQUESTS}${request!.id}/`, { form: { decision: 'grant' } })).statusCode, 404)
    }
    assert.equal((await entriesOf(ANN.id)).length, 0)
  })

  test('deciders are notified of a request, and the person of the decision', async () => {
    await outbox.readJournal()
    const notified = await read.selectFrom('notification').select(['user_id', 'kind']).execute()
    assert.deepEqual(notified, [{ user_id: PAUL.id, kind: 'request_created' }])
    assert.match((await paul.get('/notifications/')).body, /Ann requests working hours/)
  })

  test('a granted request becomes an entry, once', async () => {
    const [request] = await requestsOf(ANN.id)
    const path = `${REQUESTS}${request!.id}/`
    const granted = await paul.post(path, { form: { decision: 'grant', comment: 'Thank you' } })
    assert.equal(granted.headers.location, '/manage/requests/')
    const [entry] = await entriesOf(ANN.id)
    assert.deepEqual(
      [Number(entry!.hours), entry!.date, entry!.reason, entry!.request_id],
      [2.5, '2031-04-30', 'Tidied up', request!.id],
    )
    for (const decision of ['grant', 'refuse']) await paul.post(path, { form: { decision } })
    assert.equal((await entriesOf(ANN.id)).length, 1)
    assert.equal((await requestsOf(ANN.id))[0]!.state, 'granted')
    await outbox.readJournal()
    assert.match((await ann.get('/notifications/')).body, /Paul approved your request for working hours/)
    assert.match((await ann.get(MINE)).body, /Total: 5 hours/)
    assert.match((await paul.get(`${REQUESTS}?tab=decided`)).body, /Thank you/)
  })

  test('a refused request can be granted later', async () => {
    await ann.post(`${MINE}request/`, { form: { date: '2031-04-29', hours: '1', reason: 'Radio check' } })
    const request = (await requestsOf(ANN.id)).at(-1)!
    await paul.post(`${REQUESTS}${request.id}/`, { form: { decision: 'refuse', comment: 'Twice' } })
    assert.equal((await requestsOf(ANN.id)).at(-1)!.state, 'refused')
    assert.equal((await entriesOf(ANN.id)).length, 1)
    await paul.post(`${REQUESTS}${request.id}/`, { form: { decision: 'grant' } })
    assert.equal((await entriesOf(ANN.id)).length, 2)
  })

  test('only the person withdraws a request, and only while it is open', async () => {
    await ann.post(`${MINE}request/`, { form: { date: '2031-04-28', hours: '1', reason: 'Shopping' } })
    const { id } = (await requestsOf(ANN.id)).at(-1)!
    const path = `${MINE}requests/${id}/withdraw/`
    assert.equal((await (await browserOf(world, BEN)).post(path)).statusCode, 404)
    assert.equal((await ann.post(path)).statusCode, 303)
    assert.equal((await requestsOf(ANN.id)).at(-1)!.state, 'withdrawn')
    await paul.post(`${REQUESTS}${id}/`, { form: { decision: 'grant' } })
    assert.equal((await requestsOf(ANN.id)).at(-1)!.state, 'withdrawn')
  })

  test('with four eyes, nobody decides about a request of their own', async () => {
    const olga = await browserOf(world, OLGA)
    await olga.post(`${MINE}request/`, { form: { date: '2031-04-28', hours: '4', reason: 'Accounts' } })
    const { id } = (await requestsOf(OLGA.id)).at(-1)!
    await write.insertInto('setting').values({ name: 'four_eyes_requests', value: 'true' }).execute()
    assert.doesNotMatch((await olga.get(REQUESTS)).body, /Accounts/)
    await olga.post(`${REQUESTS}${id}/`, { form: { decision: 'grant' } })
    assert.equal((await requestsOf(OLGA.id)).at(-1)!.state, 'open')
    await write.deleteFrom('setting').where('name', '=', 'four_eyes_requests').execute()
    await olga.post(`${REQUESTS}${id}/`, { form: { decision: 'grant' } })
    assert.equal((await requestsOf(OLGA.id)).at(-1)!.state, 'granted')
  })

  test('an imported request with invalid data fails and stays undecided', async () => {
    const { id } = await write
      .insertInto('decision_request')
      .values({ kind: 'working_hours', user_id: ANN.id, data: JSON.stringify({ hours: 'many' }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await paul.post(`${REQUESTS}${id}/`, { form: { decision: 'grant' } })
    assert.equal((await requestsOf(ANN.id)).at(-1)!.state, 'failed')
    assert.match((await paul.get(REQUESTS)).body, /Could not be applied/)
    await paul.post(`${REQUESTS}${id}/`, { form: { decision: 'refuse' } })
    assert.equal((await requestsOf(ANN.id)).at(-1)!.state, 'refused')
  })

  describe('of others', () => {
    test('are seen by people who view profiles or decide, and not by others', async () => {
      assert.equal((await ann.get(HOURS)).statusCode, 403)
      assert.equal((await ann.get(`${HOURS}${BEN.id}/`)).statusCode, 403)
      const vera = await browserOf(world, VERA)
      const all = await vera.get(`${HOURS}?sort=total`)
      assert.deepEqual(checkMarkup(all.body), [])
      assert.ok(all.body.indexOf('>Ann<') < all.body.indexOf('>Ben<'))
      assert.match(all.body, /Olga/)
      const some = await paul.get(HOURS)
      assert.match(some.body, /Ann/)
      // Paul decides about Helpers only and may not view profiles.
      assert.doesNotMatch(some.body, />Olga<|>Vera</)
      assert.equal((await paul.get(`${HOURS}${OLGA.id}/`)).statusCode, 404)
    })

    test('are filtered by group, type and period, and exported', async () => {
      const vera = await browserOf(world, VERA)
      assert.doesNotMatch((await vera.get(`${HOURS}?group=${HELPERS.id}`)).body, />Olga</)
      const csv = await vera.get(`${HOURS}export/?from=2031-01-01&to=2031-12-31`)
      assert.match(csv.body, /^\ufeffPerson,Drill,Service,Other work,Total\r\n/)
      assert.match(csv.body, /\r\nAnn,2\.50,0\.00,3\.50,6\.00\r\n/)
      // Entries have no type, so they are left out.
      const drills = await vera.get(`${HOURS}export/?from=2031-01-01&to=2031-12-31&type=${drill}`)
      assert.match(drills.body, /\r\nAnn,2\.50,0\.00,0\.00,2\.50\r\n/)
    })

    test('are added, changed and deleted by people who decide, with a journal entry each', async () => {
      const add = `${HOURS}${BEN.id}/add/`
      assert.equal((await (await browserOf(world, VERA)).get(add)).statusCode, 403)
      const form = { date: '2031-04-01', hours: '8', reason: 'Built the stage' }
      assert.equal((await (await browserOf(world, VERA)).post(add, { form })).statusCode, 403)
      assert.equal((await paul.post(add, { form })).statusCode, 303)
      const [entry] = await entriesOf(BEN.id)
      const path = `${HOURS}entries/${entry!.id}/`
      assert.match((await paul.get(path)).body, /value="8"/)
      assert.equal((await ann.get(path)).statusCode, 404)
      const changed = { ...form, hours: '7', version: '1' }
      assert.equal((await paul.post(path, { form: changed })).statusCode, 303)
      const stale = await paul.post(path, { form: { ...form, hours: '9', version: '1' } })
      assert.equal(stale.statusCode, 409)
      assert.match(stale.body, /Another person changed this entry/)
      assert.equal(Number((await entriesOf(BEN.id))[0]!.hours), 7)
      assert.match((await paul.get(`${path}delete/`)).body, /Ben loses 7 h on 1 April 2031: Built the stage/)
      assert.equal((await paul.post(`${path}delete/`)).statusCode, 303)
      assert.deepEqual(await entriesOf(BEN.id), [])
      const journal = await read
        .selectFrom('journal')
        .select(['kind', 'personal'])
        .where('subject_id', '=', BEN.id)
        .where('kind', 'like', 'working_hours.%')
        .orderBy('id')
        .execute()
      assert.deepEqual(
        journal.map(({ kind }) => kind),
        ['working_hours.added', 'working_hours.changed', 'working_hours.deleted'],
      )
      assert.deepEqual(journal[1]!.personal, { hours: [8, 7] })
    })
  })

  test('are printed as a statement of service and exported as CSV, in both languages', async () => {
    const statement = await ann.get(`${MINE}statement/?from=2031-01-01&to=2031-12-31`)
    assert.deepEqual(checkMarkup(statement.body), [])
    assert.match(statement.body, /certifies that Ann worked 6 hours as a volunteer \(2031\)/)
    await write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', ANN.id).execute()
    const csv = await ann.get(`${MINE}export/?from=2031-01-01&to=2031-12-31`)
    assert.match(csv.body, /2031-04-30;Andere Arbeit;Tidied up;;;;;"2,50"\r\n/)
    assert.match(csv.body, /2031-03-10;Schicht;Hose drill;[^;]*;Drill;2031-03-10 18:00;2031-03-10 20:30;"2,50"\r\n/)
    const page = await ann.get(MINE)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /Meine Schichten/)
  })
})

type Lock = Parameters<typeof decideRequest>[2]

describe('two decisions about one request at the same time', async () => {
  const world = await openWorld()
  const decideTwice = async (lock?: Lock) => {
    const { id } = await world.db.write
      .insertInto('decision_request')
      .values({
        kind: 'working_hours',
        user_id: ANN.id,
        data: JSON.stringify({ date: '2031-04-01', hours: 2, reason: 'x' }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const input = { kinds: [hoursRequest], id, decision: 'grant' as const, comment: '', needsFourEyes: false }
    await Promise.all([1, 2].map(() => decideRequest(contextAs(world, OLGA), input, lock)))
    const { rows } = await world.db.readPool.query('select from working_hours where request_id = $1', [id])
    return rows.length
  }

  test('write the hours once', async () => assert.equal(await decideTwice(), 1))

  test('without the row lock, both write them', async () => {
    const bothHaveRead = Promise.withResolvers<void>()
    let readers = 0
    const withoutLock: Lock = async (tx, id) => {
      const { rows } = await sql<StoredRequest>`
        select r.id, r.kind, r.user_id, r.data, r.state from decision_request r where r.id = ${id}`.execute(tx)
      readers++
      if (readers === 2) bothHaveRead.resolve()
      await bothHaveRead.promise
      return rows[0]
    }
    assert.equal(await decideTwice(withoutLock), 2)
  })
})
