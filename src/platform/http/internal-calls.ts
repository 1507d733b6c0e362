import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'

type ApiCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query. */
  url: string
  headers?: Record<string, string>
  body?: string
}
type ApiAnswer = { status: number; headers: Record<string, string | undefined>; body: string }

/** Calls an endpoint in this process with the credentials of a request, through every check of the API. */
export type CallApi = (call: ApiCall) => Promise<ApiAnswer>

const HEADER = 'x-internal-call'
/** Made up anew for each call, so that no client can claim to be one. */
const running = new Set<string>()

/** The request was made by a protocol that this server serves beside the API. */
export const isInternalCall = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => running.has(String(headers[HEADER]))

export function callsOf(app: FastifyInstance, request: FastifyRequest): CallApi {
  const { authorization, host, 'accept-language': language = '' } = request.headers
  const own = { authorization, host, 'accept-language': language, accept: 'application/json' }
  return async ({ method, url, headers, body }) => {
    const id = randomUUID()
    running.add(id)
    try {
      const response = await app.inject({
        method,
        url,
        headers: { ...own, ...headers, [HEADER]: id },
        ...(body === undefined ? {} : { payload: body }),
        remoteAddress: request.ip,
      })
      return { status: response.statusCode, headers: response.headers as ApiAnswer['headers'], body: response.body }
    } finally {
      running.delete(id)
    }
  }
}
