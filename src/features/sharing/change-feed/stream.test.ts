import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { StreamEvent } from '#platform/http/endpoint.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { makeLog } from '#platform/log.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { EventStream } from '#test/support/event-stream.ts'
import { ANN, BEN, HELPERS, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { NOW, openWorld, type World } from '#test/support/world.ts'
import { changesApi } from './api.ts'
import { openChangeFeed } from './jobs.ts'

type Limits = { perPerson: number; perProcess: number }

async function openFollowed(options: { heartbeatMs?: number; limits?: Limits } = {}): Promise<World> {
  const world = await openWorld()
  const log = makeLog('silent')
  const { db, databaseUrl } = world
  const feed = openChangeFeed({ db, databaseUrl, log, clock: { now: () => world.now }, ...options })
  after(() => feed.stop())
  return world
}

const bearer = async (world: World, person: Person) => ({
  authorization: `Bearer ${await world.token(person, ['PUBLIC_READ'])}`,
})
const follow = async (world: World, headers: Record<string, string>, path = '/api/changes/stream/'): Promise<EventStream> => {
  const stream = new EventStream(world.line, path, headers)
  after(() => stream.destroy())
  await stream.opened
  return stream
}
const present = async (world: World): Promise<string> => (await world.as(ANN, 'PUBLIC_READ').get('/api/changes/')).body.next

describe('a request that waits', async () => {
  const world = await openFollowed()
  const ann = world.as(ANN, 'PUBLIC_READ')

  test('is answered by the first change that the caller sees', async () => {
    const cursor = await present(world)
    const waiting = ann.get('/api/changes/', { query: { after: cursor, wait: 30 } })
    await world.addEvent({ seenBy: [PLANNERS] })
    const { id } = await world.addEvent({ seenBy: [HELPERS] })
    const { results } = (await waiting).body
    assert.deepEqual(new Set(results.map((each: { id: number }) => each.id)), new Set([id]))
  })

  test('is answered without results after the time', async () => {
    const cursor = await present(world)
    const { body } = await ann.get('/api/changes/', { query: { after: cursor, wait: 1 } })
    assert.deepEqual(body, { next: cursor, has_more: false, results: [] })
  })

  test('gives nothing to a token that was revoked meanwhile', async () => {
    const cursor = await present(world)
    const token = await world.makeToken(ANN, ['PUBLIC_READ'])
    const headers = { authorization: `Bearer ${token}` }
    const waiting = world.with(headers).get('/api/changes/', { query: { after: cursor, wait: 30 } })
    // A request of the same token shows that the first one was accepted.
    await world.with(headers).get('/api/changes/')
    await world.db.write
      .updateTable('access_token')
      .set({ revoked_at: NOW })
      .where('revoked_at', 'is', null)
      .where('user_id', '=', ANN.id)
      .execute()
    await world.addEvent({ seenBy: [HELPERS] })
    assert.equal((await waiting).status, 401)
  })
})

describe('a stream', async () => {
  const world = await openFollowed({ heartbeatMs: 20 })

  test('sends changes with their cursors', async () => {
    const stream = await follow(world, await bearer(world, ANN))
    assert.equal(stream.status, 200)
    assert.equal(stream.headers['content-type'], 'text/event-stream')
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    await stream.until(() => stream.events.some(({ comment }) => comment === 'connected'))
    assert.match(stream.text, /^retry: \d+\n\n/)
    const hidden = await world.addEvent({ seenBy: [PLANNERS] })
    const { id } = await world.addEvent({ seenBy: [HELPERS] })
    await stream.until(() => stream.changes.length >= 1)
    const [first] = stream.changes
    assert.deepEqual([first!.data.kind, first!.data.id, first!.data.what], ['event', id, 'visible'])
    assert.equal(first!.data.cursor, first!.id)
    assert.ok(!stream.changes.some(({ data }) => data.id === hidden.id))
  })

  test('tells by heartbeats where to go on, though nothing was visible', async () => {
    const stream = await follow(world, await bearer(world, ANN))
    await world.addEvent({ seenBy: [PLANNERS] })
    const end = await present(world)
    await stream.until(() => stream.events.some(({ comment, id }) => comment === 'heartbeat' && id === end))
    assert.deepEqual(stream.changes, [])
  })

  for (const how of ['Last-Event-ID', 'after'] as const)
    test(`continues after ${how}`, async () => {
      const cursor = await present(world)
      const { id } = await world.addEvent({ seenBy: [HELPERS] })
      const headers = await bearer(world, ANN)
      const stream =
        how === 'after'
          ? await follow(world, headers, `/api/changes/stream/?after=${cursor}`)
          : await follow(world, { ...headers, 'last-event-id': cursor }, '/api/changes/stream/?after=start')
      await stream.until(() => stream.changes.length >= 1)
      assert.equal(stream.changes[0]!.data.id, id)
    })

  test('works with a session', async () => {
    const stream = await follow(world, { cookie: await world.sessionCookie(ANN) })
    const { id } = await world.addEvent({ seenBy: [HELPERS] })
    await stream.until(() => stream.changes.some(({ data }) => data.id === id))
    assert.equal(stream.status, 200)
  })

  for (const [cursor, status] of [
    ['nonsense', 400],
    ['000000000000-1', 410],
  ] as const)
    test(`is refused with ${status} for the cursor ${cursor}`, async () => {
      const stream = await follow(world, { ...(await bearer(world, ANN)), 'last-event-id': cursor })
      await stream.ended
      assert.equal(stream.status, status)
      assert.equal(JSON.parse(stream.text).status, status)
    })

  test('ends when the token is revoked', async () => {
    const token = await world.makeToken(BEN, ['PUBLIC_READ'])
    const stream = await follow(world, { authorization: `Bearer ${token}` })
    await world.db.write.updateTable('access_token').set({ revoked_at: NOW }).where('user_id', '=', BEN.id).execute()
    await stream.ended
    assert.equal(stream.status, 200)
  })

  test('follows the groups of the person', async () => {
    const stream = await follow(world, await bearer(world, VERA))
    await world.addEvent({ seenBy: [PLANNERS] })
    await world.db.write.insertInto('user_group_member').values({ group_id: PLANNERS.id, user_id: VERA.id }).execute()
    const isAccess = ({ data }: { data?: { kind: string; id: number } }) => data?.kind === 'access' && data.id === VERA.id
    await stream.until(() => stream.changes.some(isAccess))
    const { id } = await world.addEvent({ seenBy: [PLANNERS] })
    await stream.until(() => stream.changes.some(({ data }) => data.id === id && data.kind === 'event'))
    assert.equal(stream.changes.filter(isAccess).length, 1)
  })

  test('has no body for HEAD', async () => {
    const answer = await world.as(ANN, 'PUBLIC_READ').head('/api/changes/stream/', { headers: { accept: 'text/event-stream' } })
    assert.deepEqual([answer.status, answer.headers['content-type'], answer.text], [200, 'text/event-stream', ''])
  })
})

test('streams of a person, with all tokens together, and of the process are limited', async () => {
  const world = await openFollowed({ limits: { perPerson: 2, perProcess: 3 } })
  const open = async (person: Person) => follow(world, await bearer(world, person))
  const streams = [await open(ANN), await open(ANN)]
  const third = await open(ANN)
  assert.deepEqual([third.status, third.headers['retry-after']], [429, '10'])
  const other = await follow(world, { authorization: `Bearer ${await world.makeToken(ANN, ['PUBLIC_READ', 'ME_READ'])}` })
  assert.equal(other.status, 429)
  streams.push(await open(BEN))
  const fourth = await open(VERA)
  assert.deepEqual([fourth.status, fourth.headers['retry-after']], [503, '10'])
  streams[0]!.destroy()
  let next = await open(VERA)
  while (next.status === 503) next = await open(VERA)
  assert.equal(next.status, 200)
})

describe('a stream whose reader is slow', async () => {
  const world = await openFollowed({ heartbeatMs: 5, limits: { perPerson: 1, perProcess: 1 } })
  const endpoint = changesApi.find(({ path }) => path === '/api/changes/stream/')!
  /** Nothing is read before the test asks for it, and the client goes away when the test says so. */
  const openSlowly = async () => {
    assert.ok(endpoint.kind === 'stream')
    const client = new AbortController()
    let actor: Actor = actorOf(ANN)
    const connection = { signal: client.signal, lastEventId: undefined, identify: async () => actor }
    const context = { ...contextOf(world, actor), db: world.db.read, words: wordsFor('en', 'Europe/Berlin') } as never
    const events = (await endpoint.open(context, {} as never, connection)) as AsyncGenerator<StreamEvent, void>
    const revoke = () => {
      actor = ANONYMOUS
    }
    return { client, events, revoke }
  }
  const commentOf = async (events: AsyncGenerator<StreamEvent, void>) => {
    const { value, done } = await events.next()
    return done ? 'end' : (value as { comment?: string }).comment
  }

  test('ends after the token, without a further heartbeat', async () => {
    const { events, revoke } = await openSlowly()
    assert.deepEqual([await commentOf(events), await commentOf(events)], ['connected', 'heartbeat'])
    revoke()
    assert.equal(await commentOf(events), 'end')
  })

  test('does not count any more when the client goes away before it has read anything', async () => {
    const { client } = await openSlowly()
    await assert.rejects(openSlowly(), { code: 'too_many_requests' })
    client.abort()
    const { client: next, events } = await openSlowly()
    assert.equal(await commentOf(events), 'connected')
    next.abort()
    assert.equal(await commentOf(events), 'end')
  })
})

test('a server that stops ends streams and answers requests that wait', async () => {
  const world = await openFollowed()
  const stream = await follow(world, await bearer(world, ANN))
  const waiting = world.as(BEN, 'PUBLIC_READ').get('/api/changes/', { query: { wait: 60 } })
  await world.as(BEN, 'PUBLIC_READ').get('/api/changes/')
  await world.app.stop({ grace: Promise.resolve() })
  await stream.ended
  assert.equal((await waiting).status, 200)
})

test('hundreds of listeners get a change from one query', async () => {
  const listeners = 200
  const world = await openFollowed({ limits: { perPerson: 1000, perProcess: 1000 } })
  const headers = await bearer(world, ANN)
  const streams = await Promise.all(Array.from({ length: listeners }, () => follow(world, headers)))
  for (const stream of streams) await stream.until(() => stream.events.some(({ comment }) => comment === 'connected'))
  let queries = 0
  const { readPool } = world.db
  const query = readPool.query
  const connect = readPool.connect
  after(() => Object.assign(readPool, { query, connect }))
  Object.assign(readPool, {
    query: (...args: unknown[]) => {
      queries++
      return (query as (...given: unknown[]) => unknown).apply(readPool, args)
    },
    connect: (...args: unknown[]) => {
      queries++
      return (connect as (...given: unknown[]) => unknown).apply(readPool, args)
    },
  })
  const { id } = await world.addEvent({ seenBy: [HELPERS] })
  for (const stream of streams) await stream.until(() => stream.changes.some(({ data }) => data.id === id))
  assert.ok(queries < 50, `${queries} queries for ${listeners} listeners`)
})
