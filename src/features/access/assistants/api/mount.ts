import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SCOPES } from '#platform/auth/scopes.ts'
import { endpointsOf } from '#platform/features/compose.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { Mount, MountedRequest } from '#platform/http/mount.ts'
import { Problem } from '#platform/http/problem.ts'
import { MCP } from '../schema.ts'

const METADATA = '/.well-known/oauth-protected-resource'

export function assistantsMount({ db, site, features, modules, version }: Runtime): Mount {
  const all: Endpoint[] = endpointsOf(features, () => all)
  const resource = new URL(MCP, site.url).href
  /** RFC 9728: where clients learn at which server people sign in. */
  const metadata = {
    resource,
    authorization_servers: [site.url],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Turnout',
  }
  const challenge = `Bearer resource_metadata="${new URL(METADATA + MCP, site.url).href}"`
  return {
    routes: [
      { path: MCP, methods: ['GET', 'POST'], kind: 'bearer' },
      { path: METADATA, methods: ['GET'], kind: 'json' },
      { path: `${METADATA}${MCP}`, methods: ['GET'], kind: 'json' },
    ],
    check: async ({ route, caller }) => {
      if (!modules.isOn('assistants')) throw new Problem('not_found')
      const isAllowed = caller?.via.kind === 'token' && caller.via.isForAssistant
      if (route.path === MCP && !isAllowed) throw new Problem('invalid_token', { headers: { 'www-authenticate': challenge } })
    },
    handle: async (request, response, mounted) => {
      if (mounted.route.path !== MCP) {
        response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
        response.end(JSON.stringify(metadata))
        return
      }
      // Loaded with the first request: few instances use it.
      const { answerMcp, MAX_BODY_BYTES } = await import('./server.ts')
      const body = await readBytes(request, MAX_BODY_BYTES)
      const { callApi, caller, now, requestId } = mounted as MountedRequest & { caller: NonNullable<MountedRequest['caller']> }
      const asked = { actor: caller, now, requestId, callApi, site, db: db.write, endpoints: all }
      await send(response, await answerMcp(asked, version, webRequest(request, body, resource)))
    },
  }
}

async function readBytes(request: IncomingMessage, most: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new Problem('too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function webRequest({ method = 'GET', headers }: IncomingMessage, body: Buffer<ArrayBuffer>, url: string): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Request(url, { method, headers: given, ...(method === 'GET' ? {} : { body }) })
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => name !== 'connection')))
  if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response)
  else response.end()
}
