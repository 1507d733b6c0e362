import type { UserActor } from '#platform/auth/actor.ts'
import { checkApiAccess } from '#platform/http/access.ts'
import type { Endpoint, ListEndpoint, RecordEndpoint, WriteEndpoint } from '#platform/http/endpoint.ts'
import { type Json, standaloneSchema } from '#platform/http/openapi-schemas.ts'
import type { Parameters } from '#platform/http/parameters.ts'
import { pathParameters } from '#platform/http/path.ts'
import { Problem } from '#platform/http/problem.ts'

// biome-ignore-start lint/suspicious/noExplicitAny: tools do not look into paths, rows and bodies
type AnyWrite = WriteEndpoint<any, any>
type ToolEndpoint = ListEndpoint<any, any, any> | RecordEndpoint<any, any, any> | AnyWrite
// biome-ignore-end lint/suspicious/noExplicitAny: tools do not look into paths, rows and bodies

/** An operation of the API as an assistant sees it. */
export type Tool = {
  name: string
  endpoint: ToolEndpoint
  title: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, Json>; required: string[]; additionalProperties: false }
}

/** They hand out secrets, or are many writes under one confirmation. */
const EXCLUDED_TAGS = ['webhooks', 'batch', 'federation']
/** A person reads the pages of people, so an assistant reads small pages. */
const LIMIT = { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'Results per page' }
const CURSOR = { type: 'string', description: 'Empty for the first page, then as in `next` of the page before' }
const FIELDS = { type: 'string', description: 'Keys of the records, separated by commas; others are left out' }
const VERSION = { type: 'string', description: 'The `version` that reading the record told' }

/** The tools that the credential of the caller opens, by the check that requests pass. */
export const toolsFor = (actor: UserActor, endpoints: readonly Endpoint[]): Tool[] =>
  endpoints
    .filter(isTool)
    .filter(({ access }) => isOpenFor(actor, access))
    .map(toolOf)

const isTool = (endpoint: Endpoint): endpoint is ToolEndpoint =>
  ['list', 'record', 'write'].includes(endpoint.kind) && !EXCLUDED_TAGS.includes(endpoint.tag)

function isOpenFor(actor: UserActor, access: Endpoint['access']): boolean {
  try {
    checkApiAccess(access, actor, 'valid')
    return access.kind !== 'open'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return false
  }
}

function toolOf(endpoint: ToolEndpoint): Tool {
  const path = pathParameters(endpoint.path as string).map(({ name, isId }) => [name, { type: isId ? 'integer' : 'string' }])
  const { properties, required } = endpoint.kind === 'write' ? writeInput(endpoint) : readInput(endpoint)
  return {
    name: endpoint.operationId,
    endpoint,
    title: endpoint.summary,
    description: [endpoint.summary, endpoint.description, endpoint.kind === 'write' && WRITE_HINT].filter(Boolean).join('. '),
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(path), ...properties },
      required: [...path.map(([name]) => name as string), ...required],
      additionalProperties: false,
    },
  }
}

const WRITE_HINT = 'Changes nothing yet: shows what would happen, and gives a confirmation for `confirm_write`'

type Input = { properties: Record<string, Json>; required: string[] }

function writeInput({ body, target, method }: AnyWrite): Input {
  const needsVersion = target !== undefined && method !== 'POST'
  return {
    properties: { ...(body ? { body: standaloneSchema(body) } : {}), ...(target ? { version: VERSION } : {}) },
    required: [...(body ? ['body'] : []), ...(needsVersion ? ['version'] : [])],
  }
}

function readInput(endpoint: Exclude<ToolEndpoint, AnyWrite>): Input {
  const own = Object.entries(endpoint.parameters as Parameters)
    .filter(([, { deprecated }]) => !deprecated)
    .map(([name, { description, schema, list }]) => [
      name,
      { ...(list ? { type: 'array', items: schema } : schema), description },
    ])
  const paging = endpoint.kind === 'list' ? { limit: LIMIT, cursor: CURSOR } : {}
  return { properties: { ...Object.fromEntries(own), ...paging, fields: FIELDS }, required: [] }
}

export type Arguments = Record<string, unknown>
export type ToolRequest = { method: ToolMethod; url: string; headers: Record<string, string>; body?: string }
type ToolMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The request of a tool, or what is wrong with its arguments. The API judges the values. */
export function requestOf({ endpoint, inputSchema }: Tool, given: unknown): ToolRequest | { mistake: string } {
  if (!isArguments(given)) return { mistake: 'The arguments are an object' }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(inputSchema.properties, name))
  if (unknown.length) return { mistake: `Unknown arguments: ${unknown.join(', ')}` }
  const missing = inputSchema.required.filter((name) => given[name] === undefined || given[name] === '')
  if (missing.length) return { mistake: `Missing arguments: ${missing.join(', ')}` }
  const parameters = pathParameters(endpoint.path as string)
  const odd = parameters.filter(({ name, isId }) => !isSegment(given[name], isId)).map(({ name }) => name)
  if (odd.length) return { mistake: `Not a value for ${odd.join(', ')}` }
  const names = parameters.map(({ name }) => name)
  const path = names.reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(given[name]))),
    endpoint.path as string,
  )
  if (endpoint.kind !== 'write') return { method: 'GET', url: `${path}${queryOf(endpoint, names, given)}`, headers: {} }
  const { body, version } = given
  // Any version would be a change that nobody has seen.
  if (version !== undefined && !isVersion(version)) return { mistake: 'The version is that of the record as you read it' }
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(version === undefined ? {} : { 'if-match': String(version) }),
  }
  return {
    method: endpoint.method,
    url: path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(sorted(body)) }),
  }
}

const isArguments = (given: unknown): given is Arguments => typeof given === 'object' && given !== null && !Array.isArray(given)

/** Part of the path of this tool. Addresses are resolved, so dots alone would lead to the operation of another one. */
const isSegment = (value: unknown, isId: boolean): boolean =>
  isId ? /^\d+$/.test(String(value)) : typeof value === 'string' && !/^\.+$/.test(value)

const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '*' && /^[\x20-\x7e]+$/.test(value)

function queryOf({ kind }: ToolEndpoint, names: readonly string[], given: Arguments): string {
  const query = new URLSearchParams()
  const values = kind === 'list' ? { limit: LIMIT.default, ...given } : given
  for (const [name, value] of Object.entries(values))
    if (!names.includes(name)) for (const each of [value].flat()) query.append(name, String(each))
  return query.size ? `?${query}` : ''
}

/** Assistants repeat arguments with their keys in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
