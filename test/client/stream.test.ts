import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { type StreamOptions, TurnoutClient } from '../../clients/typescript/src/client.ts'
import { type Message, readMessages } from '../../clients/typescript/src/event-stream.ts'

describe('reading an event stream', () => {
  const streamOf = (chunks: Uint8Array[]) =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const chunk of chunks) controller.enqueue(chunk)
        controller.close()
      },
    })
  const read = async (...chunks: Uint8Array[]): Promise<Partial<Message>[]> => {
    const messages: Partial<Message>[] = []
    for await (const message of readMessages(streamOf(chunks), () => {}))
      messages.push(Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)))
    return messages
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  const A = { event: 'message', data: 'a' }

  for (const [what, text, expected] of [
    ['an event', 'id: 7\nevent: change\ndata: {"a":1}\n\n', [{ id: '7', event: 'change', data: '{"a":1}' }]],
    ['several lines of data', 'data: a\ndata:\ndata: b\n\n', [{ event: 'message', data: 'a\n\nb' }]],
    ['every end of line', 'data: a\r\n\r\ndata: a\r\rdata: a\n\n', [A, A, A]],
    ['a byte order mark', '\uFEFFdata: a\n\n', [A]],
    ['only the first space after the colon', 'data:  a\n\n', [{ event: 'message', data: ' a' }]],
    ['an id without data', ': heartbeat\nid: 8\n\n', [{ id: '8', event: 'message' }]],
    ['an id that is reset', 'id\ndata: a\n\n', [{ ...A, id: '' }]],
    ['no id with a zero byte', 'id: 1\0\ndata: a\n\n', [A]],
    [
      'the time until a new connection',
      'retry: 1500\n\nretry: soon\n\n',
      [{ event: 'message', retryMs: 1500 }, { event: 'message' }],
    ],
    ['no unknown fields', 'colour: red\ndata: a\n\n', [A]],
    ['no event that is not complete', 'data: a\n\ndata: b\n', [A]],
    ['empty lines', '\n\n\ndata: a\n\n\n', [A]],
  ] as const)
    test(`reads ${what}`, async () => {
      assert.deepEqual(await read(bytes(text)), expected)
    })

  test('does not depend on where chunks end', async () => {
    const text = bytes('id: 1\r\ndata: Übung\r\n\r\nid: 2\r\ndata: 日本\r\n\r\n')
    const whole = await read(text)
    assert.deepEqual(
      whole.map(({ data }) => data),
      ['Übung', '日本'],
    )
    assert.deepEqual(await read(...[...text].map((byte) => Uint8Array.of(byte))), whole)
    for (let cut = 1; cut < text.length; cut++)
      assert.deepEqual(await read(text.slice(0, cut), text.slice(cut)), whole, `cut at ${cut}`)
  })
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Answers the first connection with the first handler, and so on; the last one stays. */
async function serve(...handlers: Handler[]) {
  const lastIds: (string | undefined)[] = []
  const server = createServer((request, response) => {
    lastIds.push(request.headers['last-event-id'] as string | undefined)
    handlers[Math.min(lastIds.length, handlers.length) - 1]!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const waits: number[] = []
  const wait = async (ms: number, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    waits.push(ms)
  }
  const client = new TurnoutClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: 'secret',
    retry: { wait },
  })
  return { client, lastIds, waits, server }
}

const PATH = '/api/changes/stream/'
const TYPE = { 'content-type': 'text/event-stream' }
const eventOf = (id: number) => `id: c-${id}\nevent: change\ndata: {"id":${id}}\n\n`

describe('following a stream', () => {
  /** The numbers of the first `count` events. */
  const take = async (client: TurnoutClient, count: number, options: StreamOptions<typeof PATH> = {}): Promise<number[]> => {
    const taken: number[] = []
    for await (const { data } of client.stream(PATH, options)) {
      taken.push(data.id)
      if (taken.length === count) break
    }
    return taken
  }

  test('gives events with their id, name and data, and sends the token', async () => {
    let authorization: string | undefined
    const { client } = await serve((request, response) => {
      authorization = request.headers.authorization
      response.writeHead(200, TYPE)
      response.write(`retry: 10\n\n: connected\nid: c-0\n\n${eventOf(1)}`)
    })
    for await (const event of client.stream(PATH)) {
      assert.deepEqual(event, { id: 'c-1', event: 'change', data: { id: 1 } })
      break
    }
    assert.equal(authorization, 'Bearer secret')
  })

  test('closes the connection when the loop is left', async () => {
    const closed = Promise.withResolvers<void>()
    const { client } = await serve((request, response) => {
      request.socket.once('close', () => closed.resolve())
      response.writeHead(200, TYPE)
      response.write(eventOf(1))
    })
    assert.deepEqual(await take(client, 1), [1])
    await closed.promise
  })

  test('connects again and continues after the last event, however the connection ended', async () => {
    const { client, lastIds, waits } = await serve(
      (_, response) => {
        response.writeHead(200, TYPE)
        response.end(`retry: 250\n\n${eventOf(1)}`)
      },
      (_, response) => {
        response.writeHead(200, TYPE)
        response.write(`${eventOf(2)}data: {"half`, () => response.destroy())
      },
      (_, response) => response.destroy(),
      (_, response) => response.writeHead(503, { 'retry-after': '9' }).end(),
      (_, response) => {
        response.writeHead(200, TYPE)
        response.write(`: heartbeat\nid: c-5\n\n`, () => response.destroy())
      },
      (_, response) => {
        response.writeHead(200, TYPE)
        response.write(eventOf(6))
      },
    )
    assert.deepEqual(await take(client, 3), [1, 2, 6])
    assert.deepEqual(lastIds, [undefined, 'c-1', 'c-2', 'c-2', 'c-2', 'c-5'])
    assert.deepEqual([waits[0], waits[3]], [250, 9_000])
  })

  test('continues after the id that the caller gives', async () => {
    const { client, lastIds } = await serve((_, response) => {
      response.writeHead(200, TYPE)
      response.write(eventOf(9))
    })
    await take(client, 1, { lastEventId: 'c-8' })
    assert.deepEqual(lastIds, ['c-8'])
  })

  test('connects again if nothing arrives', async () => {
    const { client, lastIds } = await serve(
      (_, response) => response.writeHead(200, TYPE).flushHeaders(),
      (_, response) => {
        response.writeHead(200, TYPE)
        response.write(eventOf(2))
      },
    )
    assert.deepEqual(await take(client, 1, { idleTimeoutMs: 200 }), [2])
    assert.ok(lastIds.length >= 2)
  })

  for (const [status, code] of [
    [401, 'invalid_token'],
    [410, 'gone'],
  ] as const)
    test(`ends with the problem ${code}`, async () => {
      const body = { type: '', title: '', status, detail: 'text', code, request_id: 'r', next: 'c-77' }
      const { client, lastIds } = await serve((_, response) => {
        response.writeHead(status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
      })
      await assert.rejects(take(client, 1), (error: { code: string; body: { next: string } }) => {
        assert.deepEqual([error.code, error.body.next], [code, 'c-77'])
        return true
      })
      assert.equal(lastIds.length, 1)
    })

  test('ends with the reason of the signal', async () => {
    const { client } = await serve((_, response) => {
      response.writeHead(200, TYPE)
      response.write(eventOf(1))
    })
    const abort = new AbortController()
    const reason = new Error('enough')
    const following = async () => {
      for await (const _ of client.stream(PATH, { signal: abort.signal })) abort.abort(reason)
    }
    await assert.rejects(following, reason)
  })
})
