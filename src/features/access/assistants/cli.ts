import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { isLoopbackHost } from '#platform/outbound/addresses.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { MCP } from './schema.ts'

/** As long as a search over all events may take. */
const DEADLINE_MS = 60_000
const MAX_ANSWER_BYTES = 20_000_000

/**
 * Serves the Model Context Protocol on standard input and output, for assistants that start programs. What it is asked for it asks the
 * server for, with the token of the person.
 */
export const mcp: Command = {
  options: {
    url: { type: 'string', hint: 'URL', help: 'Address of the server for assistants (default: /mcp/ of this instance)' },
  },
  run: async ({ config, values, env, version }) => {
    const url = readUrl(values.url ?? new URL(MCP, config.siteUrl).href)
    const token = env.TURNOUT_TOKEN
    if (!token) throw new UsageError('set TURNOUT_TOKEN to a token for assistants')
    // The person chose the address, on this machine or elsewhere.
    const outbound = makeOutbound({ allow: [url.hostname], deadlineMs: DEADLINE_MS, maxBytes: MAX_ANSWER_BYTES })
    const ended = Promise.withResolvers<number>()
    process.stdin.once('end', () => ended.resolve(0))
    serveStdio(() => forwardTo(outbound, { url: url.href, token, version }))
    return ended.promise
  },
}

function readUrl(text: string | boolean): URL {
  const url = URL.canParse(String(text)) ? new URL(String(text)) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new UsageError(`${text} is no address of a server`)
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw new UsageError(`${url.origin} would get the token unencrypted: use https (http is for this machine only)`)
  return url
}

type Remote = { url: string; token: string; version: string }

function forwardTo(outbound: Outbound, { url, token, version }: Remote): Server {
  const server = new Server({ name: 'turnout', version }, { capabilities: { tools: {} } })
  const ask = async (method: string, params: unknown): Promise<object> => {
    const { status, text } = await outbound.send(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    if (status === 401) throw new Error('the token is not valid, or not for assistants')
    if (status !== 200) throw new Error(`${url} answers ${status}`)
    const { result, error } = JSON.parse(messageIn(text)) as { result?: object; error?: { message: string } }
    if (!result) throw new Error(error?.message ?? 'the answer has no result')
    return result
  }
  server.setRequestHandler('tools/list', async ({ params }) => (await ask('tools/list', params)) as { tools: [] })
  server.setRequestHandler('tools/call', async ({ params }) => (await ask('tools/call', params)) as { content: [] })
  return server
}

/** The answer is one event of a stream, or the message itself. */
const messageIn = (text: string): string => /^data: (.*)$/m.exec(text)?.[1] ?? text
