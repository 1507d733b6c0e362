import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { actorOf, contextAs, contextOf, GUEST } from '#test/support/command-context.ts'
import { untilSomebodyWaits } from '#test/support/locks.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'
import { addWebhook } from '#test/support/webhooks.ts'
import { openWorld } from '#test/support/world.ts'
import { findWebhooks } from '../queries/webhooks.ts'
import { askForResend, askForTest } from './ask.ts'
import { claimWebhooks, getOwner, releaseLease } from './leases.ts'
import { forgetOldSecrets, type Message, moveOn, recordDelivered, recordFailed, recordRefused } from './outcomes.ts'
import {
  changeWebhook,
  createWebhook,
  deleteDeliveriesAbout,
  deleteWebhook,
  deleteWebhooksOf,
  rotateWebhookSecret,
  setWebhookActive,
} from './webhooks.ts'

const HOUR_MS = 3_600_000
const FEED = '11111111-1111-4111-8111-111111111111'

describe('webhooks in the database', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person) => contextAs(world, person)
  const at = (hours: number) => new Date(world.now.getTime() + hours * HOUR_MS)
  const later = (person: Person, hours: number) => ({ ...as(person), now: at(hours) })
  const VALUES = {
    name: 'Roster',
    description: 'For the board',
    url: 'https://roster.example.org/hook',
    kinds: ['event', 'shift'],
    scopes: ['PUBLIC_READ'],
    include_record: false,
  }
  const add = async (wish: Partial<typeof VALUES> & { active?: boolean } = {}, owner = ANN) =>
    (await addWebhook(world, owner, { ...VALUES, ...wish })).id
  const rowOf = (id: number) => write.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()
  const queueOf = (id: number) =>
    write.selectFrom('webhook_queue').selectAll().where('webhook_id', '=', id).executeTakeFirstOrThrow()
  const logOf = (id: number) =>
    write.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', id).orderBy('id').execute()
  const journal = async () =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'changes', 'actor_id'])
        .where('subject_kind', '=', 'webhook')
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_id, changes, actor_id }) => [kind, subject_id, changes, actor_id])
  const FAILING = { failures: 3, failing_since: at(-5), refusals: 2, passed_over: 4, next_at: at(9) }
  const fail = (id: number) => write.updateTable('webhook_queue').set(FAILING).where('webhook_id', '=', id).execute()
  const troublesOf = async (id: number) => {
    const { failures, failing_since, refusals, passed_over, next_at } = await queueOf(id)
    return { failures, failing_since, refusals, passed_over, next_at }
  }
  const NONE = { failures: 0, failing_since: null, refusals: 0, passed_over: 0 }
  beforeEach(async () => {
    await write.deleteFrom('webhook').execute()
    await write.deleteFrom('journal').execute()
  })

  test('are stored without spaces around and repeated kinds, and begin at the present end of the feed', async () => {
    await write.updateTable('change_feed').set({ position: 41 }).execute()
    const wish = {
      name: ' Roster ',
      description: ' x ',
      url: ' https://roster.example.org/hook ',
      kinds: ['event', 'event', 'shift'],
      scopes: ['PUBLIC_READ', 'PUBLIC_READ'],
      include_record: true,
    }
    const made = await createWebhook(as(ANN), { ...wish, active: true })
    assert.ok(made.ok)
    const { secret_sealed, created_at, id, ...row } = (await rowOf(made.id))!
    assert.equal(world.app.site.keyring.unseal(secret_sealed), made.secret)
    assert.deepEqual(
      [created_at, row],
      [
        world.now,
        {
          ...VALUES,
          description: 'x',
          include_record: true,
          owner_id: ANN.id,
          active: true,
          off_at: null,
          off_reason: null,
          old_secret_sealed: null,
          old_secret_until: null,
        },
      ],
    )
    const { id: feed_id } = await write.selectFrom('change_feed').select('id').executeTakeFirstOrThrow()
    const queue = await queueOf(id)
    assert.deepEqual([queue.position, queue.feed_id, queue.next_at, queue.failures], [41, feed_id, world.now, 0])
    const paused = await createWebhook(as(ANN), { ...VALUES, active: false })
    assert.deepEqual(paused.ok && [(await rowOf(paused.id))!.active, (await rowOf(paused.id))!.off_at], [false, world.now])
    await assert.rejects(createWebhook(contextOf(world, GUEST), { ...VALUES, active: true }), { code: 'permission_denied' })
    assert.deepEqual(await createWebhook(as(ANN), { ...VALUES, name: ' ', active: true }), {
      ok: false,
      refusals: [{ field: 'name', reason: 'no_name' }],
    })
    await write.updateTable('change_feed').set({ position: 0 }).execute()
  })

  test('are limited for each person', async () => {
    for (let count = 0; count < 20; count++) await add()
    await add({}, BEN)
    assert.deepEqual(await createWebhook(as(ANN), { ...VALUES, active: true }), {
      ok: false,
      refusals: [{ field: undefined, reason: 'too_many' }],
    })
    assert.ok((await createWebhook(as(BEN), { ...VALUES, active: true })).ok)
    await deleteWebhooksOf(write as never, ANN.id)
    assert.deepEqual(
      (await findWebhooks(write, 'all')).map(({ owner }) => owner),
      ['Ben', 'Ben'],
    )
    assert.deepEqual(await findWebhooks(write, ANN.id), [])
  })

  test('are changed field by field, by the owner, with one entry that names what changed', async () => {
    const [id, other] = [await add(), await add({ name: 'other' })]
    await fail(id)
    await fail(other)
    const before = [await rowOf(other), await queueOf(other)]
    await write.deleteFrom('journal').execute()
    const change = (wish: Parameters<typeof changeWebhook>[2], context = as(ANN)) => changeWebhook(context, id, wish)
    const OK = { ok: true } as const
    assert.deepEqual(await change({}), OK)
    assert.deepEqual(await change({ name: 'Roster', active: true }), OK)
    assert.deepEqual(await journal(), [], 'nothing changed')
    assert.deepEqual(await change({ url: 'http://roster.example.org/' }), {
      ok: false,
      refusals: [{ field: 'url', reason: 'not_https' }],
    })
    assert.deepEqual(await change({ name: ' New ', description: 'Of the crew' }), OK)
    assert.deepEqual(await troublesOf(id), FAILING, 'the same address waits on')
    assert.deepEqual(await change({ kinds: ['event'], scopes: ['PUBLIC_READ', 'ME_READ'] }, { ...as(ANN), now: world.now }), OK)
    assert.deepEqual(await change({ url: 'https://other.example.org/secret' }, later(ANN, 0)), OK)
    assert.deepEqual(await troublesOf(id), { ...NONE, next_at: world.now }, 'another address is tried at once')
    await fail(id)
    assert.deepEqual(await change({ include_record: true }), OK)
    assert.equal((await rowOf(id))!.include_record, true)
    assert.deepEqual(await change({ active: false }, later(ANN, 1)), OK)
    assert.deepEqual([await troublesOf(id), (await rowOf(id))!.off_at, (await rowOf(id))!.active], [FAILING, at(1), false])
    await write.updateTable('webhook').set({ off_reason: 'failing' }).where('id', '=', id).execute()
    assert.deepEqual(await change({ active: true }, later(ANN, 2)), OK)
    const { off_at, off_reason, active, name, url, kinds, scopes, description } = (await rowOf(id))!
    assert.deepEqual([off_at, off_reason, active, await troublesOf(id)], [null, null, true, { ...NONE, next_at: at(2) }])
    assert.deepEqual(
      [name, description, url, kinds, scopes],
      ['New', 'Of the crew', 'https://other.example.org/secret', ['event'], ['PUBLIC_READ', 'ME_READ']],
    )
    assert.deepEqual(await journal(), [
      ['webhook.changed', id, { name: ['Roster', 'New'], description: ['For the board', 'Of the crew'] }, ANN.id],
      [
        'webhook.changed',
        id,
        { kinds: [['event', 'shift'], ['event']], scopes: [['PUBLIC_READ'], ['PUBLIC_READ', 'ME_READ']] },
        ANN.id,
      ],
      ['webhook.changed', id, { host: ['roster.example.org', 'other.example.org'] }, ANN.id],
      ['webhook.changed', id, { include_record: [false, true] }, ANN.id],
      ['webhook.changed', id, { active: [true, false] }, ANN.id],
      ['webhook.changed', id, { active: [false, true] }, ANN.id],
    ])
    assert.deepEqual([await rowOf(other), await queueOf(other)], before)
    assert.equal(await changeWebhook(as(ANN), 999_999, {}), undefined)
    for (const stranger of [BEN, OLGA]) await assert.rejects(change({ name: 'x' }, as(stranger)), { code: 'permission_denied' })
  })

  test('are changed one after the other: two changes at the same time both stay', async () => {
    const id = await add()
    const { second } = await transact(write, async (tx) => {
      await tx.updateTable('webhook').set({ name: 'First' }).where('id', '=', id).execute()
      const second = changeWebhook(as(ANN), id, { description: 'Second' })
      await untilSomebodyWaits(world.db.read)
      return { second }
    })
    assert.deepEqual(await second, { ok: true })
    const { name, description } = (await rowOf(id))!
    assert.deepEqual([name, description], ['First', 'Second'])
  })

  test('need a recent sign-in for anything that discloses more, and none for a pause', async () => {
    const id = await add()
    const stale = contextOf(world, actorOf(ANN, { via: { kind: 'session', sessionHash: Buffer.alloc(32), provedAt: at(-24) } }))
    const refused = { code: 'sign_in_again' }
    const isRefused = async (work: Promise<unknown>) => {
      const outcome = await work.then(
        () => 'done',
        (error: { code: string }) => error.code,
      )
      assert.notEqual(outcome, 'done', refused.code)
      assert.notEqual(outcome, 'permission_denied')
    }
    await isRefused(createWebhook(stale, { ...VALUES, active: true }))
    await isRefused(changeWebhook(stale, id, { name: 'x' }))
    await isRefused(rotateWebhookSecret(stale, id, 0))
    assert.deepEqual(await changeWebhook(stale, id, { active: false }), { ok: true })
    assert.equal((await rowOf(id))!.name, 'Roster')
  })

  test('are paused, resumed and deleted by owners and administrators, one at a time', async () => {
    const [id, other] = [await add(), await add({ name: 'other', url: 'https://hook.example.net/x' })]
    await write.deleteFrom('journal').execute()
    assert.equal(await setWebhookActive(as(BEN), id, false), undefined)
    assert.equal(await deleteWebhook(as(BEN), id), undefined)
    assert.equal(await setWebhookActive(as(ANN), 999_999, false), undefined)
    assert.equal((await setWebhookActive(as(ANN), id, true))?.id, id)
    assert.deepEqual(await journal(), [])
    assert.equal((await setWebhookActive(later(OLGA, 1), id, false))?.id, id)
    assert.deepEqual([(await rowOf(id))!.active, (await rowOf(id))!.off_at, (await rowOf(other))!.active], [false, at(1), true])
    await fail(id)
    await fail(other)
    assert.equal((await setWebhookActive(later(ANN, 2), id, true))?.id, id)
    assert.deepEqual([await troublesOf(id), await troublesOf(other)], [{ ...NONE, next_at: at(2) }, FAILING])
    assert.equal((await deleteWebhook(as(OLGA), other))?.name, 'other')
    assert.deepEqual([await rowOf(other), (await rowOf(id))?.id], [undefined, id])
    assert.deepEqual(await journal(), [
      ['webhook.paused', id, {}, OLGA.id],
      ['webhook.resumed', id, {}, ANN.id],
      ['webhook.deleted', other, { name: 'other', host: 'hook.example.net' }, OLGA.id],
    ])
  })

  test('get another secret; the one before signs for some hours, if wished, and is forgotten then', async () => {
    const [id, other] = [await add(), await add()]
    const { keyring } = world.app.site
    const [first, untouched] = [(await rowOf(id))!.secret_sealed, await rowOf(other)]
    await write.deleteFrom('journal').execute()
    const rotated = (await rotateWebhookSecret(as(ANN), id, 2))!
    const secretsOf = async () => {
      const { secret_sealed, old_secret_sealed, old_secret_until } = (await rowOf(id))!
      return [keyring.unseal(secret_sealed), old_secret_sealed, old_secret_until]
    }
    assert.deepEqual(await secretsOf(), [rotated.secret, first, at(2)])
    await forgetOldSecrets(write, new Date(at(2).getTime() - 1))
    assert.deepEqual(await secretsOf(), [rotated.secret, first, at(2)])
    await forgetOldSecrets(write, at(2))
    assert.deepEqual(await secretsOf(), [rotated.secret, null, null])
    const second = (await rotateWebhookSecret(as(ANN), id, 0))!
    assert.deepEqual(await secretsOf(), [second.secret, null, null])
    assert.deepEqual(await rowOf(other), untouched)
    assert.equal(await rotateWebhookSecret(as(ANN), 999_999, 0), undefined)
    await assert.rejects(rotateWebhookSecret(as(OLGA), id, 0), { code: 'permission_denied' })
    assert.deepEqual(await journal(), [
      ['webhook.secret_changed', id, { overlap_hours: 2 }, ANN.id],
      ['webhook.secret_changed', id, { overlap_hours: 0 }, ANN.id],
    ])
  })

  test('are asked for tests and for deliveries again', async () => {
    const [id, other] = [await add(), await add()]
    await write.deleteFrom('journal').execute()
    const { deliveryId } = (await askForTest(as(ANN), id))!
    const [log] = await logOf(id)
    const { body, message_id, ...row } = log!
    assert.match(message_id, /^test-.{16}$/)
    assert.deepEqual(JSON.parse(body), {
      cursor: message_id,
      kind: 'test',
      id,
      version: 0,
      what: 'updated',
      cause: null,
      at: '2031-05-01T12:00:00+02:00',
    })
    assert.deepEqual(row, {
      id: deliveryId,
      webhook_id: id,
      kind: 'test',
      record_id: id,
      what: 'updated',
      state: 'waiting',
      attempts: 0,
      status: null,
      error: null,
      duration_ms: null,
      created_at: world.now,
      attempted_at: null,
      asked_at: world.now,
    })
    const STILL = { ok: false, reason: 'still_waiting' }
    assert.deepEqual(await askForResend(as(ANN), id, deliveryId), STILL)
    await fail(id)
    await fail(other)
    const set = (values: object) => write.updateTable('webhook_delivery').set(values).where('id', '=', deliveryId).execute()
    await set({ asked_at: null })
    assert.deepEqual(await askForResend(later(ANN, 1), id, deliveryId), { ok: true })
    assert.deepEqual([(await logOf(id))[0]!.asked_at, (await queueOf(id)).next_at], [null, at(1)], 'it is the next one anyway')
    assert.deepEqual((await queueOf(other)).next_at, FAILING.next_at)
    await set({ state: 'failed' })
    const { deliveryId: second } = (await askForTest(as(ANN), id))!
    await write.updateTable('webhook_delivery').set({ asked_at: null, state: 'failed' }).where('id', '=', second).execute()
    assert.deepEqual(await askForResend(later(ANN, 2), id, deliveryId), { ok: true })
    assert.deepEqual(
      (await logOf(id)).map(({ asked_at }) => asked_at),
      [at(2), null],
    )
    assert.deepEqual((await queueOf(id)).next_at, at(1))
    assert.deepEqual((await journal()).slice(1, 2), [['webhook.resent', id, { delivery: deliveryId }, ANN.id]])
    assert.equal(await askForResend(as(ANN), other, deliveryId), undefined)
    assert.equal(await askForTest(as(ANN), 999_999), undefined)
    await deleteDeliveriesAbout(write as never, 'nothing like this')
    assert.equal((await logOf(id)).length, 2)
    await set({ error: 'about ann@a.example' })
    await deleteDeliveriesAbout(write as never, 'ann@a')
    assert.deepEqual(
      (await logOf(id)).map((each) => each.id),
      [second],
    )
  })

  test('record what came of an attempt, in the queue and the log, as long as the lease is held', async () => {
    const [id, other] = [await add(), await add()]
    const lease = { webhookId: id, leaseId: FEED }
    const lost = { webhookId: id, leaseId: '22222222-2222-4222-8222-222222222222' }
    const message: Message = { id: 'm1', position: 7, kind: 'event', recordId: 12, what: 'updated', body: '{"a":1}' }
    const hold = async () => {
      for (const webhook of [id, other])
        await write
          .updateTable('webhook_queue')
          .set({ ...FAILING, lease_id: FEED, lease_until: at(1) })
          .where('webhook_id', '=', webhook)
          .execute()
    }
    const attempt = (status: number | null, error: string | null = null) => ({ status, error, durationMs: 15 })
    const base = { lease, message, now: world.now }
    const done = { ...base, leaseUntil: at(3), feedId: FEED }
    await hold()
    await write.deleteFrom('journal').execute()
    const untouched = await queueOf(other)
    const failure = { failures: 4, failingSince: at(-6), refusals: 1 }
    const retry = { kind: 'retry' as const, nextAt: at(2), ...failure }
    await recordFailed(write, { ...base, lease: lost, attempt: attempt(500), verdict: retry })
    assert.deepEqual([await logOf(id), await troublesOf(id)], [[], FAILING], 'another dispatcher has it')
    await recordFailed(write, { ...base, attempt: attempt(null, 'reset'), verdict: retry })
    const failed = { failures: 4, failing_since: at(-6), refusals: 1, passed_over: 4, next_at: at(2) }
    const afterFailure = await queueOf(id)
    assert.deepEqual([await troublesOf(id), afterFailure.lease_id, afterFailure.lease_until], [failed, null, null])
    const LINE = {
      webhook_id: id,
      message_id: 'm1',
      kind: 'event',
      record_id: 12,
      what: 'updated',
      body: '{"a":1}',
      created_at: world.now,
      asked_at: null,
      duration_ms: 15,
      attempted_at: world.now,
    }
    const lineOf = async () => {
      const [{ id: _id, ...line }, ...others] = (await logOf(id)) as [Awaited<ReturnType<typeof logOf>>[number]]
      assert.deepEqual(others, [])
      return line
    }
    assert.deepEqual(await lineOf(), { ...LINE, state: 'waiting', attempts: 1, status: null, error: 'reset' })
    await hold()
    const changed = { ...message, what: 'gone', body: '{"b":2}' }
    const second = { ...base, message: changed, now: at(1), attempt: { status: 503, error: null, durationMs: 20 } }
    await recordFailed(write, { ...second, verdict: { kind: 'off', reason: 'gone', ...failure } })
    const again = { ...LINE, what: 'gone', body: '{"b":2}', attempted_at: at(1), duration_ms: 20 }
    assert.deepEqual(await lineOf(), { ...again, state: 'waiting', attempts: 2, status: 503, error: null })
    assert.deepEqual((await queueOf(id)).next_at, at(1))
    const off = (await rowOf(id))!
    assert.deepEqual([off.active, off.off_reason, off.off_at, (await rowOf(other))!.active], [false, 'gone', at(1), true])
    await hold()
    await recordFailed(write, { ...second, now: at(2), verdict: { kind: 'off', reason: 'failing', ...failure } })
    assert.equal((await rowOf(id))!.off_reason, 'gone', 'it was off already')

    await hold()
    assert.equal(await recordDelivered(write, { ...done, lease: lost, attempt: attempt(200) }), false)
    assert.equal((await lineOf()).state, 'waiting')
    assert.equal(await recordDelivered(write, { ...done, now: at(2), attempt: attempt(204) }), true)
    assert.deepEqual(await lineOf(), { ...LINE, state: 'delivered', attempts: 4, status: 204, error: null, attempted_at: at(2) })
    const moved = await queueOf(id)
    assert.deepEqual(
      [await troublesOf(id), moved.position, moved.feed_id, moved.lease_until, moved.refused_at],
      [{ ...NONE, next_at: at(2) }, 7, FEED, at(3), null],
    )
    await hold()
    const refused = { ...done, message: { ...message, id: 'm2', position: 8 }, attempt: attempt(400) }
    assert.equal(await recordRefused(write, { ...refused, lease: lost }), false)
    assert.equal(await recordRefused(write, refused), true)
    assert.deepEqual([(await queueOf(id)).passed_over, (await queueOf(id)).refused_at], [5, world.now])
    for (const [ms, count] of [
      [24 * HOUR_MS - 1, 1],
      [48 * HOUR_MS - 1, 2],
    ] as const) {
      const now = new Date(world.now.getTime() + ms)
      assert.equal(await recordRefused(write, { ...refused, now, message: { ...refused.message, id: `m${ms}` } }), true)
      assert.equal((await journal()).filter(([kind]) => kind === 'webhook.refused').length, count, String(ms))
    }
    assert.deepEqual((await journal()).slice(0, 2), [
      ['webhook.switched_off', id, { name: 'Roster', reason: 'gone' }, null],
      ['webhook.refused', id, { name: 'Roster', status: 400, kind: 'event', record: 12 }, null],
    ])

    await hold()
    await write.updateTable('webhook_delivery').set({ state: 'waiting' }).where('message_id', 'in', ['m1', 'm2']).execute()
    await write.updateTable('webhook_delivery').set({ asked_at: world.now }).where('message_id', '=', 'm2').execute()
    const pass = { position: 20, feedId: FEED, isMissed: false, now: at(5) }
    assert.equal(await moveOn(write, { ...pass, lease: lost }), false)
    assert.equal(await moveOn(write, { ...pass, lease }), true)
    const states = async () => (await logOf(id)).map(({ message_id, state }) => `${message_id} ${state}`).slice(0, 2)
    assert.deepEqual(await states(), ['m1 skipped', 'm2 waiting'], 'what was asked for waits on')
    const passed = await queueOf(id)
    assert.deepEqual(
      [passed.position, passed.missed_at, passed.failures, passed.failing_since, passed.refusals],
      [20, null, 0, null, 0],
    )
    await moveOn(write, { ...pass, lease, isMissed: true })
    assert.deepEqual((await queueOf(id)).missed_at, at(5))
    assert.deepEqual(
      { ...(await queueOf(other)), lease_id: null, lease_until: null },
      untouched && { ...untouched, lease_id: null, lease_until: null },
    )
  })

  test('are claimed by one dispatcher while something is due and the owner may read', async () => {
    const { id: feedId } = await write.selectFrom('change_feed').select('id').executeTakeFirstOrThrow()
    const [first, second] = [await add(), await add({ name: 'second' })]
    const feed = { id: feedId, position: 5, removedThrough: 0 }
    const claim = async (wish: object = {}) =>
      (await claimWebhooks(write, { feed, now: world.now, limit: 10, failing: false, leaseUntil: at(1), ...wish })).sort(
        (a, b) => a.webhookId - b.webhookId,
      )
    const ids = async (wish?: object) => (await claim(wish)).map(({ webhookId }) => webhookId)
    const free = () => write.updateTable('webhook_queue').set({ lease_id: null, lease_until: null }).execute()
    const set = (values: object, id = first) =>
      write.updateTable('webhook_queue').set(values).where('webhook_id', '=', id).execute()
    assert.deepEqual(await ids({ limit: 1 }), [first])
    assert.deepEqual(await ids(), [second])
    assert.deepEqual(await ids({ now: new Date(at(1).getTime() - 1) }), [])
    const [taken] = await claim({ now: at(1), leaseUntil: at(2) })
    assert.deepEqual([taken!.webhookId, (await queueOf(first)).lease_until], [first, at(2)], 'a lease that ended')
    await releaseLease(write, { webhookId: first, leaseId: FEED }, at(3))
    assert.notEqual((await queueOf(first)).lease_id, null, 'only by its holder')
    await releaseLease(write, taken!, at(3))
    const { lease_id, lease_until, next_at } = await queueOf(first)
    assert.deepEqual([lease_id, lease_until, next_at], [null, null, at(3)])
    await set({ next_at: at(9) })
    await releaseLease(write, { ...taken!, leaseId: taken!.leaseId }, at(3))
    assert.deepEqual((await queueOf(first)).next_at, at(9))
    const cases: [string, object, number[]][] = [
      ['due now', { next_at: world.now }, [first, second]],
      ['due later', { next_at: new Date(world.now.getTime() + 1) }, [second]],
      ['nothing new', { next_at: world.now, position: 5 }, [second]],
      ['another feed', { feed_id: FEED, position: 9 }, [first, second]],
      ['failing', { feed_id: feedId, position: 0, failures: 1 }, [second]],
    ]
    for (const [what, values, expected] of cases) {
      await free()
      await set(values)
      assert.deepEqual(await ids(), expected, what)
    }
    await free()
    assert.deepEqual(await ids({ failing: true }), [first])
    await free()
    await askForTest(as(ANN), first)
    const [asked] = await claim()
    assert.deepEqual(
      [asked!.webhookId, asked!.isAsked, asked!.failures, asked!.active],
      [first, true, 1, true],
      'a test is not held up',
    )
    await free()
    await set({ failures: 0 })
    await write.deleteFrom('webhook_delivery').execute()
    await setWebhookActive(as(ANN), second, false)
    assert.deepEqual(await ids(), [first])
    await free()
    assert.ok(await getOwner(write, first))
    await world.setActive(ANN, false)
    assert.deepEqual([await ids(), await getOwner(write, first)], [[], undefined])
    await world.setActive(ANN, true)
  })
})
