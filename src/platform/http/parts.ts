import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { flashView } from '#platform/ui/flash.ts'
import { weakEtag } from './etag.ts'
import { type Problem, problemDetail, problemTitle } from './problem.ts'

/**
 * The part of a page that htmx requests instead of the whole document: `main` after an action, with the flash message; `page` when
 * a live page polls for changes.
 */
export type Part = 'main' | 'page'

const TARGETS: Record<string, Part> = { 'main#main': 'main', 'div#page': 'page' }

export function requestedPart({ headers }: FastifyRequest): Part | undefined {
  return headers['hx-request'] === 'true' ? TARGETS[String(headers['hx-target'])] : undefined
}

/** Sent by scripts that poll. Polling must not extend the session: the browser may be unattended. */
export const isPolling = ({ headers }: FastifyRequest): boolean => headers['x-poll'] === '1'

/** Path and query of the page that the browser shows. */
function openPage({ headers }: FastifyRequest): string {
  const url = URL.parse(String(headers['hx-current-url']))
  return url ? url.pathname + url.search : ''
}

/** htmx follows a redirect to the open page itself and morphs the result; for any other page it must navigate. */
export function redirectsAway(request: FastifyRequest, target: string): boolean {
  return target.split('#')[0] !== openPage(request)
}

/** Makes htmx navigate to another page instead of showing the response. */
export function clientRedirect(reply: FastifyReply, target: string): FastifyReply {
  return reply.code(200).headers({ 'hx-redirect': target, 'cache-control': 'no-store' }).type('text/html; charset=utf-8').send('')
}

/** The sign-in page, with the open page as the target after signing in. */
export const signInUrl = (request: FastifyRequest, signIn: string): string =>
  `${signIn}?next=${encodeURIComponent(openPage(request) || '/')}`

/** Changes when the visible content changes. The CSRF token is left out: it differs between sessions and is not visible. */
export function liveEtag(main: Html, csrfToken: string, variant: string): string {
  return weakEtag(`${variant}\n${renderHtml(main).replaceAll(csrfToken, '')}`)
}

/** A refused form replaces the open page, so the address bar must show the form's own URL. */
export function partHeaders(request: FastifyRequest, part: Part, url: string): Record<string, string> {
  const isForm = part === 'main' && redirectsAway(request, url)
  return {
    'cache-control': 'no-store',
    ...(isForm ? { 'hx-push-url': url, 'hx-reswap': 'innerMorph show:top' } : {}),
  }
}

/** An error as a flash message on the open page. */
export function problemPart(problem: Problem, words: Words): { body: string; headers: Record<string, string> } {
  const text = `${problemTitle(problem, words)} ${problemDetail(problem, words)}`.trim()
  return {
    body: renderHtml(html`${flashView({ words, flash: { kind: 'bad', text }, csrfToken: '' })}`),
    headers: { 'hx-retarget': '#flashes', 'hx-reswap': 'innerHTML' },
  }
}
