import type { components } from './api.ts'

export type Problem = components['schemas']['Problem']
export type ProblemCode = Problem['code']
export type InputError = NonNullable<Problem['errors']>[number]

/** What an error tells about the request that failed. */
export type FailedRequest = {
  method: string
  /** Path and query. */
  url: string
  /** Of a POST: send it again with this key to repeat the same request. */
  idempotencyKey?: string | undefined
  /**
   * The answer to an earlier attempt was lost, and the server may have carried it out. Only for PATCH, PUT and DELETE: the server
   * recognises a repeated POST by its key.
   */
  isUncertain: boolean
}

type Answered = { status: number; headers: Headers; text: string; retryAfterMs: number | undefined }

/** The server refused the request (RFC 9457), or something in between answered with an error. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  /** Stable; `unknown` if the answer is not a problem of Turnout, for example the error page of a proxy. */
  readonly code: ProblemCode | 'unknown' | (string & {})
  readonly title: string
  readonly detail: string
  /** Every input that is not valid, or every reason of a refusal; empty for other problems. */
  readonly errors: readonly InputError[]
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined
  /** With `insufficient_scope`: the scope that the token lacks. */
  readonly requiredScope: Problem['required_scope']
  readonly retryAfterMs: number | undefined
  /** The whole answer, with members that only some problems have; undefined if it is not a problem of Turnout. */
  readonly body: (Problem & Record<string, unknown>) | undefined
  readonly request: FailedRequest

  constructor(request: FailedRequest, { status, headers, text, retryAfterMs }: Answered) {
    const body = parseProblem(text)
    const detail = body?.detail ?? describeForeign(status, headers)
    const reasons = (body?.errors ?? []).map((error) => `${error.pointer ?? error.parameter ?? error.code}: ${error.detail}`)
    super([`${request.method} ${request.url} → ${status} ${body?.code ?? 'unknown'}: ${detail}`, ...reasons].join('\n  '))
    this.status = status
    this.code = body?.code ?? 'unknown'
    this.title = body?.title ?? `HTTP ${status}`
    this.detail = detail
    this.errors = body?.errors ?? []
    this.requestId = body?.request_id ?? headers.get('x-request-id') ?? undefined
    this.requiredScope = body?.required_scope
    this.retryAfterMs = retryAfterMs
    this.body = body
    this.request = request
  }
}

/** No attempt got an answer: the network failed, or the time was up. `cause` is the last failure. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly request: FailedRequest

  constructor(request: FailedRequest, attempts: number, cause: unknown) {
    const times = attempts === 1 ? 'one attempt' : `${attempts} attempts`
    super(`${request.method} ${request.url} got no answer in ${times}: ${messageOf(cause)}`, { cause })
    this.request = request
  }
}

/** Node hides the reason of a failed fetch in its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

function parseProblem(text: string): (Problem & Record<string, unknown>) | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value?.code === 'string' && typeof value.detail === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function describeForeign(status: number, headers: Headers): string {
  const location = headers.get('location')
  if (location) return `The server redirects to ${location}. Use that address as the URL of the client.`
  const type = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  return status >= 200 && status < 300
    ? `The answer is not JSON (${type}); is this the address of a Turnout instance?`
    : `The answer is not a problem document (${type}).`
}
