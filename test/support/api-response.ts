import assert from 'node:assert/strict'
import { z } from 'zod'
import { ENDPOINTS } from '#endpoints'
import { type Endpoint, methodOf } from '#platform/http/endpoint.ts'
import { ERROR_CODES } from '#platform/http/error-codes.ts'
import { withTried } from '#platform/http/openapi-operation.ts'
import { PROBLEM_CODES, type ProblemCode, statusOf } from '#platform/http/problem.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of all shapes, after they were checked
export type Json = any
export type Answer = { status: number; headers: Record<string, string | undefined>; text: string; body: Json }

/** The path as an endpoint declares it, without suffix and query. */
function plainPath(url: string): string {
  return url.split('?')[0]!.replace(/\/?\.(json|api)\/?$/, '/')
}

const patterns = new Map<string, RegExp>()
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path)
  if (!pattern) {
    pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
    patterns.set(path, pattern)
  }
  return pattern
}

/** Computed once per list: tests send tens of thousands of requests. */
const sorted = new WeakMap<Endpoint[], { endpoint: Endpoint; pattern: RegExp }[]>()
function mostLiteralFirst(endpoints: Endpoint[]): { endpoint: Endpoint; pattern: RegExp }[] {
  const known = sorted.get(endpoints)
  if (known) return known
  const literals = ({ path: template }: Endpoint) => (template as string).replaceAll(/\{\w+\}/g, '').length
  const found = endpoints
    .toSorted((a, b) => literals(b) - literals(a))
    .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }))
  sorted.set(endpoints, found)
  return found
}

/** As the router: first the path, with literal segments before variable ones (`users/me` is not the user with the id `me`). */
export function endpointFor(method: string, url: string, endpoints: Endpoint[] = ENDPOINTS): Endpoint | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method
  const path = plainPath(url)
  const best = mostLiteralFirst(endpoints).find(({ pattern }) => pattern.test(path))?.endpoint
  return best && endpoints.find((each) => each.path === best.path && methodOf(each) === wanted)
}

/** Parses strictly: refuses unknown keys, and requires the order of the schema at every depth. */
export function assertRecord(schema: z.ZodType, raw: Json): void {
  const parsed = schema.safeParse(raw)
  assert.ok(parsed.success, parsed.success ? '' : `${parsed.error.message}\nin ${JSON.stringify(raw)}`)
  assert.equal(JSON.stringify(raw), JSON.stringify(parsed.data), 'the order of the keys is part of the contract')
}

const ALWAYS: Record<string, string | RegExp> = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy': /^default-src 'none'/,
  'strict-transport-security': /^max-age=\d+/,
  'x-request-id': /^[\w-]{8,}$/,
}
/** Responses vary by Origin if scripts of other sites may call the endpoint. */
const VARY = /^Accept, Accept-Language, Cookie(, Origin)?$/
const ON_RECORDS: Record<string, string | RegExp> = {
  'content-type': 'application/json',
  vary: VARY,
  'cache-control': 'private, no-cache',
  'content-language': /^(en|de)$/,
  'content-length': /^\d+$/,
  allow: /OPTIONS$/,
}

const STRONG_ETAG = /^"[\w-]{27}"$/

function assertHeaders({ headers }: Answer, expected: Record<string, string | RegExp>): void {
  for (const [name, value] of Object.entries(expected)) {
    if (typeof value === 'string') assert.equal(headers[name], value, name)
    else assert.match(headers[name] ?? '(absent)', value, name)
  }
  for (const name of Object.keys(headers)) assert.doesNotMatch(name, /^(access-control-|x-powered-by|server$|set-cookie$)/)
}

const isCompact = (text: string): boolean => !/\s/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""'))

const PROBLEM_KEYS = ['type', 'title', 'status', 'detail', 'code', 'request_id']
const ERROR_KEYS = [
  ['code', 'detail'],
  ['parameter', 'code', 'detail'],
  ['pointer', 'code', 'detail'],
]

/** Errors of a batch have the codes of problems. */
const KNOWN_CODES: ReadonlySet<string> = new Set([...ERROR_CODES, ...PROBLEM_CODES])

export function assertProblem(answer: Answer): void {
  const { body, headers, status } = answer
  assertHeaders(answer, {
    'content-type': 'application/problem+json',
    vary: VARY,
    'content-language': /^(en|de)$/,
  })
  const more = [
    ...(body.code === 'insufficient_scope' ? ['required_scope'] : []),
    ...(body.errors === undefined ? [] : ['errors']),
    ...(body.code === 'batch_failed' ? ['results'] : []),
    ...(body.code === 'gone' ? ['next'] : []),
    ...(body.code === 'moved' ? ['location'] : []),
  ]
  assert.deepEqual(Object.keys(body), [...PROBLEM_KEYS, ...more])
  assert.ok(PROBLEM_CODES.includes(body.code), body.code)
  assert.equal(statusOf(body.code as ProblemCode), status)
  assert.equal(body.status, status)
  assert.equal(body.type, `urn:turnout:problem:${body.code}`)
  assert.equal(body.request_id, headers['x-request-id'])
  for (const text of [body.title, body.detail]) assert.ok(typeof text === 'string' && text.length > 0)
  for (const error of body.errors ?? []) {
    assert.ok(
      ERROR_KEYS.some((keys) => JSON.stringify(keys) === JSON.stringify(Object.keys(error))),
      JSON.stringify(error),
    )
    for (const text of Object.values(error)) assert.equal(typeof text, 'string')
    assert.ok(KNOWN_CODES.has((error as { code: string }).code), `the catalogue explains ${JSON.stringify(error)}`)
  }
  if (body.code === 'invalid_input') assert.ok(body.errors.length > 0)
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer\b/)
  if (status === 405) assert.match(headers.allow ?? '', /OPTIONS$/)
  if (status === 429 || status === 503) assert.match(headers['retry-after'] ?? '', /^[1-9]\d*$/)
  assert.match(headers.link ?? '', new RegExp(`/help/api/problems/#${body.code.replaceAll('_', '-')}>; rel="help"$`))
  assert.equal(headers.etag, undefined)
}

/** The schema of the records that a request with `fields` and `include` gets. */
function shapedBy(schema: z.ZodType, endpoint: Endpoint, url: string): z.ZodType {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const namesOf = (name: string) =>
    query.getAll(name).flatMap((value) =>
      value
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    )
  const [fields, included] = [namesOf('fields'), namesOf('include')]
  const includes = endpoint.kind === 'list' || endpoint.kind === 'record' ? (endpoint.includes ?? {}) : {}
  const record = schema as z.ZodObject
  const entries = Object.entries(record.shape).filter(([name]) => !fields.length || fields.includes(name))
  const extra = [...new Set(included)].filter((name) => name in includes).map((name) => [name, z.array(includes[name]!.item)])
  return fields.length || extra.length ? z.strictObject(Object.fromEntries([...entries, ...extra])) : schema
}

/** The answer to a caller who may not read the record. A secret that the write made is there, too. */
const isWritten = (body: Json): boolean =>
  !Array.isArray(body) && Object.keys(body).every((key) => ['id', 'version', 'secret'].includes(key))

function assertWritten(answer: Answer): void {
  const { id, version, secret, ...more } = answer.body
  assert.deepEqual(more, {})
  if (id !== undefined) assert.ok(Number.isSafeInteger(id))
  if (secret !== undefined) assert.equal(typeof secret, 'string')
  assertHeaders(answer, ON_RECORDS)
  assert.equal(answer.headers.etag, version)
}

function assertSuccess(endpoint: Endpoint, url: string, answer: Answer): void {
  const { body, text, status } = answer
  if (endpoint.kind === 'action' || endpoint.kind === 'write') {
    if (endpoint.kind === 'write' && text && isWritten(body)) {
      assertWritten(answer)
      return
    }
    // A record that a dry run would create has no version.
    const isTried = answer.headers['dry-run'] === 'true' && answer.headers.etag === undefined
    const versioned = isTried ? {} : { etag: STRONG_ETAG }
    if (endpoint.kind === 'write' && text) assertHeaders(answer, { ...ON_RECORDS, ...versioned })
    const responses = endpoint.kind === 'write' ? withTried(endpoint.responses) : endpoint.responses
    const schema = (responses as Record<number, { schema?: z.ZodType }>)[status]
    assert.ok(schema, `${endpoint.path} declares no ${status}`)
    if (schema.schema) assertRecord(schema.schema, body)
    else assert.equal(text, '')
    return
  }
  assert.equal(status, 200)
  if (endpoint.kind === 'document' || endpoint.kind === 'stream') return
  assertHeaders(answer, ON_RECORDS)
  assertEtag(endpoint, url, answer)
  assert.ok(isCompact(text), 'JSON is compact')
  for (const [, duration] of text.matchAll(/"duration":([^,]+)/g)) assert.match(duration!, /^\d+\.\d+$/)
  if (endpoint.kind === 'record') assertRecord(shapedBy(endpoint.record, endpoint, url), body)
  else assertPage(shapedBy(endpoint.item, endpoint, url), answer)
}

/** What is included changes without the record. Indented text is another form of the same record. */
function assertEtag({ kind }: Endpoint, url: string, { headers }: Answer): void {
  const isIncluding = new URLSearchParams(url.split('?')[1] ?? '').getAll('include').some((names) => names.trim())
  if (kind === 'record' && isIncluding) assert.equal(headers.etag, undefined)
  else assert.match(headers.etag ?? '(absent)', kind === 'record' ? STRONG_ETAG : /^W\/"[\w-]{27}"$/)
}

function assertPage(item: z.ZodType, { body, headers }: Answer): void {
  assert.deepEqual(Object.keys(body), ['count', 'next', 'previous', 'results'])
  for (const each of body.results) assertRecord(item, each)
  const links = [body.next && `<${body.next}>; rel="next"`, body.previous && `<${body.previous}>; rel="prev"`].filter(Boolean)
  for (const link of links) assert.ok(headers.link?.includes(link), `Link has ${link}`)
}

function assertOptions(answer: Answer): void {
  assertHeaders(answer, ON_RECORDS)
  assert.deepEqual(Object.keys(answer.body).slice(0, 4), ['name', 'description', 'renders', 'parses'])
}

/** Checks a response under /api/ against the declaration of its endpoint. */
export function checkAnswer(method: string, url: string, answer: Answer): void {
  const { status, text, headers } = answer
  assertHeaders(answer, ALWAYS)
  if (method === 'HEAD' || status === 301 || status === 304) assert.equal(text, '')
  if (status === 304) assertHeaders(answer, { etag: /^(?:W\/)?"/, 'cache-control': 'private, no-cache', vary: VARY })
  if (method === 'HEAD' || (status >= 300 && status < 400)) return
  const endpoint = endpointFor(method, url)
  if (status >= 400) assertProblem(answer)
  else if (method === 'OPTIONS') assertOptions(answer)
  else if (endpoint) assertSuccess(endpoint, url, answer)
  else assert.fail(`no endpoint matches, but the response has the type ${headers['content-type']}`)
}
