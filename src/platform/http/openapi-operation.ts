import type { z } from 'zod'
import { type ApiAccess, scopesOf } from './access.ts'
import { PARSED_TYPES } from './body.ts'
import type { Endpoint, Include, Rendering, WriteEndpoint } from './endpoint.ts'
import { IDEMPOTENCY_HOURS, MAX_KEY_LENGTH } from './idempotency.ts'
import { failureResponses, headerReferences } from './openapi-failures.ts'
import { exampleOf, type Json, pageId, pageSchema, schemaOf, schemaReference } from './openapi-schemas.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from './paging.ts'
import type { Parameters } from './parameters.ts'
import { pathParameters as parametersIn } from './path.ts'
import { fieldsOf, MAX_LIMIT_WITH_INCLUDES } from './request-options.ts'
import { EVENT_STREAM } from './stream.ts'
import { writtenRecord } from './write.ts'

export function operationOf(endpoint: Endpoint): Json {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: [endpoint.description, accessText(endpoint.access)].filter(Boolean).join('\n\n'),
    tags: [endpoint.tag],
    security: securityOf(endpoint.access),
    parameters: [...pathParametersOf(endpoint.path as string), ...queryParameters(endpoint)],
    ...requestBodyOf(endpoint),
    responses: { ...successes(endpoint), ...failureResponses(endpoint) },
  }
}

function securityOf(access: ApiAccess): Json[] {
  if (access.kind === 'open') return []
  if (access.kind === 'partner') return [{ tokenAuth: [] }]
  return [{ tokenAuth: scopesOf(access) }, { cookieAuth: [] }]
}

function accessText(access: ApiAccess): string {
  if (access.kind === 'open') return 'Needs no credentials.'
  if (access.kind === 'partner') return 'Needs the federation token of a partner instance.'
  if (access.kind === 'any-user') return 'Needs any token of a person, or a session.'
  const also = access.permission ? `, and the permission \`${access.permission}\` of the person behind it` : ''
  const scopes = scopesOf(access).map((each) => `\`${each}\``)
  return `Needs a token with the scope ${scopes.join(' and ')}${also}, or a session.`
}

function pathParametersOf(path: string): Json[] {
  return parametersIn(path).map(({ name, isId }) => {
    // Clients of the reference description send the user as text.
    const schema = isId && name !== 'user' ? { type: 'integer', format: 'int64', minimum: 0 } : { type: 'string' }
    return { name, in: 'path', required: true, description: PATHS[name] ?? `The ${name}`, schema }
  })
}

const PATHS: Record<string, string> = { id: 'The id of the record', user: 'The id of the person', email: 'The e-mail address' }

/** Shared by all lists, as components. */
export const PAGING: Record<string, Json> = {
  limit: {
    name: 'limit',
    in: 'query',
    description: `Results per page, at most ${MAX_LIMIT}; more is taken as ${MAX_LIMIT}.`,
    schema: { type: 'integer', default: DEFAULT_LIMIT },
  },
  offset: {
    name: 'offset',
    in: 'query',
    description: 'Index of the first result.',
    schema: { type: 'integer', default: 0 },
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    description:
      'Pages by position instead of offset: empty for the first page, then as in `next` and `previous`. Records that come or go while you page move nothing. `count` is null. Not together with `offset`; the filters must stay the same.',
    allowEmptyValue: true,
    schema: { type: 'string' },
  },
}

const MANY_FIELDS = 3

function fieldsParameter(endpoint: Extract<Endpoint, { kind: 'list' | 'record' }>): Json[] {
  const names = fieldsOf(endpoint)
  // Not as an example: tools send those, and expect that the answer has all keys.
  const example = names.length ? ` For example \`${names.slice(0, MANY_FIELDS).join(',')}\`.` : ''
  const description = `Keys of the records, separated by commas; others are left out, also those that are required otherwise.${example}`
  return [{ name: 'fields', in: 'query', description, schema: { type: 'string' } }]
}

const reference = (name: string): Json => ({ $ref: `#/components/parameters/${name}` })

function includeParameter(includes: Record<string, Include> | undefined): Json[] {
  if (!includes) return []
  const named = Object.entries(includes).map(
    ([name, { description, access }]) => `\`${name}\`: ${description} ${accessText(access)}`,
  )
  const description = `Adds related records to each record, under the same key. A page has at most ${MAX_LIMIT_WITH_INCLUDES} results then. ${named.join(' ')}`
  return [{ name: 'include', in: 'query', description, schema: { type: 'string', enum: Object.keys(includes) } }]
}

/** Keys that records of the endpoints have only with `include`. */
export function includedProperties(endpoints: Endpoint[]): Record<string, Json> {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      if (endpoint.kind !== 'record' || !endpoint.includes) return []
      const properties = Object.entries(endpoint.includes as Record<string, Include>).map(([name, { item }]) => [
        name,
        { type: 'array', items: schemaOf(item), description: `Only with \`include=${name}\`` },
      ])
      return [[endpoint.record.meta()?.id, Object.fromEntries(properties)]]
    }),
  )
}

/** Shared by all writes, as components. */
export const WRITE_PARAMETERS: Record<string, Json> = {
  dry_run: {
    name: 'dry_run',
    in: 'query',
    description:
      'Judge the request and answer as if, but write nothing. The header `Dry-Run` says so, and the status of a record that would be created is 200.',
    schema: { type: 'boolean', default: false },
    // Viewers begin with it, so that trying a write out changes nothing.
    example: true,
  },
  idempotency_key: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `A unique text of the client, for example a UUID. The answer to the first request is repeated for ${IDEMPOTENCY_HOURS} hours, so that a request can be retried.`,
    schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
  },
  if_match: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag of the record as it was read, or `*`.',
    schema: { type: 'string' },
  },
  if_match_required: {
    name: 'If-Match',
    in: 'header',
    required: true,
    description: 'The ETag of the record as it was read, or `*` to overwrite any version.',
    schema: { type: 'string' },
  },
}

function writeParameters({ method, target }: Pick<WriteEndpoint, 'method' | 'target'>): Json[] {
  const names = ['dry_run']
  if (method === 'POST') names.push('idempotency_key')
  if (target) names.push(method === 'POST' ? 'if_match' : 'if_match_required')
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The id of the last event that was received; takes precedence over `after`. Browsers send it by themselves.',
  schema: { type: 'string' },
}

function queryParameters(endpoint: Endpoint): Json[] {
  if (endpoint.kind === 'action') return []
  if (endpoint.kind === 'write') return writeParameters(endpoint)
  if (endpoint.kind === 'document') return formatParameter(endpoint.renderings)
  const own = Object.entries(endpoint.parameters as Parameters).map(([name, { description, schema, list, deprecated }]) => ({
    name,
    in: 'query',
    description: deprecated ? `${description} Deprecated: use \`${deprecated.use}\`.` : description,
    schema: list ? { type: 'array', items: schema } : schema,
    ...(list ? { style: 'form', explode: true } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  }))
  if (endpoint.kind === 'stream') return [...own, LAST_EVENT_ID]
  const common = [...includeParameter(endpoint.includes), ...fieldsParameter(endpoint)]
  return endpoint.kind === 'record' ? [...own, ...common] : [...own, ...Object.keys(PAGING).map(reference), ...common]
}

function formatParameter(renderings: Rendering[]): Json[] {
  const formats = [...new Set(renderings.flatMap(({ format }) => format ?? []))]
  const schema = { type: 'string', enum: formats }
  return formats.length ? [{ name: 'format', in: 'query', description: 'Beside or instead of Accept.', schema }] : []
}

function requestBodyOf(endpoint: Endpoint): Json {
  if ((endpoint.kind !== 'action' && endpoint.kind !== 'write') || !endpoint.body) return {}
  const schema = schemaOf(endpoint.body, 'input')
  const types = endpoint.kind === 'action' ? PARSED_TYPES : ['application/json']
  return { requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) } }
}

const json = (schema: Json): Json => ({ 'application/json': { schema } })
const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

function successes(endpoint: Endpoint): Json {
  if (endpoint.kind === 'action') return actionSuccesses(endpoint.responses, COMMON_HEADERS)
  if (endpoint.kind === 'write') return writeSuccesses(endpoint)
  if (endpoint.kind === 'document' && endpoint.fresh)
    return {
      200: { description: 'The page', headers: headerReferences(COMMON_HEADERS), content: documentContent(endpoint.renderings) },
    }
  if (endpoint.kind === 'stream') return { 200: streamSuccess(endpoint.item) }
  const headers = headerReferences([...COMMON_HEADERS, 'ETag', ...moreHeaders(endpoint)])
  const notModified = {
    description: 'Not modified since the ETag that was sent',
    headers: headerReferences([...COMMON_HEADERS, 'ETag']),
  }
  return { 200: { ...successOf(endpoint), headers }, 304: notModified }
}

/** OpenAPI 3.1 has no schema for streams, so the schema is that of the data of one event. */
function streamSuccess(item: z.ZodType): Json {
  const content = { [EVENT_STREAM.mediaType]: { schema: schemaOf(item) } }
  return { description: 'Events; the schema is that of their data', headers: headerReferences(COMMON_HEADERS), content }
}

function successOf(endpoint: Exclude<Endpoint, { kind: 'action' | 'write' | 'stream' }>): Json {
  if (endpoint.kind === 'document') return { description: 'The document', content: documentContent(endpoint.renderings) }
  if (endpoint.kind === 'record')
    return { description: 'The record; with `fields` the keys that it names', content: json(schemaOf(endpoint.record)) }
  return { description: 'A page of results; with `fields` the keys that it names', content: json(pageOf(endpoint.item)) }
}

function moreHeaders(endpoint: Endpoint): string[] {
  if (endpoint.kind !== 'list' && endpoint.kind !== 'record') return []
  const isDeprecating = Object.values(endpoint.parameters as Parameters).some(({ deprecated }) => deprecated)
  return [...(endpoint.kind === 'list' || isDeprecating ? ['Link'] : []), ...(isDeprecating ? ['Deprecation', 'Sunset'] : [])]
}

type Successes = Record<string, { description: string; schema?: z.ZodType }>

function actionSuccesses(answers: Successes, headers: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema }]) => [
      status,
      { description, headers: headerReferences(headers), ...(schema ? { content: json(schemaOf(schema)) } : {}) },
    ]),
  )
}

function writeSuccesses({ method, responses }: Pick<WriteEndpoint, 'method' | 'responses'>): Json {
  const headers = headerReferences([
    ...COMMON_HEADERS,
    'ETag',
    'Dry-Run',
    ...(method === 'POST' ? ['Location', 'Idempotency-Replayed'] : []),
  ])
  return Object.fromEntries(
    Object.entries(withTried(responses)).map(([status, response]) => {
      if (!response.schema) return [status, { description: response.description, headers }]
      const { schema, access } = response
      const isAlwaysRead = access.kind === 'any-user'
      const description = isAlwaysRead ? response.description : `${response.description}. Reading it: ${accessText(access)}`
      const shown = isAlwaysRead ? schemaOf(schema) : { anyOf: [schemaOf(schema), schemaOf(writtenRecord)] }
      return [status, { description, headers, content: json(shown) }]
    }),
  )
}

/** What a write answers: a dry run creates nothing, so that it is a 200. */
export function withTried(responses: WriteEndpoint['responses']): WriteEndpoint['responses'] {
  const created = responses[201]
  if (!created || responses[200]) return responses
  return {
    200: { ...created, description: `${created.description}, as a dry run would create it; there is no record of its id` },
    ...responses,
  }
}

function documentContent(renderings: Rendering[]): Json {
  return Object.fromEntries(
    renderings.map(({ mediaType, format }) => [mediaType, { schema: { type: format === 'json' ? 'object' : 'string' } }]),
  )
}

function pageOf(item: z.ZodType): Json {
  const schema = schemaOf(item)
  const id = /\w+$/.exec(String(schema.$ref ?? ''))?.[0]
  return id ? schemaReference(pageId(id)) : pageSchema(schema, exampleOf(item))
}

/** Components for pages of named records. */
export function pageSchemas(endpoints: Endpoint[]): Json {
  return Object.fromEntries(
    endpoints.flatMap((endpoint) => {
      if (endpoint.kind !== 'list') return []
      const schema = schemaOf(endpoint.item)
      const id = /\w+$/.exec(String(schema.$ref ?? ''))?.[0]
      return id ? [[pageId(id), pageSchema(schema, exampleOf(endpoint.item))]] : []
    }),
  )
}
