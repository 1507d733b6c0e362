import { createMcpHandler, type Tool as ProtocolTool, Server } from '@modelcontextprotocol/server'
import { type AssistantRequest, CONFIRM, callTool, findTools, type ToolAnswer } from './calls.ts'
import type { Arguments, Tool } from './tools.ts'

export const MAX_BODY_BYTES = 300_000

const INSTRUCTIONS = `Plans helpers: events, their shifts, and the people who take part. Tools read and change what the person may. A tool that changes something only tries it and gives a confirmation; nothing changes before ${CONFIRM} is called. Always show the person what would change, and call ${CONFIRM} only when they have agreed.`

const CONFIRM_TOOL = {
  name: CONFIRM,
  title: 'Make a change that was tried',
  description:
    'Makes a change exactly as it was tried. Needs the agreement of the person, the name and the same arguments of the tool that tried it, and its confirmation, which counts for ten minutes.',
  inputSchema: {
    type: 'object' as const,
    properties: {
      tool: { type: 'string', description: 'The tool that tried the change' },
      arguments: { type: 'object', description: 'The same arguments as then' },
      confirmation: { type: 'string' },
    },
    required: ['tool', 'arguments', 'confirmation'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
}

/** Answers one HTTP request of the Model Context Protocol, of every version that the SDK knows. Keeps no session. */
export const answerMcp = (request: AssistantRequest, version: string, http: Request): Promise<Response> =>
  createMcpHandler(() => serverFor(request, version), {
    maxRequestBodySize: MAX_BODY_BYTES,
    keepAliveMs: 0,
  }).fetch(http)

function serverFor(request: AssistantRequest, version: string): Server {
  const server = new Server({ name: 'turnout', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS })
  server.setRequestHandler('tools/list', async () => {
    const tools = findTools(request)
    const hasWrites = tools.some(({ endpoint }) => endpoint.kind === 'write')
    return { tools: [...tools.map(described), ...(hasWrites ? [CONFIRM_TOOL] : [])] as ProtocolTool[] }
  })
  server.setRequestHandler('tools/call', async ({ params }) =>
    resultOf(await callTool(request, params.name, (params.arguments ?? {}) as Arguments)),
  )
  return server
}

/** Trying a change changes nothing, so hosts may allow it without asking; `confirm_write` is what they ask about. */
const described = ({ name, title, description, inputSchema }: Tool) => ({
  name,
  title,
  description,
  inputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
})

function resultOf(answer: ToolAnswer) {
  const isError = 'mistake' in answer || answer.status >= 400
  return { content: [{ type: 'text' as const, text: JSON.stringify(answer) }], structuredContent: { ...answer }, isError }
}
