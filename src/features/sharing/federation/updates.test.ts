import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { journalTask } from '#platform/journal/readers.ts'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { makeSecret } from '#platform/outbound/standard-webhooks.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { addShared, contactOf, contextAs, contextAt, share } from '#test/support/federation.ts'
import { openPartners, takeJobs } from '#test/support/partner-updates.ts'
import { ANN, BEN, PAUL } from '#test/support/people.ts'
import { type Hearing, hearNotice } from './commands/host-updates.ts'
import { isGenuine, isTimely, type Notice, signNotice } from './commands/notices.ts'
import { fetchUpdates } from './commands/request-updates.ts'
import { storeUpdates, syncHost } from './commands/sync-host.ts'
import { tellChanges } from './commands/tell-changes.ts'
import { guestTeller } from './jobs.ts'
import { isNews, readCursor, writeCursor } from './rules/cursor.ts'

const HOUR_MS = 3_600_000

describe('a host tells a guest that runs Turnout', async () => {
  const { a, b, hostId, guestId, fromA, fromB, host, poll, settle, addVisitor, addPlace } = await openPartners()
  await takeJobs(a)

  const agreement = () => b.db.read.selectFrom('host_updates').selectAll().where('host_id', '=', hostId).executeTakeFirst()
  const feed = () => a.db.read.selectFrom('guest_updates').selectAll().executeTakeFirst()
  const titles = async () =>
    (await b.db.read.selectFrom('partner_event').select('title').orderBy('title').execute()).map(({ title }) => title)
  const places = async () =>
    (
      await b.db.read.selectFrom('participation_abroad').select(['user_id', 'state', 'shift_label']).orderBy('user_id').execute()
    ).map(Object.values)
  const ann = await addVisitor(ANN)
  const setState = async (shiftId: number, visitorId: number, to: 0 | 1 | 2 | 3) => {
    const { id } = await a.db.read
      .selectFrom('participation')
      .select('id')
      .where('shift_id', '=', shiftId)
      .where('visitor_id', '=', visitorId)
      .executeTakeFirstOrThrow()
    await a.db.write.updateTable('participation').set({ state: to }).where('id', '=', id).execute()
    return id
  }

  test('from the first request on: the home asks to be told, once, and reads what changed instead of the lists', async () => {
    await addShared(a, { title: 'Fair' }, [guestId])
    await poll()
    const paths = ['POST /api/federation/subscription/', 'POST /api/federation/changes/']
    assert.deepEqual(fromB.take(), paths)
    assert.deepEqual(await titles(), ['Fair'])
    await poll()
    assert.deepEqual(fromB.take(), ['POST /api/federation/changes/'])
    assert.equal((await agreement())!.cursor, `${(await feed())!.feed_id}.1`)
  })

  test('new, changed, unshared and cancelled events appear without waiting for the next request', async () => {
    const regatta = await addShared(a, { title: 'Regatta' }, [guestId])
    await settle()
    assert.deepEqual(fromA.take(), ['POST /api/federation/notices/'])
    assert.deepEqual(await titles(), ['Fair', 'Regatta'])
    await settle()
    assert.deepEqual([fromA.take(), (await takeJobs(b)).includes('sync_hosts')], [[], false], 'nothing new, nothing sent')
    await a.db.write.updateTable('event').set({ title: 'Regatta day' }).where('id', '=', regatta.id).execute()
    await settle()
    assert.deepEqual(await titles(), ['Fair', 'Regatta day'])
    await share(a, regatta.id, [])
    await settle()
    assert.deepEqual(await titles(), ['Fair'])
    await share(a, regatta.id, [guestId])
    await settle()
    assert.deepEqual(await titles(), ['Fair', 'Regatta day'])
    const cancelled = { cancelled_at: a.now, cancellation_reason: 'Storm' }
    await a.db.write.updateTable('event').set(cancelled).where('id', '=', regatta.id).execute()
    await settle()
    assert.deepEqual(await titles(), ['Fair'])
  })

  test('every command about an event, shift or place makes the worker tell, if there is somebody to tell', async () => {
    const { shifts } = await addShared(a, { title: 'Parade', responsible: [PAUL] }, [guestId])
    await addPlace(shifts[0]!, ann)
    await settle()
    await takeJobs(a)
    const moved = await moveOnBoard(contextAs(a, PAUL), { shiftId: shifts[0]!, who: { kind: 'visitor', id: ann }, to: 1 })
    assert.ok(moved.ok)
    const { id } = await a.db.read.selectFrom('journal').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    await takeJobs(a)
    const read = () => journalTask(a.db.write, [guestTeller(a)]).run({ id })
    await read()
    await read()
    assert.deepEqual(await takeJobs(a), ['tell_guests'])
    await settle()
    assert.deepEqual(await places(), [[ANN.id, 1, '']])
    await journalTask(b.db.write, [guestTeller(b)]).run({ id: 1 })
    assert.deepEqual(await takeJobs(b), [], 'nobody has asked this instance')
    await a.db.write.deleteFrom('event').where('title', '=', 'Parade').execute()
    await settle()
    assert.deepEqual(await places(), [])
  })

  test('decisions about its people, and nothing about those of whom it does not know', async () => {
    const { id, shifts } = await addShared(a, { title: 'Concert' }, [guestId])
    const unknown = await a.db.write
      .insertInto('visitor')
      .values({ federated_guest_id: guestId, remote_id: BEN.id, email: 'x@x.example', display_name: 'Not Ben' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addPlace(shifts[0]!, unknown.id)
    await addPlace(shifts[0]!, ann)
    await settle()
    assert.deepEqual(await places(), [[ANN.id, 0, '']], 'Ben has never been there')
    for (const state of [1, 3, 2] as const) {
      await setState(shifts[0]!, ann, state)
      await settle()
      assert.deepEqual(await places(), [[ANN.id, state, '']])
    }
    await share(a, id, [])
    await settle()
    assert.deepEqual(await places(), [])
    await share(a, id, [guestId])
    await settle()
    assert.deepEqual(await places(), [[ANN.id, 2, '']], 'shared again, it is told again')
    await a.db.write
      .deleteFrom('visitor')
      .where('id', '=', unknown.id)
      .execute()
      .catch(() => {})
    await a.db.write.deleteFrom('event').where('id', '=', id).execute()
    await settle()
    assert.deepEqual(await places(), [])
  })

  test('after a partition, the home catches up from its cursor, and the host tells again with growing intervals', async () => {
    fromA.isCut = true
    fromB.isCut = true
    const before = (await agreement())!.cursor
    for (const title of ['One', 'Two', 'Three']) {
      await addShared(a, { title }, [guestId])
      await settle()
      await poll()
    }
    assert.deepEqual([await titles(), (await agreement())!.cursor], [['Fair'], before])
    fromA.take()
    await settle()
    assert.deepEqual(fromA.take(), [], 'it waits')
    const failing = (await feed())!
    assert.deepEqual([failing.failures_in_row, failing.last_error], [1, 'connect ECONNREFUSED'])
    assert.ok(failing.next_attempt_at.getTime() > a.now.getTime() + 60_000)
    fromA.isCut = false
    fromB.isCut = false
    a.pass(180)
    b.pass(180)
    fromB.take()
    await settle()
    assert.deepEqual(await titles(), ['Fair', 'One', 'Three', 'Two'])
    const asked = fromB.sent.filter(({ url }) => url.endsWith('/changes/')).map(({ body }) => JSON.parse(body))
    assert.deepEqual(asked, [{ after: before }])
    const well = (await feed())!
    assert.deepEqual([well.failures_in_row, well.last_error, well.told_position], [0, null, well.position])
  })

  test('a list longer than a page comes complete, in parts; what is known to be gone is forgotten', async () => {
    const context = { ...contextAt(a), actor: { kind: 'partner', federatedGuestId: guestId, tokenId: 0 } as never }
    const all: string[] = []
    let after: string | undefined
    for (let page = 0, isComplete = false; !isComplete && page < 9; page++) {
      const told = (await tellChanges(context, after, 1))!
      assert.ok(told.events.length <= 1)
      assert.equal(told.isFromStart, page === 0)
      all.push(...told.events.map(({ title }) => title))
      after = told.cursor
      isComplete = told.isComplete
    }
    assert.deepEqual(all.sort(), ['Fair', 'One', 'Three', 'Two'])
    await a.db.write.deleteFrom('event').where('title', '=', 'Two').execute()
    const told = (await tellChanges(context, after))!
    assert.deepEqual([told.goneEvents.length, told.events], [1, []])
    assert.equal((await tellChanges(context, after))!.goneEvents.length, 1, 'the answer may have been lost')
    await poll()
    assert.deepEqual(await titles(), ['Fair', 'One', 'Three'])
    assert.deepEqual((await tellChanges(context, told.cursor))!.goneEvents, [])
    const left = await a.db.read.selectFrom('guest_copy').select('hash').where('hash', 'is', null).execute()
    assert.deepEqual(left, [])
  })

  const secretOf = async () => b.app.site.keyring.unseal((await agreement())!.secret_sealed!)
  const position = async (more: number) => {
    const { feedId, position } = readCursor((await agreement())!.cursor!)!
    return writeCursor({ feedId, position: position + more })
  }
  const noticed = async (more: Partial<Notice> = {}, secret?: string) => {
    const notice = { host: a.base, cursor: await position(1), timestamp: Math.floor(b.now.getTime() / 1000), ...more }
    return { ...notice, signature: signNotice(notice, secret ?? (await secretOf())) }
  }
  const hear = async (notice: Awaited<ReturnType<typeof noticed>>, off: object = {}) => {
    await takeJobs(b)
    const context = { db: b.db.write, now: b.now, site: b.app.site }
    const heard = await hearNotice(context, notice, { isGenuine, isTimely, isNews, ...off })
    return [heard, (await takeJobs(b)).includes('sync_hosts')]
  }
  const ASKED: [Hearing, boolean] = ['synced_soon', true]

  describe('a notice', () => {
    test('of the host makes the home ask', async () => {
      assert.deepEqual(await hear(await noticed()), ASKED)
      const { last_notice_at } = (await agreement())!
      assert.ok(last_notice_at)
    })
    test('that is forged or changed does not', async () => {
      const yes = { isGenuine: () => true }
      const forged = await noticed({}, makeSecret())
      assert.deepEqual([await hear(forged), await hear(forged, yes)], [['forged', false], ASKED])
      for (const change of [{ cursor: await position(7) }, { timestamp: Math.floor(b.now.getTime() / 1000) - 1 }]) {
        const changed = { ...(await noticed()), ...change }
        assert.deepEqual([await hear(changed), await hear(changed, yes)], [['forged', false], ASKED], JSON.stringify(change))
      }
      assert.deepEqual(await hear(await noticed({ host: 'https://c.example' })), ['forged', false])
      assert.deepEqual(await hear(await noticed({ cursor: 'x' })), ['forged', false])
    })
    test('that is replayed later, or comes from another time, does not', async () => {
      const at = async (seconds: number) => noticed({ timestamp: Math.floor(b.now.getTime() / 1000) + seconds })
      for (const seconds of [-302, 302]) {
        assert.deepEqual(await hear(await at(seconds)), ['untimely', false])
        assert.deepEqual(await hear(await at(seconds), { isTimely: () => true }), ASKED)
      }
      for (const seconds of [-298, 298]) assert.deepEqual(await hear(await at(seconds)), ASKED)
    })
    test('that is repeated or overtaken by a later one does not', async () => {
      for (const more of [0, -1]) {
        const old = await noticed({ cursor: await position(more) })
        assert.deepEqual([await hear(old), await hear(old, { isNews: () => true })], [['known', false], ASKED])
      }
    })
    test('over the network: 202, or 400 in the same way for all that is not genuine', async () => {
      const post = (body: object) =>
        b.send('/api/federation/notices/', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      assert.equal((await post(await noticed())).status, 202)
      const refusals = [await post(await noticed({}, makeSecret())), await post(await noticed({ host: 'https://c.example' }))]
      assert.deepEqual(
        refusals.map(({ status, json }) => [status, json.errors]),
        [1, 2].map(() => [
          400,
          [{ pointer: '/signature', code: 'invalid', detail: 'This is not signed by a host of this instance' }],
        ]),
      )
    })
  })

  test('an answer that a later request has overtaken counts for nothing', async () => {
    const { access_token_sealed, url } = await b.db.read.selectFrom('federated_host').selectAll().executeTakeFirstOrThrow()
    const to = { url, token: b.app.site.keyring.unseal(access_token_sealed), clock: { now: () => b.now } }
    await poll()
    const before = (await agreement())!.cursor
    const late = await addShared(a, { title: 'Late' }, [guestId])
    const fetched = await fetchUpdates(fromB.outbound, to, before)
    assert.ok(fetched.kind === 'told')
    await a.db.write.deleteFrom('event').where('id', '=', late.id).execute()
    await poll()
    const reached = (await agreement())!.cursor
    const store = (isLate?: () => boolean) =>
      storeUpdates(contextAt(b), contactOf(b), { id: hostId, url }, { updates: fetched.updates, before, took: 1 }, isLate)
    assert.deepEqual(await store(), { outcome: 'unchanged' })
    assert.deepEqual([(await titles()).includes('Late'), (await agreement())!.cursor], [false, reached])
    await store(() => false)
    assert.deepEqual(
      [(await titles()).includes('Late'), (await agreement())!.cursor === reached],
      [true, false],
      'without the guard',
    )
    await poll()
    assert.equal((await titles()).includes('Late'), false, 'and the next request repairs it')
  })

  test('a host that was restored, or is of an older version, is read by its lists until it tells again', async () => {
    await a.db.write.deleteFrom('guest_updates').execute()
    const restored = await addShared(a, { title: 'Restored' }, [guestId])
    fromB.take()
    await poll()
    assert.deepEqual(fromB.take(), [
      'POST /api/federation/changes/',
      'GET /api/federation/events/',
      'GET /api/federation/participations/',
    ])
    assert.ok((await titles()).includes('Restored'))
    await poll()
    assert.deepEqual(fromB.take(), ['POST /api/federation/subscription/', 'POST /api/federation/changes/'])
    await a.db.write.deleteFrom('event').where('id', '=', restored.id).execute()
    await settle()
    assert.equal((await titles()).includes('Restored'), false)
    const old = {
      send: async (url: string, ...rest: []) => {
        if (/subscription|changes/.test(url)) return { status: 404, headers: {}, text: '{}' }
        return fromB.outbound.send(url, ...rest)
      },
    }
    const ask = () => syncHost(contextAt(b), { ...contactOf(b), outbound: old }, hostId)
    await addShared(a, { title: 'Old' }, [guestId])
    await ask()
    assert.ok((await titles()).includes('Old'))
    assert.deepEqual([(await agreement())!.agreed_at, (await agreement())!.cursor], [null, null])
    fromB.take()
    await poll()
    assert.deepEqual(fromB.take(), ['GET /api/federation/events/', 'GET /api/federation/participations/'], 'for a day')
    b.pass(24 * 3600)
    await poll()
    assert.deepEqual(fromB.take(), ['POST /api/federation/subscription/', 'POST /api/federation/changes/'])
  })

  test('an event that ended two weeks ago is no longer listed', async () => {
    const end = (ms: number) => new Date(a.now.getTime() - 14 * 24 * HOUR_MS + ms).toISOString()
    const shiftOf = (ms: number) => ({ start: end(ms - HOUR_MS), end: end(ms) })
    await addShared(a, { title: 'Just kept', shifts: [shiftOf(60_000)] }, [guestId])
    await addShared(a, { title: 'Too old', shifts: [shiftOf(-1_000)] }, [guestId])
    assert.equal(await host.tell(), undefined)
    assert.deepEqual(await takeJobs(b), [], 'the clocks differ by a day, so notices do not count')
    await poll()
    const found = await titles()
    assert.deepEqual([found.includes('Just kept'), found.includes('Too old')], [true, false])
  })

  test('a notice is accepted with the former secret for a day after it was replaced', async () => {
    const former = await secretOf()
    await takeJobs(b)
    b.pass(30 * 24 * 3600)
    await poll()
    assert.notEqual(await secretOf(), former)
    assert.equal(a.app.site.keyring.unseal((await feed())!.secret_sealed), await secretOf(), 'the host uses the new one')
    assert.deepEqual(await hear(await noticed({}, former)), ASKED)
    assert.deepEqual(await hear(await noticed()), ASKED)
    b.pass(24 * 3600 - 60)
    assert.deepEqual(await hear(await noticed({}, former)), ASKED)
    b.pass(120)
    assert.deepEqual(await hear(await noticed({}, former)), ['forged', false])
  })
  test('a notice is accepted with the new secret although the answer of the host was lost', async () => {
    b.pass(30 * 24 * 3600)
    const former = await secretOf()
    const { outbound } = fromB
    const cutAfter = {
      send: async (...call: Parameters<typeof outbound.send>) => {
        if (call[0].endsWith('/subscription/')) {
          await outbound.send(...call)
          throw new OutboundError('unreachable', 'socket hang up')
        }
        return outbound.send(...call)
      },
    }
    await syncHost(contextAt(b), { outbound: cutAfter, clock: { now: () => b.now } }, hostId)
    const current = a.app.site.keyring.unseal((await feed())!.secret_sealed)
    assert.equal(await secretOf(), former)
    assert.notEqual(current, former)
    assert.deepEqual(await hear(await noticed({}, current)), ASKED)
    b.pass(600)
    await poll()
    assert.equal(await secretOf(), current)
  })

  test('the end of the link ends it all', async () => {
    await a.db.write.deleteFrom('access_token').where('federated_guest_id', '=', guestId).execute()
    await poll()
    const { ended_by_partner_at } = await b.db.read.selectFrom('federated_host').selectAll().executeTakeFirstOrThrow()
    assert.ok(ended_by_partner_at)
  })
})
