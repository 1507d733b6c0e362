import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { findPartnerHours } from '#features/on-the-day/hours/queries.ts'
import { transact } from '#platform/db/transaction.ts'
import { addShared, contextAs, contextAt, share } from '#test/support/federation.ts'
import { untilSomebodyWaits } from '#test/support/locks.ts'
import { openPartners } from '#test/support/partner-updates.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'
import { deleteExternalParticipations } from './commands/delete-external-participations.ts'
import { answerStatement } from './commands/denials.ts'
import { endHost } from './commands/hosts.ts'
import { setObjection } from './commands/objections.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ALL = { from: undefined, to: undefined, typeId: undefined }
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

describe('states and hours of people at a host', async () => {
  const { a, b, hostId, guestId, fromA, fromB, poll, settle, addVisitor, addPlace } = await openPartners()
  const ann = await addVisitor(ANN)
  await poll()
  const base = a.now.getTime()
  const hoursFrom = (ago: number, length: number) => ({
    start: new Date(base - ago * HOUR_MS).toISOString(),
    end: new Date(base - (ago - length) * HOUR_MS).toISOString(),
  })
  const past = (title: string, ago = 5, length = 2) => addShared(a, { title, shifts: [hoursFrom(ago, length)] }, [guestId])
  const hoursOf = async (person: Person) => {
    const context = { ...contextAs(b, person), db: b.db.read }
    const rows = await findPartnerHours(context as never, person.id, ALL)
    return rows.map(({ host, title, hours }) => [host, title, hours])
  }
  const host = new URL(a.base).host
  const places = async () =>
    (await b.db.read.selectFrom('participation_abroad').select(['user_id', 'state']).execute()).map(Object.values)
  const kept = async () => [
    (await b.db.read.selectFrom('participation_abroad').select('id').execute()).length,
    (await b.db.read.selectFrom('partner_hours').select('id').execute()).length,
  ]
  const setPlace = (id: number, values: object) =>
    a.db.write.updateTable('participation').set(values).where('id', '=', id).execute()
  beforeEach(async () => {
    await a.db.write.deleteFrom('event').execute()
    await poll()
    assert.deepEqual(await kept(), [0, 0])
  })

  test('confirmed shifts count when they are over, with the real times; others do not', async () => {
    const { shifts } = await past('Fair')
    const id = await addPlace(shifts[0]!, ann, 1)
    await settle()
    assert.deepEqual([await hoursOf(ANN), await hoursOf(BEN)], [[[host, 'Fair', 2]], []])
    await setPlace(id, { individual_end_time: new Date(Date.parse(hoursFrom(5, 3.5).end)) })
    await settle()
    assert.deepEqual(await hoursOf(ANN), [[host, 'Fair', 3.5]], 'a correction')
    for (const state of [0, 2, 3]) {
      await setPlace(id, { state })
      await settle()
      assert.deepEqual(await hoursOf(ANN), [], String(state))
    }
    await setPlace(id, { state: 1 })
    const later = await addShared(a, { title: 'Later' }, [guestId])
    await addPlace(later.shifts[0]!, ann, 1)
    const going = await past('Under way', 1, 2)
    await addPlace(going.shifts[0]!, ann, 1)
    await settle()
    assert.deepEqual(await hoursOf(ANN), [[host, 'Fair', 3.5]])
    const absent = { participation_id: id, no_show: true, is_absent: true } as never
    await a.db.write.insertInto('attendance').values(absent).execute()
    await settle()
    assert.deepEqual(await hoursOf(ANN), [], 'the planner confirmed that Ann was not there')
  })

  test('hours stay when the event leaves the list, and are corrected even then', async () => {
    const { id: event, shifts } = await past('Old fair')
    const id = await addPlace(shifts[0]!, ann, 1)
    await settle()
    await share(a, event, [])
    await settle()
    const listed = await b.db.read.selectFrom('partner_event').select('id').execute()
    assert.deepEqual([listed, await hoursOf(ANN)], [[], [[host, 'Old fair', 2]]])
    await setPlace(id, { individual_end_time: new Date(Date.parse(hoursFrom(5, 1).end)) })
    await settle()
    assert.deepEqual(await hoursOf(ANN), [[host, 'Old fair', 1]])
    await setPlace(id, { individual_end_time: new Date(base - 5 * HOUR_MS + 15 * DAY_MS) })
    await a.db.write
      .updateTable('participation')
      .set({ individual_start_time: new Date(base - 20 * DAY_MS) })
      .where('id', '=', id)
      .execute()
    await setPlace(id, { individual_end_time: new Date(base - 5 * DAY_MS) })
    await settle()
    assert.deepEqual(await hoursOf(ANN), [], 'more than two weeks in one shift are not believed')
  })

  test('nothing is stored of people who never visited the host, nor at other times than those of the event', async () => {
    const { shifts } = await past('Parade')
    const values = { federated_guest_id: guestId, remote_id: OLGA.id, email: 'x@x.example', display_name: 'Not Olga' }
    const { id } = await a.db.write.insertInto('visitor').values(values).returning('id').executeTakeFirstOrThrow()
    await addPlace(shifts[0]!, id, 1)
    const place = await addPlace(shifts[0]!, ann, 1)
    await setPlace(place, { individual_start_time: new Date(a.now.getTime() - 3 * DAY_MS) })
    await settle()
    assert.deepEqual([await hoursOf(OLGA), await hoursOf(ANN)], [[], []])
  })

  test('the person can deny them, and take the denial back', async () => {
    const { shifts } = await past('Denied')
    await addPlace(shifts[0]!, ann, 1)
    await settle()
    const row = await b.db.read.selectFrom('partner_hours').select('id').executeTakeFirstOrThrow()
    const answer = (isRight: boolean, person = ANN) => answerStatement(contextAs(b, person), { hoursId: row.id, isRight })
    assert.equal(await answer(false, BEN), false, 'hours of somebody else')
    assert.deepEqual([await answer(false), await hoursOf(ANN)], [true, []])
    await a.db.write.updateTable('shift').set({ label: 'North' }).where('id', '=', shifts[0]!).execute()
    await settle()
    assert.deepEqual(await hoursOf(ANN), [], 'stated otherwise, they stay denied')
    const { id } = await b.db.read.selectFrom('partner_hours').select('id').executeTakeFirstOrThrow()
    await answerStatement(contextAs(b, ANN), { hoursId: id, isRight: true })
    assert.deepEqual(await hoursOf(ANN), [[host, 'Denied', 2]])
  })

  test('of a person who objects nothing is sent and nothing is kept; allowed again, all of it is told', async () => {
    const ben = await addVisitor(BEN)
    const [fair, next] = [await past('Fair'), await addShared(a, { title: 'Next' }, [guestId])]
    for (const visitor of [ann, ben]) {
      await addPlace(fair.shifts[0]!, visitor, 1)
      await addPlace(next.shifts[0]!, visitor)
    }
    await settle()
    assert.deepEqual(await kept(), [4, 2])
    assert.deepEqual([await setObjection(contextAs(b, ANN), true), await setObjection(contextAs(b, ANN), true)], [true, false])
    assert.deepEqual([await kept(), await hoursOf(ANN)], [[2, 1], []], 'at once')
    await a.db.write.updateTable('shift').set({ label: 'East' }).where('id', '=', fair.shifts[0]!).execute()
    await settle()
    assert.deepEqual([await kept(), (await hoursOf(BEN)).length], [[2, 1], 1], 'also if the host has not heard of it')
    await poll()
    const told = await a.db.read.selectFrom('visitor_objection').select('remote_id').execute()
    assert.deepEqual(told, [{ remote_id: ANN.id }])
    await a.db.write.updateTable('shift').set({ label: 'West' }).where('id', '=', fair.shifts[0]!).execute()
    fromB.take()
    await settle()
    const copies = await a.db.read.selectFrom('guest_copy').select('visitor_id').where('kind', '=', 'participation').execute()
    assert.deepEqual(new Set(copies.map(({ visitor_id }) => visitor_id)), new Set([ben]))
    const token = b.app.site.keyring.unseal(
      (await b.db.read.selectFrom('federated_host').select('access_token_sealed').executeTakeFirstOrThrow()).access_token_sealed,
    )
    const listed = await a.send('/api/federation/participations/', { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual(new Set(listed.json.results.map(({ user }: { user: number }) => user)), new Set([BEN.id]))
    const entries = await b.db.read.selectFrom('journal').select('kind').where('subject_id', '=', ANN.id).orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ kind }) => kind).filter((kind) => /partners/.test(kind)),
      ['user.objected_to_partners'],
    )
    assert.equal(await setObjection(contextAs(b, ANN), false), true)
    await poll()
    assert.deepEqual([await kept(), await hoursOf(ANN)], [[4, 2], [[host, 'Fair', 2]]])
  })

  for (const hasLock of [true, false])
    test(`an objection while a list is stored: ${hasLock ? 'nothing is kept' : 'without the lock, it is kept'}`, async () => {
      const stored = Promise.withResolvers<void>()
      const hasTold = Promise.withResolvers<void>()
      const storing = b.db.write.transaction().execute(async (tx) => {
        await tx.selectFrom('federated_host').select('id').forUpdate().execute()
        const times = { start_time: new Date(base - 2 * HOUR_MS), end_time: new Date(base - HOUR_MS) }
        const row = {
          user_id: ANN.id,
          host_id: hostId,
          host_name: host,
          remote_id: 9_999,
          remote_shift_id: 9_999,
          title: 'Race',
          ...times,
        }
        await tx.insertInto('partner_hours').values(row).execute()
        stored.resolve()
        await hasTold.promise
      })
      await stored.promise
      const objecting = setObjection(contextAs(b, ANN), true, hasLock ? undefined : async () => undefined)
      // Without the lock, the deletion is over, and only the time of the next request waits.
      await untilSomebodyWaits(b.db.write)
      hasTold.resolve()
      await Promise.all([storing, objecting])
      assert.deepEqual(await kept(), [0, hasLock ? 0 : 1])
      await b.db.write.deleteFrom('partner_hours').execute()
      await setObjection(contextAs(b, ANN), false)
    })

  test('a place is given up from home, by the rules of the host, which learns of it at once', async () => {
    const free = await addShared(a, { title: 'Free', shifts: [INSTANT] }, [guestId])
    const bound = await addShared(
      a,
      { title: 'Bound', shifts: [{ flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: false } }] },
      [guestId],
    )
    for (const { shifts } of [free, bound]) await addPlace(shifts[0]!, ann, 1)
    await settle()
    const browser = await b.browserOf(ANN)
    const own = await browser.go('/my-shifts/')
    const links = [...own.text.matchAll(/href="(\/events\/external\/places\/\d+\/give-up\/)"/g)].map(([, path]) => path!)
    assert.equal(new Set(links).size, 2, own.text)
    const pathOf = async (title: string) => {
      const row = await b.db.read
        .selectFrom('participation_abroad as p')
        .innerJoin('partner_event as e', 'e.id', 'p.partner_event_id')
        .select('p.id')
        .where('e.title', '=', title)
        .executeTakeFirstOrThrow()
      return `/events/external/places/${row.id}/give-up/`
    }
    const giveUp = async (path: string) => {
      const asked = await browser.go(path)
      assert.match(asked.text, /Give up (Free|Bound)\?/)
      const done = await browser.post(path, {})
      assert.equal(done.headers.location, '/my-shifts/')
      return (await browser.go('/my-shifts/')).text
    }
    const stateOf = async ({ shifts }: { shifts: number[] }) =>
      (await a.db.read.selectFrom('participation').select('state').where('shift_id', '=', shifts[0]!).executeTakeFirstOrThrow())
        .state
    const [freePath, boundPath] = [await pathOf('Free'), await pathOf('Bound')]
    const others = await b.browserOf(BEN)
    assert.equal((await others.go(freePath)).status, 404)
    assert.match(await giveUp(boundPath), /does not let you give up this place/)
    assert.equal(await stateOf(bound), 1)
    fromB.isCut = true
    assert.match(await giveUp(freePath), /knows that you are not coming/, 'pages use the connection of the server')
    fromB.isCut = false
    assert.deepEqual([await stateOf(free), await stateOf(bound)], [2, 1])
    assert.equal((await browser.go(freePath)).status, 404, 'given up')
    assert.deepEqual((await places()).map(([, state]) => state).sort(), [1, 2])
    await settle()
    assert.deepEqual((await places()).map(([, state]) => state).sort(), [1, 2])
    const entry = await a.db.read
      .selectFrom('journal')
      .select(['kind', 'actor_kind', 'actor_id'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual(entry, { kind: 'participation.declined', actor_kind: 'visitor', actor_id: ann })
  })

  test('pages: own hours and the page of planners show them apart, with the name of the host', async () => {
    const { shifts } = await past('Shown')
    await addPlace(shifts[0]!, ann, 1)
    await settle()
    const pages = [
      [await b.browserOf(ANN), '/my-shifts/'],
      [await b.browserOf(OLGA), `/manage/hours/${ANN.id}/`],
      [await b.browserOf(OLGA), '/planning/reports/'],
    ] as const
    for (const [browser, path] of pages) {
      const { status, text } = await browser.go(path)
      assert.equal(status, 200, path)
      assert.ok(text.includes('Hours at partners'), path)
      assert.match(text, new RegExp(`Shown|Ann, ${host}`), path)
      assert.ok(text.includes(host), path)
    }
    const mine = await (await b.browserOf(ANN)).go('/my-shifts/')
    assert.match(mine.text, /0 hours this year<?[^<]* · 2 hours at partners/)
    const ben = await (await b.browserOf(BEN)).go('/my-shifts/')
    assert.doesNotMatch(ben.text, /Hours at partners|at partners/)
    const browser = await b.browserOf(ANN)
    const statements = await browser.go('/events/external/mine/')
    assert.match(statements.text, /Hours at other organisations[\s\S]*Shown/)
    assert.equal((await browser.post('/events/external/mine/objection/', { objects: 'yes' })).status, 303)
    const after = await browser.go('/events/external/mine/')
    assert.match(after.text, /Other organisations tell us nothing about you/)
    assert.doesNotMatch(after.text, /Shown/)
    assert.equal((await browser.post('/events/external/mine/objection/', { objects: 'no' })).status, 303)
    await poll()
    assert.equal((await hoursOf(ANN)).length, 1)
  })

  test('they stay with the name of the host when the link ends, and go with the account', async () => {
    const { shifts } = await past('Shown')
    await addPlace(shifts[0]!, ann, 1)
    await settle()
    const ended = await endHost(contextAt(b), fromB.outbound, hostId)
    assert.deepEqual(ended, { ok: true })
    assert.deepEqual(await hoursOf(ANN), [[host, 'Shown', 2]])
    assert.deepEqual(await a.db.read.selectFrom('guest_copy').select('record_id').execute(), [])
    fromA.take()
    await transact(b.db.write, (tx) => deleteExternalParticipations(tx, ANN.id))
    assert.deepEqual(await kept(), [0, 0])
  })
})
