import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { joinWaitingList } from '#features/staffing/waiting-list/commands/join.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { continueSearches, seekStandIn } from './commands/search.ts'
import { answerStandIn } from './commands/stand-in.ts'
import { findTakers } from './queries/stand-in.ts'

const HOUR_MS = 3_600_000
const START = '2031-05-20T08:00:00Z'
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('a search for a stand-in asks in waves', async () => {
  const world = await openWorld()
  const people: Person[] = []
  for (const name of ['Cem', 'Dora', 'Eve', 'Fred', 'Gil']) people.push(await world.addPerson({ name }))
  const [cem, dora, eve, fred, gil] = people as [Person, Person, Person, Person, Person]
  const group = await world.addGroup('Team', [ANN, ...people])
  const as = (person: Person, later = 0): CommandContext => {
    const { actor, ...rest } = contextAs(world, person)
    return { ...rest, actor: { ...actor, groupIds: [group.id] } as typeof actor, now: new Date(world.now.getTime() + later) }
  }
  const job = (later = 0): CommandContext => ({ ...as(PAUL, later), actor: ANONYMOUS })
  beforeEach(async () => {
    for (const table of ['stand_in', 'waiting_entry', 'participation'] as const) await world.db.write.deleteFrom(table).execute()
    await world.db.write.updateTable('event_type').set({ show_participant_data: 0 }).execute()
  })
  const addEvent = async (start: string, end: string) => {
    const { id, shifts } = await world.addEvent({
      title: 'Harbour run',
      seenBy: [group],
      responsible: [PAUL],
      shifts: [{ label: 'Gate', start, end, flow: 'instant_confirmation', configuration: { maximum_number_of_participants: 1 } }],
    })
    return { event: id, shift: shifts[0]! }
  }
  const addShift = async () => {
    const { event, shift } = await addEvent(START, '2031-05-20T14:00:00Z')
    await world.addParticipation({ who: ANN, shift, state: 1 })
    await transact(world.db.write, (tx) => refreshStatistics(tx, [shift]))
    return { event, shift }
  }
  /** Past shifts in which both took part. */
  const share = async (person: Person, count: number) => {
    for (let each = 0; each < count; each++) {
      const { shift } = await addEvent(`2030-0${each + 1}-01T08:00:00Z`, `2030-0${each + 1}-01T10:00:00Z`)
      for (const who of [ANN, person]) await world.addParticipation({ who, shift, state: 1 })
    }
  }
  const seek = async (shift: number, more: { size?: number; chosen?: number[] } = {}) => {
    const outcome = await seekStandIn(as(ANN), { shiftId: shift, message: '', size: 2, chosen: [], ...more })
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return outcome
  }
  const rowsOf = (id: number) =>
    world.db.write
      .selectFrom('stand_in_person')
      .select(['user_id', 'asked_at'])
      .where('stand_in_id', '=', id)
      .orderBy('position')
      .execute()
  const askedIn = async (id: number) => (await rowsOf(id)).filter(({ asked_at }) => asked_at).map(({ user_id }) => user_id)
  const nextOf = async (id: number) => {
    const { next_at } = await world.db.write
      .selectFrom('stand_in')
      .select('next_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return next_at && next_at.getTime() - world.now.getTime()
  }
  const notified = async () =>
    (
      await world.db.write
        .selectFrom('journal')
        .select('changes')
        .where('kind', '=', 'shift.stand_in_asked')
        .orderBy('id')
        .execute()
    ).map(({ changes }) => (changes as { users: number[] }).users)

  test('those who shared most shifts first, then the next ones every two hours until everybody was asked', async () => {
    await share(dora, 1)
    await share(eve, 3)
    const { shift } = await addShift()
    const before = (await notified()).length
    const { id, asked, people: count, nextAt } = await seek(shift)
    const order = (await rowsOf(id)).map(({ user_id }) => user_id)
    assert.deepEqual(order.slice(0, 2), [eve.id, dora.id])
    assert.deepEqual([asked, count, nextAt], [2, order.length, new Date(world.now.getTime() + 2 * HOUR_MS)])
    assert.ok(order.length > 4 && !order.includes(ANN.id))
    assert.deepEqual(await askedIn(id), order.slice(0, 2))
    await continueSearches(job(2 * HOUR_MS - 1))
    assert.deepEqual(await askedIn(id), order.slice(0, 2))
    for (let wave = 2; (await nextOf(id)) !== null; wave++) {
      assert.equal(await nextOf(id), (wave - 1) * 2 * HOUR_MS)
      await continueSearches(job((wave - 1) * 2 * HOUR_MS))
      assert.deepEqual(await askedIn(id), order.slice(0, wave * 2))
    }
    assert.deepEqual((await notified()).slice(before).flat(), order)
  })

  test('chosen people first, if the person knows them', async () => {
    await share(dora, 1)
    await share(eve, 3)
    const { shift } = await addShift()
    const { id } = await seek(shift, { size: 3, chosen: [fred.id, dora.id] })
    const order = await askedIn(id)
    assert.deepEqual(order.slice(0, 2), [dora.id, eve.id])
    assert.notEqual(order[2], fred.id, 'Ann has never met Fred')
  })

  test('names that the person may not see do not count as known', async () => {
    await share(eve, 3)
    const { shift } = await addShift()
    const sharedOf = async () =>
      (await findTakers({ ...as(ANN), db: world.db.write }, { shiftId: shift })).find(({ id }) => id === eve.id)?.shared
    assert.equal(await sharedOf(), 3)
    await world.db.write.updateTable('event_type').set({ show_participant_data: 2 }).execute()
    assert.equal(await sharedOf(), 0)
  })

  test('people who are busy by then are passed over, and those who were not asked cannot take the place', async () => {
    await share(cem, 3)
    await share(dora, 2)
    await share(eve, 1)
    const { shift } = await addShift()
    const { id } = await seek(shift, { size: 1 })
    assert.equal((await answerStandIn(as(dora), { standInId: id, answer: 'yes' })).kind, 'gone')
    const other = await addEvent(START, '2031-05-20T14:00:00Z')
    await world.addParticipation({ who: dora, shift: other.shift, state: 1 })
    await continueSearches(job(2 * HOUR_MS))
    assert.deepEqual(await askedIn(id), [cem.id, eve.id])
    const row = await world.db.write
      .selectFrom('stand_in_person')
      .select('id')
      .where('user_id', '=', dora.id)
      .executeTakeFirstOrThrow()
    const { keyring } = world.app.site
    const token = makeOfferToken(keyring, { kind: 'stand_in', id: row.id, userId: dora.id, shiftId: shift })
    assert.equal((await (await browserOf(world, PAUL)).get(`/offered/${token}/`)).statusCode, 404)
  })

  test('when all who were asked say no, the next ones do not wait', async () => {
    await share(cem, 2)
    await share(dora, 1)
    const { shift } = await addShift()
    const { id } = await seek(shift, { size: 2 })
    await answerStandIn(as(cem, HOUR_MS), { standInId: id, answer: 'no' })
    assert.equal(await nextOf(id), 2 * HOUR_MS)
    await answerStandIn(as(dora, HOUR_MS), { standInId: id, answer: 'no' })
    assert.equal(await nextOf(id), HOUR_MS)
    await continueSearches(job(HOUR_MS))
    assert.equal((await askedIn(id)).length, 4)
    assert.equal(await nextOf(id), 3 * HOUR_MS)
  })

  test('a wave that becomes due at night waits until the morning', async () => {
    const { shift } = await addShift()
    const { id } = await seek(shift)
    const asked = await askedIn(id)
    const later = (time: string) => new Date(time).getTime() - world.now.getTime()
    const morning = later('2031-05-02T07:00:00+02:00')
    await continueSearches(job(later('2031-05-02T02:00:00+02:00')))
    assert.deepEqual([await askedIn(id), await nextOf(id)], [asked, morning])
    await continueSearches(job(morning))
    assert.equal((await askedIn(id)).length, asked.length + 2)
  })

  test('nobody is asked after somebody took the place', async () => {
    const { shift } = await addShift()
    const { id } = await seek(shift)
    const [first] = await askedIn(id)
    const taker = [cem, dora, eve, fred, gil].find((person) => person.id === first)
    if (taker) assert.equal((await answerStandIn(as(taker), { standInId: id, answer: 'yes' })).kind, 'taken')
    else await world.db.write.updateTable('stand_in').set({ state: 'done', next_at: null }).where('id', '=', id).execute()
    await continueSearches(job(2 * HOUR_MS))
    assert.equal((await askedIn(id)).length, 2)
  })

  test('the waiting list before others', async () => {
    const { shift } = await addShift()
    assert.ok((await joinWaitingList(as(gil), shift)).ok)
    const { id, asked } = await seek(shift)
    assert.deepEqual([asked, await askedIn(id)], [1, [gil.id]])
  })

  /** Two processes whose waves are due at the same time, both past the checks if the lock lets them. */
  const race = async (lockEvent: Guard['lockEvent']) => {
    const { shift } = await addShift()
    const { id } = await seek(shift)
    const before = (await notified()).length
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const checked = async () => {
      if (++arrived === 2 || lockEvent === GUARD.lockEvent) release()
      await all
    }
    await Promise.all([0, 1].map(() => continueSearches(job(2 * HOUR_MS), { lockEvent, checked })))
    return { waves: (await notified()).length - before, asked: (await askedIn(id)).length }
  }
  test('once, when two processes send it at the same time', async () => {
    assert.deepEqual(await race(GUARD.lockEvent), { waves: 1, asked: 4 })
  })
  test('twice without the lock', async () => {
    assert.equal((await race(async () => true)).waves, 2)
  })

  test('the page says how many are asked and in which order; a wrong number keeps what was typed', async () => {
    await share(cem, 2)
    await share(dora, 1)
    const { shift } = await addShift()
    const browser = await browserOf(world, ANN)
    const path = `/shifts/${shift}/stand-in/`
    const page = await browser.get(path)
    assert.deepEqual(checkMarkup(page.body), [])
    const count = (await findTakers({ ...as(ANN), db: world.db.write }, { shiftId: shift })).length
    assert.match(plain(page.body), new RegExp(`${count} people fit and are free then\\. Those who shared most shifts`))
    assert.match(plain(page.body), /Cem 2 shifts together .*Dora 1 shift together/)
    assert.doesNotMatch(page.body, /Fred/)
    for (const size of ['0', '101', 'x', '']) {
      const refused = await browser.post(path, { form: { message: 'ill', size, first: String(dora.id) } })
      assert.equal(refused.statusCode, 422, size)
      assert.match(refused.body, /Enter a number from 1 to 100/)
      assert.match(refused.body, />\s*ill<\/textarea>/)
      assert.match(refused.body, new RegExp(`value="${dora.id}"[^>]* checked|checked[^>]* value="${dora.id}"`))
    }
    const sent = await browser.post(path, { form: { message: 'ill', size: '1', first: String(dora.id) } })
    assert.equal(sent.statusCode, 303)
    const { id } = await world.db.write.selectFrom('stand_in').select('id').executeTakeFirstOrThrow()
    assert.deepEqual(await askedIn(id), [dora.id])
    assert.match(plain((await browser.get(path)).body), new RegExp(`1 of ${count} asked, the next 1 `))
  })

  test('at night, the message says when people are asked', async () => {
    const before = world.now
    world.now = new Date('2031-05-10T21:30:00Z')
    try {
      const { shift } = await addShift()
      const browser = await browserOf(world, ANN)
      const path = `/shifts/${shift}/stand-in/`
      await browser.post(path, { form: { message: '', size: '1' } })
      const { body } = await browser.get(path)
      assert.match(body, /It is night: 1 person is asked on .*11 May at 07:00/)
      assert.doesNotMatch(body, /being asked/)
    } finally {
      world.now = before
    }
  })

  test('the search stands on the own row with a way to stop it, and on both boards', async () => {
    const { event, shift } = await addShift()
    const { people: count } = await seek(shift)
    const progress = new RegExp(`2 of ${count} asked, the next 2 at \\d\\d:\\d\\d`)
    const mine = await world.withSession(ANN).get('/my-shifts/', { unchecked: true })
    assert.deepEqual(checkMarkup(mine.text), [])
    const row = mine.text.split(`id="own-${shift}"`)[1]!.split('</li>')[0]!
    assert.match(plain(row), progress)
    assert.ok(row.includes(`action="/shifts/${shift}/stand-in/cancel/"`))
    for (const path of [`/shifts/${shift}/disposition/`, `/events/${event}/board/`]) {
      const board = await world.withSession(PAUL).get(path, { unchecked: true })
      assert.equal(board.status, 200)
      assert.deepEqual(checkMarkup(board.text), [])
      assert.match(plain(board.text), /Ann.* is looking for a stand-in/)
      assert.match(plain(board.text), progress)
    }
    const browser = await browserOf(world, ANN)
    const stopped = await browser.post(`/shifts/${shift}/stand-in/cancel/`, { form: { from: 'my-shifts' } })
    assert.deepEqual([stopped.statusCode, stopped.headers.location], [303, '/my-shifts/'])
    assert.doesNotMatch(plain((await world.withSession(ANN).get('/my-shifts/', { unchecked: true })).text), progress)
  })
})
