import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { Words } from '#platform/i18n/words.ts'
import { sendBytes } from './api-response.ts'
import { judgeWriteBody, readBody, readJson } from './body.ts'
import { csrfToken, csrfTokenMatches, isSameOrigin } from './csrf.ts'
import type { ActionEndpoint } from './endpoint.ts'
import { type HttpContext, makeCommandContext, makeRequestContext, requestOrigin, requestUrl } from './http-context.ts'
import { makeKey, readIdempotencyKey } from './idempotency.ts'
import { jsonBytes } from './json.ts'
import { readApiPath } from './path.ts'
import { type InputError, Problem } from './problem.ts'
import { addressKey } from './rate-limiter.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'
import { collectMistakes } from './rule-pass.ts'
import { type AnyWrite, checkPreconditionGiven, ifMatchOrAny, runWrite } from './write.ts'

/** Who sends a write, and its query. */
type Caller = { actor: RequestContext['actor']; now: Date; words: Words; query: RawQuery }

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into bodies
type AnyAction = ActionEndpoint<any, any>

export async function handleAction(
  http: HttpContext,
  endpoint: AnyAction,
  { actor, now }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Open actions ignore the session cookie, so a forged request gains nothing.
  if (endpoint.access.kind !== 'open') checkCsrf(http, request, actor)
  const attempt = () => runAction(endpoint, makeCommandContext(http, { actor, now, request }), request, reply)
  return endpoint.limitFailures ? limitFailures(http, request, attempt) : attempt()
}

async function limitFailures<T>({ failures }: HttpContext, request: FastifyRequest, attempt: () => Promise<T>): Promise<T> {
  if (!failures) return attempt()
  const place = await failures.reserve(addressKey(request.ip))
  failures.check(place)
  try {
    const result = await attempt()
    place.settle({ failed: false })
    return result
  } catch (error) {
    place.settle({ failed: error instanceof Problem && error.status < 500 })
    throw error
  }
}

async function runAction(
  endpoint: AnyAction,
  commandContext: CommandContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = endpoint.body ? await readBody(request, endpoint.body) : undefined
  const path = readApiPath(request.params as Record<string, string>)
  const { status, body: content, headers = {} } = await endpoint.perform(commandContext, path, body)
  reply.code(status).headers(headers)
  return content === undefined ? reply.send() : sendBytes(reply, 'application/json', jsonBytes(content))
}

export async function handleWrite(
  http: HttpContext,
  endpoint: AnyWrite,
  { actor, now, words, query }: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  checkCsrf(http, request, actor)
  const isDryRun = readWriteQuery(query, words)
  const isPost = endpoint.method === 'POST'
  const keyText = isPost ? readIdempotencyKey(request.headers['idempotency-key']) : undefined
  const { text, value } = await readJson(request, words, endpoint.maxBytes)
  const { body: given, errors } = judgeWriteBody(value, endpoint.body, words.language)
  const path = readApiPath(request.params as Record<string, string>)
  const ifMatch = request.headers['if-match']
  const base = { actor, now, words, requestId: request.id }
  if (errors.length) {
    const attempt = (body: unknown) => {
      const operation = { endpoint, path, body, ifMatch: ifMatchOrAny(endpoint, ifMatch) }
      return runWrite(http, { ...base, operation, isDryRun: true, key: undefined })
    }
    throw await collectMistakes({ value, endpoint, errors }, words.language, attempt)
  }
  checkPreconditionGiven(endpoint, ifMatch)
  const body = endpoint.prepare ? await endpoint.prepare(makeRequestContext(http, actor, now, words), given) : given
  const key =
    keyText !== undefined && actor.kind === 'user'
      ? makeKey({ actor, key: keyText, method: request.method, url: requestUrl(request), body: text })
      : undefined
  const operation = { endpoint, path, body, ifMatch }
  const response = await runWrite(http, { ...base, operation, isDryRun, key })
  reply.code(response.status).headers(response.headers)
  return response.body === undefined ? reply.send() : sendBytes(reply, 'application/json', response.body)
}

const DRY_RUN: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
/** `format` was read with the header Accept. */
const WRITE_PARAMETERS = ['dry_run', 'format']

/** Whether it is a dry run. Refuses what it does not know: a misspelled `dry_run` would write. */
function readWriteQuery(query: RawQuery, words: Words): boolean {
  const given = valuesOf(query, 'dry_run')
  const text = given.length ? given[0]!.trim().toLowerCase() : 'false'
  const unknown = [...new Set(query.map(([name]) => name))].filter((name) => !WRITE_PARAMETERS.includes(name))
  const detail = words.t('problem.unknown_parameter', { known: WRITE_PARAMETERS.join(', ') })
  const errors = unknown.map((parameter): InputError => ({ parameter, code: 'unknown_parameter', detail }))
  if (given.length > 1 || !Object.hasOwn(DRY_RUN, text))
    errors.push({ parameter: 'dry_run', code: 'invalid_choice', detail: words.t('problem.dry_run_choice') })
  if (errors.length) throw new Problem('invalid_input', { errors })
  return DRY_RUN[text]!
}

/** Only sessions need it: browsers send cookies on their own, but not bearer tokens. */
function checkCsrf(http: HttpContext, request: FastifyRequest, actor: RequestContext['actor']): void {
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return
  const expected = csrfToken(http.site.keyring, request.cookies[http.cookies.device] ?? '', actor.via.sessionHash)
  const trusted = isSameOrigin(request.headers, requestOrigin(request, http.site.url))
  if (!trusted || !csrfTokenMatches(expected, request.headers['x-csrf-token'])) throw new Problem('csrf_failed')
}
