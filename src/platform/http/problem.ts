import type { MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'

/** One invalid input. */
export type InputError = { parameter?: string; pointer?: string; code: string; detail: string }

const STATUS = {
  bad_request: 400,
  invalid_input: 400,
  not_authenticated: 401,
  invalid_token: 401,
  permission_denied: 403,
  insufficient_scope: 403,
  csrf_failed: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  refused: 409,
  conflict: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  misdirected_request: 421,
  too_many_requests: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof STATUS
export const PROBLEM_CODES = Object.keys(STATUS) as ProblemCode[]

type ProblemOptions = {
  /** Replaces the general text of the code; already in the reader's language. */
  detail?: string
  errors?: InputError[]
  headers?: Record<string, string>
  cause?: unknown
}

/** A request that cannot be served. The API, pages and OAuth each render it in their own format. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly detail: string | undefined
  readonly errors: InputError[] | undefined
  readonly headers: Record<string, string>
  constructor(code: ProblemCode, { detail, errors, headers = {}, cause }: ProblemOptions = {}) {
    super(code, { cause })
    this.code = code
    this.status = STATUS[code]
    this.detail = detail
    this.errors = errors
    this.headers = headers
  }
}

export const statusOf = (code: ProblemCode): number => STATUS[code]

const titleKey = (code: ProblemCode): MessageKey => `problem.${code}.title`
const detailKey = (code: ProblemCode): MessageKey => `problem.${code}.detail`

export function problemTitle(problem: Problem, words: Words): string {
  return words.t(titleKey(problem.code) as 'problem.not_found.title')
}
export function problemDetail(problem: Problem, words: Words): string {
  return problem.detail ?? words.t(detailKey(problem.code) as 'problem.not_found.detail')
}

/** Problem details of RFC 9457. */
export function problemBody(problem: Problem, words: Words, requestId: string): string {
  return JSON.stringify({
    type: `urn:turnout:problem:${problem.code}`,
    title: problemTitle(problem, words),
    status: problem.status,
    detail: problemDetail(problem, words),
    code: problem.code,
    request_id: requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
  })
}
