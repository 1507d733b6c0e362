import type { Kysely } from 'kysely'
import { credentialKey, type UserActor } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import type { CallApi } from '#platform/http/internal-calls.ts'
import { recordCall } from '../commands/calls.ts'
import { judgeConfirmation, makeConfirmation } from './confirmation.ts'
import { type Arguments, requestOf, type Tool, type ToolRequest, toolsFor } from './tools.ts'

/** One request of an assistant. `actor`: the person whose token it uses. */
export type AssistantRequest = {
  actor: UserActor
  now: Date
  requestId: string
  callApi: CallApi
  site: Pick<Site, 'keyring'>
  db: Kysely<DB>
  endpoints: readonly Endpoint[]
}

/** What an assistant reads. `version` is the ETag for a change; `confirmation` that of a change that was tried. */
export type Outcome = {
  status: number
  result?: unknown
  version?: string
  is_dry_run?: true
  confirmation?: string
  next_step?: string
}
export type ToolAnswer = Outcome | { mistake: string }

export const CONFIRM = 'confirm_write'

export const findTools = ({ actor, endpoints }: AssistantRequest): Tool[] => toolsFor(actor, endpoints)

/** Reads, or tries a change. */
export async function callTool(request: AssistantRequest, name: string, given: Arguments): Promise<ToolAnswer> {
  if (name === CONFIRM) return confirmWrite(request, given)
  const tool = findTools(request).find((each) => each.name === name)
  if (!tool) return { mistake: `There is no tool ${name} for this token` }
  const call = requestOf(tool, given)
  if ('mistake' in call) return call
  if (tool.endpoint.kind !== 'write') return perform(request, tool, call)
  const tried = await perform(request, tool, { ...call, url: `${call.url}?dry_run=true` })
  if (tried.status >= 400) return { ...tried, is_dry_run: true }
  const confirmation = makeConfirmation(request.site.keyring, confirmedBy(request, call), request.now)
  return { ...tried, is_dry_run: true, confirmation, next_step: NEXT_STEP }
}

const NEXT_STEP = `Nothing was changed. Show the person what would change. If they agree, call ${CONFIRM} with this tool, the same arguments and the confirmation.`

const confirmedBy = ({ actor }: AssistantRequest, request: ToolRequest) => ({ credential: credentialKey(actor), request })

/** Makes a change that was tried, exactly as it was tried. */
async function confirmWrite(request: AssistantRequest, given: Arguments): Promise<ToolAnswer> {
  const { tool: name, arguments: values = {}, confirmation } = given
  const tool = findTools(request).find((each) => each.name === name)
  if (tool?.endpoint.kind !== 'write') return { mistake: `There is no tool ${String(name)} that changes something` }
  const call = requestOf(tool, values)
  if ('mistake' in call) return call
  const state = judgeConfirmation(request.site.keyring, confirmedBy(request, call), String(confirmation), request.now)
  if (state === 'other') return { mistake: 'The confirmation is for another request; try the change again' }
  if (state === 'late') return { mistake: 'The confirmation is older than ten minutes; try the change again' }
  // A repeated confirmation repeats the answer, not the change. Other methods have the version instead.
  const key = call.method === 'POST' ? { 'idempotency-key': `assistant-${String(confirmation)}` } : {}
  return perform(request, tool, { ...call, headers: { ...call.headers, ...key } })
}

/** Calls the API and notes it in the log. */
async function perform(request: AssistantRequest, { name }: Tool, call: ToolRequest): Promise<Outcome> {
  const { status, headers, body } = await request.callApi(call)
  await recordCall(request, { operation: name, response_status: status, is_dry_run: call.url.endsWith('?dry_run=true') })
  const { etag } = headers
  return {
    status,
    ...(body === '' ? {} : { result: JSON.parse(body) as unknown }),
    ...(etag === undefined ? {} : { version: etag }),
  }
}
