import type { Scope } from '#platform/auth/scopes.ts'
import type { MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { ErrorCode } from './error-codes.ts'

/** One invalid input. In a batch, the code is that of the problem of a write. */
export type InputError = { parameter?: string; pointer?: string; code: ErrorCode | ProblemCode; detail: string }

const STATUS = {
  moved: 308,
  bad_request: 400,
  invalid_input: 400,
  not_authenticated: 401,
  invalid_token: 401,
  permission_denied: 403,
  insufficient_scope: 403,
  network_not_allowed: 403,
  origin_not_allowed: 403,
  csrf_failed: 403,
  recent_sign_in_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  refused: 409,
  conflict: 409,
  batch_failed: 409,
  precondition_failed: 412,
  gone: 410,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  idempotency_key_reused: 422,
  precondition_required: 428,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof STATUS
export const PROBLEM_CODES = Object.keys(STATUS) as ProblemCode[]

type ProblemOptions = {
  /** Replaces the general text of the code; already in the reader's language. */
  detail?: string
  errors?: InputError[]
  /** The scope that the token lacks. */
  requiredScope?: Scope
  headers?: Record<string, string>
  /** Additional members of the body. */
  members?: Record<string, unknown>
  cause?: unknown
}

/** A request that cannot be served. The API, pages and OAuth each render it in their own format. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string | undefined
  readonly errors: InputError[] | undefined
  readonly requiredScope: Scope | undefined
  readonly headers: Record<string, string>
  readonly members: Record<string, unknown>
  constructor(code: ProblemCode, { detail, errors, requiredScope, headers = {}, members = {}, cause }: ProblemOptions = {}) {
    super(code, { cause })
    this.code = code
    this.status = STATUS[code]
    this.detail = detail
    this.errors = errors
    this.requiredScope = requiredScope
    this.headers = headers
    this.members = members
  }
}

/** Answers 404 if a query found nothing, or if another request has deleted meanwhile what a command changes. */
export function requireFound<T>(found: T | undefined | null | false): T {
  if (found === undefined || found === null || found === false) throw new Problem('not_found')
  return found
}

export const statusOf = (code: ProblemCode): number => STATUS[code]

const titleKey = (code: ProblemCode): MessageKey => `problem.${code}.title`
const detailKey = (code: ProblemCode): MessageKey => `problem.${code}.detail`

export function problemTitle(problem: Problem, words: Words): string {
  return words.t(titleKey(problem.code) as 'problem.not_found.title')
}
export function problemDetail(problem: Problem, words: Words): string {
  if (problem.requiredScope) return words.t('problem.insufficient_scope.named', { scope: problem.requiredScope })
  return problem.detail ?? words.t(detailKey(problem.code) as 'problem.not_found.detail')
}

/** Explains each code in a section of its own. */
export const PROBLEM_PAGE = '/help/api/problems/'
export const problemLink = (code: ProblemCode, siteUrl: string): string =>
  `<${new URL(PROBLEM_PAGE, siteUrl).href}#${code.replaceAll('_', '-')}>; rel="help"`

/** Problem details of RFC 9457. */
export function problemBody(problem: Problem, words: Words, requestId: string): string {
  return JSON.stringify({
    type: `urn:turnout:problem:${problem.code}`,
    title: problemTitle(problem, words),
    status: problem.status,
    detail: problemDetail(problem, words),
    code: problem.code,
    request_id: requestId,
    ...(problem.requiredScope ? { required_scope: problem.requiredScope } : {}),
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.members,
  })
}
