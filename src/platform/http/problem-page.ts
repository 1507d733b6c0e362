import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { errorView } from '#platform/ui/error.ts'
import { bareLayoutView } from '#platform/ui/layout.ts'
import { pageSecurityPolicy } from './headers.ts'
import { requestWords } from './http-context.ts'
import type { PageHttpContext } from './page-context.ts'
import { problemPart, requestedPart } from './parts.ts'
import { type Problem, problemDetail, problemTitle } from './problem.ts'

/** An error page. Uses neither database nor session, because these may be what failed. */
export function problemPage(
  http: PageHttpContext,
  request: FastifyRequest,
  problem: Problem,
): { body: string; headers: Record<string, string> } {
  const words: Words = requestWords(http, request)
  const nonce = randomBytes(16).toString('base64')
  const main = errorView({
    words,
    status: problem.status,
    title: problemTitle(problem, words),
    text: problemDetail(problem, words),
    requestId: request.id,
  })
  const markup = bareLayoutView({
    words,
    title: problemTitle(problem, words),
    siteName: 'Turnout',
    nonce,
    assets: pageAssets(),
    main,
  })
  const headers = {
    ...problem.headers,
    'content-security-policy': pageSecurityPolicy(nonce),
    'content-language': words.language,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
  }
  return { body: renderHtml(markup), headers }
}

export function renderProblem(
  http: PageHttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
): FastifyReply {
  const { body, headers } = requestedPart(request)
    ? problemPart(problem, requestWords(http, request))
    : problemPage(http, request, problem)
  return reply.code(problem.status).headers(headers).type('text/html; charset=utf-8').send(body)
}
