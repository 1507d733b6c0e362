import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Connection } from './connection.ts'
import type { Rendering, StreamEndpoint, StreamEvent } from './endpoint.ts'
import { type Parameters, readParameters } from './parameters.ts'
import type { RawQuery } from './raw-query.ts'

export const EVENT_STREAM: Rendering = { mediaType: 'text/event-stream' }

/** After so long a client connects again. */
const RETRY_MS = 3_000
/** A client that reads nothing for so long is disconnected. */
const STALLED_MS = 30_000

type Opening = {
  context: RequestContext
  request: FastifyRequest
  reply: FastifyReply
  query: RawQuery
  connection: Connection
}

export async function sendStream<P extends Parameters>(
  endpoint: StreamEndpoint<P>,
  { context, request, reply, query, connection }: Opening,
): Promise<FastifyReply> {
  const parameters = await readParameters(endpoint.parameters, query, context)
  const events = await endpoint.open(context, parameters, connection)
  reply.headers({
    'content-type': EVENT_STREAM.mediaType,
    'cache-control': 'no-store',
    // nginx would collect the events.
    'x-accel-buffering': 'no',
  })
  if (request.method === 'HEAD') {
    await events.return()
    return reply.send()
  }
  reply.hijack()
  const response = reply.raw
  response.writeHead(200, reply.getHeaders() as Record<string, string>)
  response.socket?.setTimeout(0)
  try {
    response.write(`retry: ${RETRY_MS}\n\n`)
    for await (const event of events) {
      if (connection.signal.aborted) break
      if (!response.write(formatEvent(event)) && !(await isDrained(response))) break
    }
  } catch (error) {
    request.log.error({ err: error, requestId: request.id }, 'a stream failed')
  } finally {
    response.end()
  }
  return reply
}

function formatEvent({ id, event, data, comment }: StreamEvent): string {
  const lines = [
    ...(comment === undefined ? [] : [`: ${comment}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    // JSON contains no line breaks.
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** False if the client is gone or reads nothing. */
function isDrained(response: ServerResponse): Promise<boolean> {
  return new Promise((done) => {
    const finish = (drained: boolean) => () => {
      clearTimeout(timer)
      response.off('drain', onDrain).off('close', onClose)
      if (!drained) response.destroy()
      done(drained)
    }
    const onDrain = finish(true)
    const onClose = finish(false)
    const timer = setTimeout(onClose, STALLED_MS)
    response.once('drain', onDrain).once('close', onClose)
  })
}
