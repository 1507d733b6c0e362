import { SCOPES } from '#platform/auth/scopes.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Endpoint } from './endpoint.ts'
import { ERROR_CODES } from './error-codes.ts'
import type { Json } from './openapi-schemas.ts'
import { type InputError, PROBLEM_CODES, Problem, type ProblemCode, problemBody, statusOf } from './problem.ts'

export const problemSchema: Json = {
  type: 'object',
  description: 'RFC 9457. `code` is stable, `title` and `detail` follow Accept-Language.',
  required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      description: 'The code as a URN; the header `Link` with `rel="help"` leads to its explanation',
    },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: PROBLEM_CODES },
    request_id: { type: 'string', description: 'Quote it when you ask for help' },
    required_scope: { type: 'string', enum: SCOPES, description: 'With insufficient_scope: the scope that the token lacks' },
    next: { type: 'string', description: 'With `gone`: the cursor to go on with, after reading the lists again' },
    location: { type: 'string', description: 'With `moved`: the address to send the request to' },
    errors: {
      type: 'array',
      description: 'Every input that is not valid',
      items: {
        type: 'object',
        required: ['code', 'detail'],
        properties: {
          parameter: { type: 'string', description: 'The query parameter' },
          pointer: { type: 'string', description: 'The place in the body, a JSON pointer; empty for the whole body' },
          code: {
            anyOf: [{ type: 'string', enum: [...new Set([...ERROR_CODES, ...PROBLEM_CODES])] }, { type: 'string' }],
            description:
              'Stable; the catalogue of problems explains each. In a batch, that of the problem of the write. New ones can be added.',
          },
          detail: { type: 'string' },
        },
      },
    },
    results: { type: 'array', description: 'Of a batch: the result of each write', items: { type: 'object' } },
  },
  examples: [exampleOf('not_found')],
}

function exampleOf(code: ProblemCode): Json {
  const errors: InputError[] | undefined =
    code === 'invalid_input' ? [{ parameter: 'type', code: 'invalid_choice', detail: 'Select a valid choice.' }] : undefined
  const members = code === 'gone' ? { members: { next: '6f1c2b1e0d3a-1k2' } } : {}
  const problem = new Problem(code, { ...(errors ? { errors } : {}), ...members })
  return JSON.parse(problemBody(problem, wordsFor('en', 'UTC'), '6f1c2b1e-0d3a-4c55-9a0e-2b7d8c9e0f11'))
}

/** One response per status; `code` is the example. */
const FAILURES: Record<number, { id: string; code: ProblemCode; description: string; headers?: string[] }> = {
  400: { id: 'BadRequest', code: 'invalid_input', description: 'A parameter or the body is not valid; all mistakes are listed' },
  401: {
    id: 'Unauthorized',
    code: 'not_authenticated',
    description: 'No credentials, or credentials that are no longer valid',
    headers: ['WWW-Authenticate'],
  },
  403: {
    id: 'Forbidden',
    code: 'permission_denied',
    description: 'The scope or the permission is missing; to partner instances also: the link has ended',
    headers: ['WWW-Authenticate'],
  },
  404: { id: 'NotFound', code: 'not_found', description: 'Does not exist, or not for the caller' },
  406: { id: 'NotAcceptable', code: 'not_acceptable', description: 'Accept names nothing that there is' },
  409: { id: 'Conflict', code: 'conflict', description: 'A rule or a concurrent change stands against it' },
  412: { id: 'PreconditionFailed', code: 'precondition_failed', description: 'The record changed since the ETag in If-Match' },
  410: { id: 'Gone', code: 'gone', description: 'No longer kept; `next` is where to go on' },
  413: { id: 'TooLarge', code: 'too_large', description: 'The body is too large, or a batch takes too long' },
  414: { id: 'AddressTooLong', code: 'uri_too_long', description: 'The address is too long' },
  415: { id: 'UnsupportedMediaType', code: 'unsupported_media_type', description: 'Content of this type is not taken' },
  421: { id: 'Misdirected', code: 'misdirected_request', description: 'Not the host name of this instance' },
  422: {
    id: 'IdempotencyKeyReused',
    code: 'idempotency_key_reused',
    description: 'The Idempotency-Key was used for another request',
  },
  428: { id: 'PreconditionRequired', code: 'precondition_required', description: 'If-Match is missing' },
  429: { id: 'TooManyRequests', code: 'too_many_requests', description: 'Too many requests', headers: ['Retry-After'] },
  500: { id: 'ServerError', code: 'internal_error', description: 'A fault of the server, logged under request_id' },
  503: { id: 'Unavailable', code: 'unavailable', description: 'Busy or starting', headers: ['Retry-After'] },
}

/** All error responses of an endpoint. */
export function failureResponses(endpoint: Endpoint): Json {
  const codes: ProblemCode[] = [
    'bad_request',
    'not_found', // also for an unknown `format`
    'not_acceptable',
    'misdirected_request',
    'uri_too_long',
    'too_many_requests',
    'internal_error',
    'unavailable',
  ]
  const { access, kind } = endpoint
  if (access.kind !== 'open') codes.push('permission_denied')
  if (access.kind === 'scope' || access.kind === 'any-user') codes.push('not_authenticated')
  if (kind === 'action') codes.push('conflict')
  codes.push(...(endpoint.problems ?? []))
  if (kind === 'action' && endpoint.body) codes.push('too_large', 'unsupported_media_type')
  if (kind === 'write') {
    codes.push('conflict', 'too_large', 'unsupported_media_type')
    if (endpoint.method === 'POST') codes.push('idempotency_key_reused')
    else codes.push('precondition_required')
    if (endpoint.target) codes.push('precondition_failed')
  }
  const statuses = [...new Set(codes.map(statusOf))].sort((a, b) => a - b)
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${FAILURES[status]!.id}` }]))
}

/** Only the referenced ones. */
export function failureComponents(paths: Json): Json {
  const used = JSON.stringify(paths)
  return Object.fromEntries(
    Object.values(FAILURES)
      .filter(({ id }) => used.includes(`"#/components/responses/${id}"`))
      .map(({ id, code, description, headers = [] }) => [
        id,
        {
          description,
          headers: headerReferences(['X-Request-Id', ...headers]),
          content: {
            'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example: exampleOf(code) },
          },
        },
      ]),
  )
}

const text = (description: string, example: string): Json => ({ description, schema: { type: 'string' }, example })

export const HEADERS: Record<string, Json> = {
  'X-Request-Id': text('Names the request in the log', '6f1c2b1e-0d3a-4c55-9a0e-2b7d8c9e0f11'),
  ETag: text(
    'Send it as If-None-Match to learn with 304 that nothing changed. That of a record is strong and what If-Match takes: the same whatever `fields` says, absent with `include`. That of a list is weak.',
    '"q2mVGQpnmGe1VVf9lzsLfZ2y3Yk"',
  ),
  Link: text('RFC 8288: `next` and `prev` page', '<https://turnout.example/api/events/?limit=100&offset=100>; rel="next"'),
  Location: text('Address of the new record', 'https://turnout.example/api/events/12/'),
  'Dry-Run': text('`true` if nothing was written, because the request had `dry_run=true`', 'true'),
  'Idempotency-Replayed': text('`true` if the answer was stored with the first request of the same Idempotency-Key', 'true'),
  RateLimit: text('What is left, and seconds until it is renewed; absent while there is no limit', '"reads";r=599;t=60'),
  'RateLimit-Policy': text('The limit: requests in so many seconds', '"reads";q=600;w=60'),
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 }, example: 12 },
  'WWW-Authenticate': text('RFC 6750', 'Bearer realm="turnout", error="insufficient_scope", scope="PUBLIC_READ"'),
  Deprecation: text('RFC 9745, when a deprecated parameter was used; Link names this page', '@1798761600'),
  Sunset: text('RFC 8594: from then on the deprecated parameter may be gone', 'Mon, 01 Jan 2029 00:00:00 GMT'),
}

export function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
