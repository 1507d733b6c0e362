import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, renderHtml } from '#platform/html/html.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { bareLayoutView, layoutView, mainPartView } from '#platform/ui/layout.ts'
import { cookieOptions } from './cookies.ts'
import { COPIES_HEADER } from './copies.ts'
import { etagMatches } from './etag.ts'
import { readFlash, writeFlash } from './flash-cookie.ts'
import { locationOf, pageSecurityPolicy } from './headers.ts'
import type { HttpContext } from './http-context.ts'
import type { SentPage } from './kept-pages.ts'
import type { Download, PageBody, PageRequest, PageResponse, Redirect } from './page.ts'
import type { PageHttpContext } from './page-context.ts'
import { clientRedirect, liveEtag, partHeaders, redirectsAway, requestedPart } from './parts.ts'
import { Problem } from './problem.ts'

export async function sendResponse(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  response: PageResponse,
): Promise<FastifyReply> {
  if ('redirect' in response) return redirect(http, request, reply, response)
  if ('content' in response) return sendDownload(request, reply, response)
  return sendPage(request, reply, await makePage(http, pageRequest, request, reply, response))
}

/**
 * What the browser stored of the former person when somebody else signs in. Not `storage`: check-in marks that wait to be sent would be lost,
 * and the service worker, which deletes the copies of pages itself.
 */
const CLEARED_DATA = '"cache"'

export function redirect(
  { cookies, site }: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  response: Redirect,
): FastifyReply {
  const { redirect: target, flash, session, cookies: others = {} } = response
  if (flash) reply.setCookie(cookies.flash, writeFlash(site.keyring, flash), cookieOptions(site.url, 60))
  const changes = Object.entries(others).map(([purpose, change]) => [cookies.of(purpose), change] as const)
  for (const [name, change] of [[cookies.session, session] as const, ...changes]) {
    if (change === 'end') reply.clearCookie(name, cookieOptions(site.url))
    else if (change) reply.setCookie(name, change.start, cookieOptions(site.url, change.maxAgeSeconds))
  }
  if (session && session !== 'end' && session.replacesPerson) reply.header('clear-site-data', CLEARED_DATA)
  if (requestedPart(request) && redirectsAway(request, target)) return clientRedirect(reply, target)
  return reply.code(303).header('location', locationOf(target)).send()
}

function sendDownload(request: FastifyRequest, reply: FastifyReply, download: Download): FastifyReply {
  const { content, contentType, headers = {}, status = 200, etag } = download
  reply.headers(headers)
  if (etag !== undefined) reply.header('etag', etag)
  if (etag !== undefined && etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (content instanceof Readable && request.method === 'HEAD') {
    content.destroy()
    return reply.code(status).type(contentType).send()
  }
  return reply.code(status).type(contentType).send(content)
}

/** The answer to `request`: the whole page, or the part of it that a script asks for. */
export async function makePage(
  http: PageHttpContext,
  pageRequest: PageRequest,
  request: FastifyRequest,
  reply: FastifyReply,
  body: PageBody,
): Promise<SentPage> {
  const { cookies, site, version } = http
  const { words } = pageRequest.context
  const part = requestedPart(request)
  const live = body.live ? liveEtag(html`${body.main}`, pageRequest.csrfToken, `${words.language} ${version}`) : undefined
  if (part === 'page') return makeLivePart(body, live)
  const nonce = randomBytes(16).toString('base64')
  const { copiesOf: copies } = pageRequest.browser
  const remembered = readFlash(site.keyring, request.cookies[cookies.flash])
  if (remembered) reply.clearCookie(cookies.flash, cookieOptions(site.url))
  const { nav, person, bell, section, notices, ...layout } = await http.loadLayout(pageRequest.context, pageRequest.url)
  const document = {
    words,
    title: body.title,
    ...layout,
    nonce,
    copiesOf: copies,
    assets: pageAssets(),
    head: body.head,
    scripts: body.scripts,
    csrfToken: pageRequest.csrfToken,
    flash: body.flash ?? remembered,
    main: body.main,
    version,
  }
  const position = { notices, breadcrumb: body.breadcrumb, currentPath: pageRequest.url, wide: body.wide, live }
  const headers = {
    ...body.headers,
    ...(part
      ? partHeaders(request, part, pageRequest.url)
      : { 'content-security-policy': pageSecurityPolicy(nonce, body.formTargets) }),
    ...(copies && !part ? { [COPIES_HEADER]: copies } : {}),
    'content-language': words.language,
  }
  const view = () => {
    if (part) return mainPartView({ ...document, section, ...position })
    if (body.bare) return bareLayoutView(document)
    return layoutView({ ...document, nav, person, bell, section, ...position })
  }
  return { status: body.status ?? 200, headers, text: renderHtml(view()), nonce }
}

/** For the polling of a live page. Keeps the flash cookie for the next full page. */
function makeLivePart({ main }: PageBody, live: string | undefined): SentPage {
  if (live === undefined) throw new Problem('bad_request')
  const headers = { etag: live, 'cache-control': 'no-store' }
  return { status: 200, headers, text: renderHtml(html`${main}`), live }
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, { status, headers, text, live }: SentPage): FastifyReply {
  reply.headers(headers)
  if (live !== undefined && etagMatches(request.headers['if-none-match'], live)) return reply.code(304).send()
  reply.code(status).type('text/html; charset=utf-8')
  return request.method === 'HEAD' ? reply.header('content-length', Buffer.byteLength(text)).send() : reply.send(text)
}

/** A page that is sent again has another nonce, so that nobody who has seen one knows the next. */
export function withNewNonce(sent: SentPage): SentPage {
  const { nonce, headers, text } = sent
  if (nonce === undefined) return sent
  const fresh = randomBytes(16).toString('base64')
  const policy = headers['content-security-policy']
  return {
    ...sent,
    nonce: fresh,
    headers: policy === undefined ? headers : { ...headers, 'content-security-policy': policy.replaceAll(nonce, fresh) },
    text: text.replaceAll(nonce, fresh),
  }
}
