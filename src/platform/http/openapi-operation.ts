import type { z } from 'zod'
import type { ApiAccess } from './access.ts'
import { PARSED_TYPES } from './body.ts'
import type { Endpoint, Rendering } from './endpoint.ts'
import { failureResponses, headerReferences } from './openapi-failures.ts'
import { exampleOf, type Json, pageId, pageSchema, schemaOf, schemaReference } from './openapi-schemas.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from './paging.ts'
import type { Parameters } from './parameters.ts'
import { pathParameters as parametersIn } from './path.ts'

export function operationOf(endpoint: Endpoint): Json {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: [endpoint.description, accessText(endpoint.access)].filter(Boolean).join('\n\n'),
    tags: [endpoint.tag],
    security: securityOf(endpoint.access),
    parameters: [...pathParametersOf(endpoint.path as string), ...queryParameters(endpoint)],
    ...(endpoint.kind === 'action' && endpoint.body ? { requestBody: bodyOf(endpoint.body) } : {}),
    responses: { ...successes(endpoint), ...failureResponses(endpoint) },
  }
}

function securityOf(access: ApiAccess): Json[] {
  if (access.kind === 'open') return []
  if (access.kind === 'partner') return [{ tokenAuth: [] }]
  return [{ tokenAuth: access.kind === 'scope' ? [access.scope] : [] }, { cookieAuth: [] }]
}

function accessText(access: ApiAccess): string {
  if (access.kind === 'open') return 'Needs no credentials.'
  if (access.kind === 'partner') return 'Needs the federation token of a partner instance.'
  if (access.kind === 'any-user') return 'Needs any token of a person, or a session.'
  const also = access.permission ? `, and the permission \`${access.permission}\` of the person behind it` : ''
  return `Needs a token with the scope \`${access.scope}\`${also}, or a session.`
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
}

function queryParameters(endpoint: Endpoint): Json[] {
  if (endpoint.kind === 'action') return []
  if (endpoint.kind === 'document') return formatParameter(endpoint.renderings)
  const own = Object.entries(endpoint.parameters as Parameters).map(([name, { description, schema, list, deprecated }]) => ({
    name,
    in: 'query',
    description: deprecated ? `${description} Deprecated: use \`${deprecated.use}\`.` : description,
    schema: list ? { type: 'array', items: schema } : schema,
    ...(list ? { style: 'form', explode: true } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  }))
  if (endpoint.kind === 'record') return own
  return [...own, ...Object.keys(PAGING).map((name) => ({ $ref: `#/components/parameters/${name}` }))]
}

function formatParameter(renderings: Rendering[]): Json[] {
  const formats = [...new Set(renderings.flatMap(({ format }) => format ?? []))]
  const schema = { type: 'string', enum: formats }
  return formats.length ? [{ name: 'format', in: 'query', description: 'Beside or instead of Accept.', schema }] : []
}

function bodyOf(body: z.ZodType): Json {
  const schema = schemaOf(body, 'input')
  return { required: true, content: Object.fromEntries(PARSED_TYPES.map((type) => [type, { schema }])) }
}

const json = (schema: Json): Json => ({ 'application/json': { schema } })
const COMMON_HEADERS = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

function successes(endpoint: Endpoint): Json {
  if (endpoint.kind === 'action') return actionSuccesses(endpoint.responses)
  if (endpoint.kind === 'document' && endpoint.fresh)
    return {
      200: { description: 'The page', headers: headerReferences(COMMON_HEADERS), content: documentContent(endpoint.renderings) },
    }
  const headers = headerReferences([...COMMON_HEADERS, 'ETag', ...moreHeaders(endpoint)])
  const notModified = {
    description: 'Not modified since the ETag that was sent',
    headers: headerReferences([...COMMON_HEADERS, 'ETag']),
  }
  return { 200: { ...successOf(endpoint), headers }, 304: notModified }
}

function successOf(endpoint: Exclude<Endpoint, { kind: 'action' }>): Json {
  if (endpoint.kind === 'document') return { description: 'The document', content: documentContent(endpoint.renderings) }
  if (endpoint.kind === 'record') return { description: 'The record', content: json(schemaOf(endpoint.record)) }
  return { description: 'A page of results', content: json(pageOf(endpoint.item)) }
}

function moreHeaders(endpoint: Endpoint): string[] {
  if (endpoint.kind !== 'list' && endpoint.kind !== 'record') return []
  const isDeprecating = Object.values(endpoint.parameters as Parameters).some(({ deprecated }) => deprecated)
  return [...(endpoint.kind === 'list' || isDeprecating ? ['Link'] : []), ...(isDeprecating ? ['Deprecation', 'Sunset'] : [])]
}

function actionSuccesses(answers: Record<string, { description: string; schema?: z.ZodType }>): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema }]) => [
      status,
      { description, headers: headerReferences(COMMON_HEADERS), ...(schema ? { content: json(schemaOf(schema)) } : {}) },
    ]),
  )
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
