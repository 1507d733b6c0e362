import { z } from 'zod'
import type { ApiAccess } from './access.ts'
import { type Endpoint, methodOf } from './endpoint.ts'
import { DEFAULT_LIMIT, MAX_LIMIT } from './paging.ts'
import type { Parameters } from './parameters.ts'
import { PROBLEM_CODES, type ProblemCode, statusOf } from './problem.ts'

type Json = Record<string, unknown>
export type OpenApiOptions = { siteUrl: string; version: string }

/** OpenAPI 3.1, made from the endpoint values alone: what is served and what is told cannot differ. */
export function openApiDocument(endpoints: Endpoint[], { siteUrl, version }: OpenApiOptions): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path as string
    paths[path] = { ...paths[path], [methodOf(endpoint).toLowerCase()]: operationOf(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Turnout',
      version,
      description:
        'Events, their shifts, people and who takes part. Every list is paged by `limit` and `offset`; errors are RFC 9457 problems.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: siteUrl }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...recordSchemas(), Problem: problemSchema },
      securitySchemes: {
        tokenAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API token or an OAuth2 access token; federation endpoints take the token of the partner.',
        },
        cookieAuth: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The session of the web interface.' },
      },
    },
  }
}

const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457. `code` is stable, `title` and `detail` follow Accept-Language.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: PROBLEM_CODES },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          parameter: { type: 'string' },
          pointer: { type: 'string' },
          code: { type: 'string' },
          detail: { type: 'string' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

const uri = (id: string): string => `#/components/schemas/${id}`

/** Records that have a name (`meta({ id })`) become components. */
function recordSchemas(): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { target: 'draft-2020-12', uri, unrepresentable: 'any' }) as {
    schemas: Record<string, Json>
  }
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([id]) => !id.startsWith('__'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  )
}

function schemaOf(type: z.ZodType): Json {
  const id = z.globalRegistry.get(type)?.id
  if (id) return { $ref: uri(id) }
  const { $schema: _schema, ...schema } = z.toJSONSchema(type, {
    target: 'draft-2020-12',
    uri,
    unrepresentable: 'any',
  } as never) as Json
  return schema
}

function pageSchema(item: z.ZodType): Json {
  const link = { type: ['string', 'null'], format: 'uri' }
  return {
    type: 'object',
    required: ['count', 'next', 'previous', 'results'],
    properties: {
      count: { type: 'integer', minimum: 0 },
      next: link,
      previous: link,
      results: { type: 'array', items: schemaOf(item) },
    },
    additionalProperties: false,
  }
}

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

function operationOf(endpoint: Endpoint): Json {
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: [endpoint.description, accessText(endpoint.access)].filter(Boolean).join('\n\n'),
    tags: [endpoint.tag],
    security:
      endpoint.access.kind === 'open'
        ? []
        : endpoint.access.kind === 'partner'
          ? [{ tokenAuth: [] }]
          : [{ tokenAuth: scopesOf(endpoint.access) }, { cookieAuth: [] }],
    parameters: [...pathParameters(endpoint.path as string), ...queryParameters(endpoint)],
    ...(endpoint.kind === 'action' && endpoint.body ? { requestBody: bodyOf(endpoint.body) } : {}),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  }
}

const scopesOf = (access: ApiAccess): string[] => (access.kind === 'scope' ? [access.scope] : [])

function accessText(access: ApiAccess): string {
  if (access.kind === 'open') return 'Needs no credentials.'
  if (access.kind === 'partner') return 'Needs the federation token of a partner instance.'
  if (access.kind === 'any-user') return 'Needs any token of a person, or a session.'
  const also = access.permission ? `, and the permission \`${access.permission}\` of the person behind it` : ''
  return `Needs a token with the scope \`${access.scope}\`${also}, or a session.`
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
    const isNumber = name === 'id' || name === 'user'
    return { name, in: 'path', required: true, schema: isNumber ? { type: 'integer', minimum: 0 } : { type: 'string' } }
  })
}

function queryParameters(endpoint: Endpoint): Json[] {
  if (endpoint.kind === 'action' || endpoint.kind === 'document') return []
  const own = Object.entries(endpoint.parameters as Parameters).map(([name, { description, schema, list, deprecated }]) => ({
    name,
    in: 'query',
    description: deprecated ? `${description} Deprecated: use \`${deprecated.use}\`.` : description,
    schema: list ? { type: 'array', items: schema } : schema,
    ...(list ? { style: 'form', explode: true } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  }))
  if (endpoint.kind === 'record') return own
  return [
    ...own,
    {
      name: 'limit',
      in: 'query',
      description: `Results per page, at most ${MAX_LIMIT}.`,
      schema: { type: 'integer', default: DEFAULT_LIMIT },
    },
    { name: 'offset', in: 'query', description: 'Index of the first result.', schema: { type: 'integer', default: 0 } },
  ]
}

function bodyOf(body: z.ZodType): Json {
  const { $schema: _schema, ...schema } = z.toJSONSchema(body, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
  }) as Json
  return { required: true, content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema } } }
}

function successes(endpoint: Endpoint): Json {
  if (endpoint.kind === 'list')
    return { 200: { description: 'A page of results', ...json(pageSchema(endpoint.item)) }, 304: { description: 'Not modified' } }
  if (endpoint.kind === 'record')
    return { 200: { description: 'The record', ...json(schemaOf(endpoint.record)) }, 304: { description: 'Not modified' } }
  if (endpoint.kind === 'document') return { 200: { description: 'The document' } }
  const answers = endpoint.answers as Record<string, { description: string; schema?: z.ZodType }>
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema }]) => [
      status,
      { description, ...(schema ? json(schemaOf(schema)) : {}) },
    ]),
  )
}

/** Every way in which a request can fail. */
function failures(endpoint: Endpoint): Json {
  const codes: ProblemCode[] = [
    'bad_request',
    'not_acceptable',
    'misdirected_request',
    'uri_too_long',
    'too_many_requests',
    'internal_error',
    'unavailable',
  ]
  if (endpoint.access.kind !== 'open') codes.push('permission_denied')
  if (endpoint.access.kind === 'scope' || endpoint.access.kind === 'any-user') codes.push('not_authenticated')
  if (endpoint.kind !== 'list' || /\{/.test(endpoint.path as string)) codes.push('not_found')
  if (endpoint.kind === 'list') codes.push('not_found') // a format that there is not
  if (endpoint.kind === 'action') codes.push('method_not_allowed', 'conflict', 'too_large', 'unsupported_media_type')
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
  const problem = { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } }
  return Object.fromEntries(statuses.map((status) => [status, { description: FAILURES[status] ?? 'Failed', ...problem }]))
}

const FAILURES: Record<number, string> = {
  400: 'A parameter or the body is not valid; all mistakes are listed',
  401: 'No credentials, or credentials that are no longer valid',
  403: 'The scope or the permission is missing',
  404: 'Does not exist, or not for the caller',
  405: 'Method not allowed; see Allow',
  406: 'Accept names nothing that there is',
  409: 'A rule or a concurrent change stands against it',
  413: 'The body is too large',
  414: 'The address is too long',
  415: 'Content of this type is not taken',
  421: 'Not the host name of this instance',
  429: 'Too many requests; see Retry-After',
  500: 'A fault of the server, logged under request_id',
  503: 'Busy or starting; see Retry-After',
}
