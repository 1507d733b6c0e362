import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { settlesWithin } from '#platform/page-work.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { bareLayoutView } from '#platform/ui/layout.ts'
import { cookieOptions } from './cookies.ts'
import { csrfTokenMatches } from './csrf.ts'
import { pageSecurityPolicy } from './headers.ts'
import { requestWords } from './http-context.ts'
import type { Page, PageRequest, PageResponse } from './page.ts'
import type { PageHttpContext } from './page-context.ts'
import type { PageQueue, Place, Turn } from './page-queue.ts'
import { sendResponse } from './page-response.ts'
import { clientRedirect, requestedPart } from './parts.ts'

/** The parameter with the key of a form that waits. */
const KEY = 'queued'
const NUMBER_SECONDS = 30 * 60
/** Whoever was let in reads, signs up and looks at the result without waiting again. */
const PASS_SECONDS = 5 * 60

/**
 * Before anything is read from the database: the answer to a form of this browser, or the queue page. Undefined: the page may be made.
 * Programs and scripts, which ask for parts of pages, do not see it: they wait, and open pages that ask whether they have changed hear that
 * they have not.
 */
export function answerByQueue(
  http: PageHttpContext,
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> | FastifyReply | undefined {
  const { queue } = http
  if (!queue || request.method !== 'GET' || page.kind === 'action' || (page.kind === 'view' && page.isForPrograms))
    return undefined
  const part = requestedPart(request)
  if (part === 'page' && request.headers['if-none-match'] && queue.isFull()) return reply.code(304).send()
  if (part) return undefined
  const key = new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? '').get(KEY)
  const form = key === null ? undefined : queue.findForm(key, request.cookies[http.cookies.device])
  if (form?.isSettled) return form.answer.then((answer) => sendResponse(http, form.pageRequest, request, reply, answer))
  if (form) {
    const place = queue.placeOfForm(form) ?? { number: form.turn.number, position: 0, retrySeconds: 2, waitSeconds: 0 }
    return sendQueuePage(http, request, reply, place, 'queue.sent')
  }
  if (isLetIn(http, request)) return undefined
  const number = readNumber(http, queue, request)
  const place = queue.placeOf(number)
  if (place) {
    if (place.number !== number) writeCookie(http, reply, cookieOf(queue), String(place.number), NUMBER_SECONDS)
    return sendQueuePage(http, request, reply, place, 'queue.position')
  }
  if (number !== undefined) {
    writeCookie(http, reply, PASS, String(http.clock.now().getTime() + PASS_SECONDS * 1000), PASS_SECONDS)
    reply.clearCookie(http.cookies.of(cookieOf(queue)), cookieOptions(http.site.url))
  }
  return undefined
}

type Submitted = { page: Page; pageRequest: PageRequest; answer: Promise<PageResponse>; turnOf: () => Turn | undefined }

/** Sends the answer to a form, or leads to the queue page if the form still waits for its turn after a while. */
export async function sendOrHold(
  http: PageHttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, pageRequest, answer, turnOf }: Submitted,
): Promise<FastifyReply> {
  const { queue } = http
  const canWait = queue && page.kind === 'form' && !page.uploads
  if (canWait && !(await settlesWithin(answer, queue.limits.patienceMs))) {
    const turn = turnOf()
    const isWaiting = turn && !turn.hasBegun
    const key = isWaiting ? queue.hold({ answer, turn, device: pageRequest.browser.device, pageRequest }) : undefined
    if (key !== undefined) {
      const target = `${pageRequest.url.split('?')[0]}?${KEY}=${key}`
      if (requestedPart(request)) return clientRedirect(reply, target)
      return reply.code(303).header('location', target).send()
    }
  }
  return sendResponse(http, pageRequest, request, reply, await answer)
}

const PASS = 'queue_pass'
const cookieOf = (queue: PageQueue): string => `queue_${queue.id}`

/** All nodes accept a pass, and each has numbers of its own. */
const sign = (http: PageHttpContext, purpose: string, value: string): string =>
  http.site.keyring.fingerprint(`${purpose}\n${value}`).toString('base64url').slice(0, 22)

function writeCookie(http: PageHttpContext, reply: FastifyReply, purpose: string, value: string, seconds: number): void {
  const content = `${value}.${sign(http, purpose, value)}`
  reply.setCookie(http.cookies.of(purpose), content, cookieOptions(http.site.url, seconds))
}

/** Undefined: there is none, or it was not written by this organisation. */
function readCookie(http: PageHttpContext, request: FastifyRequest, purpose: string): number | undefined {
  const [value = '', signature] = (request.cookies[http.cookies.of(purpose)] ?? '').split('.')
  return value && csrfTokenMatches(sign(http, purpose, value), signature) ? Number(value) : undefined
}

const readNumber = (http: PageHttpContext, queue: PageQueue, request: FastifyRequest): number | undefined =>
  readCookie(http, request, cookieOf(queue))

const isLetIn = (http: PageHttpContext, request: FastifyRequest): boolean =>
  (readCookie(http, request, PASS) ?? 0) > http.clock.now().getTime()

type QueueText = 'queue.position' | 'queue.sent'

/** Uses neither database nor session, as it is sent thousands of times while these are busy. */
function sendQueuePage(
  http: PageHttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { position, retrySeconds, waitSeconds }: Place,
  text: QueueText,
): FastifyReply {
  const words = requestWords(http, request)
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-security-policy': pageSecurityPolicy(nonce),
    'content-language': words.language,
    'cache-control': 'no-store',
    refresh: String(retrySeconds),
  })
  const minutes = Math.round(waitSeconds / 60)
  const values: Record<string, string> = {
    [POSITION]: words.number(position),
    [TIME]: minutes ? words.t('queue.minutes', { count: minutes }) : '',
    [HREF]: request.raw.url?.slice(1) ?? '',
  }
  const frame = frameOf(words, text).replaceAll(FRAME_NONCE, nonce)
  const markup = frame.replaceAll(ANY_MARK, (mark) => renderHtml(html`${values[mark]}`))
  return reply.type('text/html; charset=utf-8').send(markup)
}

/** Characters of private use stand for what differs from one person to the next. */
const [POSITION, TIME, HREF] = ['\ue000', '\ue001', '\ue002'] as const
const ANY_MARK = /[\ue000-\ue002]/g
const FRAME_NONCE = randomBytes(16).toString('base64')
const frames = new WeakMap<Words, Partial<Record<QueueText, string>>>()

/** The rest of the page is made once for each language. */
function frameOf(words: Words, text: QueueText): string {
  const known = frames.get(words) ?? {}
  frames.set(words, known)
  known[text] ??= renderHtml(queueView(words, text))
  return known[text]
}

function queueView(words: Words, text: QueueText): Html {
  const title = words.t('queue.title')
  const main = html`<section class="error-page"><h1>${title}</h1><p role="status"><b>${words.t(text, { position: POSITION })}</b> ${TIME}</p>
<p>${words.t('queue.help')}</p><p>${linkButtonView({ href: `/${HREF}`, label: words.t('queue.look') })}</p></section>`
  return bareLayoutView({ words, title, siteName: 'Turnout', nonce: FRAME_NONCE, assets: pageAssets(), main })
}
