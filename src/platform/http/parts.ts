import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { flashView } from '#platform/ui/flash.ts'
import { weakEtag } from './etag.ts'
import { type Problem, problemDetail, problemTitle } from './problem.ts'

/**
 * What the script of a page asks for instead of all of it: `main` after something was done, with what to say about it;
 * `page` when it looks whether anything has changed.
 */
export type Part = 'main' | 'page'

const TARGETS: Record<string, Part> = { 'main#main': 'main', 'div#page': 'page' }

export function requestedPart({ headers }: FastifyRequest): Part | undefined {
  return headers['hx-request'] === 'true' ? TARGETS[String(headers['hx-target'])] : undefined
}

/** An open page asks by itself whether anything is new. Nobody need sit before it, so it keeps no session alive. */
export const isPolling = ({ headers }: FastifyRequest): boolean => headers['x-poll'] === '1'

/** Path and query of the page that is open in the browser. */
function openPage({ headers }: FastifyRequest): string {
  const url = URL.parse(String(headers['hx-current-url']))
  return url ? url.pathname + url.search : ''
}

/** A redirect to where the reader is becomes the page anew, by way of the browser; one to elsewhere takes them along. */
export function redirectsAway(request: FastifyRequest, target: string): boolean {
  return target.split('#')[0] !== openPage(request)
}

/** Tells the script to leave the page; what it asked for is then nothing to be shown. */
export function clientRedirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.code(200).headers({ 'hx-redirect': target, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send('')
}

/** To sign in, and back to the open page. */
export const signInUrl = (request: FastifyRequest, signIn: string): string =>
  `${signIn}?next=${encodeURIComponent(openPage(request) || '/')}`

/**
 * Changes whenever the reader would see something else. Weak, and without the token against forged requests: that is
 * another one in every session, and nothing that anybody sees.
 */
export function liveEtag(main: Html, csrfToken: string, surroundings: string): string {
  return weakEtag(`${surroundings}\n${renderHtml(main).replaceAll(csrfToken, '')}`)
}

/** A part in place of the document. A form that came back stands at its own address. */
export function partHeaders(request: FastifyRequest, part: Part, url: string): Record<string, string> {
  const isForm = part === 'main' && redirectsAway(request, url)
  return {
    'cache-control': 'no-store',
    ...(isForm ? { 'hx-push-url': url, 'hx-reswap': 'innerMorph show:top' } : {}),
  }
}

/** What went wrong, as a message on the page that is open. */
export function problemPart(problem: Problem, words: Words): { body: string; headers: Record<string, string> } {
  const text = `${problemTitle(problem, words)} ${problemDetail(problem, words)}`.trim()
  return {
    body: renderHtml(html`${flashView({ words, flash: { kind: 'bad', text }, csrfToken: '' })}`),
    headers: { 'hx-retarget': '#flashes', 'hx-reswap': 'innerHTML' },
  }
}
