import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { z } from 'zod'
import { ask, openHttpServer } from '#test/support/http-server.ts'
import { open } from './access.ts'
import type { Connection } from './connection.ts'
import { type StreamEvent, streamEndpoint } from './endpoint.ts'

let events: StreamEvent[] = []
let failure: Error | undefined
let asked: { letters: string | undefined; connection: Connection } | undefined
let ended = 0
const stream = streamEndpoint({
  name: 'Stream',
  operationId: 'stream',
  summary: 'Stream',
  tag: 'things',
  path: '/api/stream/',
  access: open('a test'),
  parameters: { letters: { description: '', schema: {}, read: (values: string[]) => values.at(-1) } },
  item: z.unknown(),
  open: async (_context, { letters }, connection) => {
    asked = { letters, connection }
    return (async function* () {
      try {
        yield* events
        if (failure) throw failure
      } finally {
        ended++
      }
    })()
  },
})

describe('a stream', async () => {
  const server = await openHttpServer({ endpoints: [stream] })
  after(() => server.close())
  beforeEach(() => {
    ;[events, failure, ended] = [[], undefined, 0]
  })
  const headers = { accept: 'text/event-stream' }
  const get = (url = '/api/stream/', more = {}) => ask(server, url, { headers: { ...headers, ...more } })

  test('sends its events in the format of browsers, after the time until they connect again', async () => {
    events = [
      { id: '7', event: 'change', data: { text: 'a\nb' } },
      { data: null },
      { comment: 'still here' },
      { id: '8' },
      { comment: 'all', id: '9', event: 'end', data: [] },
    ]
    const { status, body, headers: answered } = await get()
    assert.equal(status, 200)
    assert.deepEqual(body.split('\n\n'), [
      'retry: 3000',
      'id: 7\nevent: change\ndata: {"text":"a\\nb"}',
      'data: null',
      ': still here',
      'id: 8',
      ': all\nid: 9\nevent: end\ndata: []',
      '',
    ])
    const { 'content-type': type, 'cache-control': cache, 'x-accel-buffering': buffering } = answered
    assert.deepEqual([type, cache, buffering], ['text/event-stream', 'no-store', 'no'])
    assert.equal(ended, 1)
  })

  test('gets its parameters and the last event that the client received', async () => {
    await get('/api/stream/?letters=b', { 'last-event-id': '41' })
    assert.deepEqual([asked?.letters, asked?.connection.lastEventId], ['b', '41'])
    await get()
    assert.deepEqual([asked?.letters, asked?.connection.lastEventId], [undefined, undefined])
  })

  test('is not begun for HEAD', async () => {
    events = [{ data: 1 }]
    const { status, body, headers: answered } = await ask(server, '/api/stream/', { method: 'HEAD', headers })
    assert.deepEqual([status, body, answered['content-type']], [200, '', 'text/event-stream'])
  })

  test('that fails ends after what it has sent, and the log has the reason', async () => {
    ;[events, failure] = [[{ data: 1 }], new Error('a fault of the stream')]
    assert.equal((await get()).body, 'retry: 3000\n\ndata: 1\n\n')
    const line = server.lines().find(({ msg }) => msg === 'a stream failed')!
    assert.match(JSON.stringify(line.err), /a fault of the stream/)
    assert.match(String(line.requestId), /^[\w-]{20,}$/)
  })

  test('is only for clients that accept streams', async () => {
    for (const [accept, status] of [
      ['application/json', 406],
      ['*/*', 200],
    ] as const)
      assert.equal((await get('/api/stream/', { accept })).status, status)
  })

  test('tells who asks again, and ends with the connection', async () => {
    await get()
    const { connection } = asked!
    assert.equal((await connection.identify()).kind, 'anonymous')
    assert.equal(connection.signal, connection.signal)
  })
})
