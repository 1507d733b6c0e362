import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestOrigin, requestUrl } from './http-context.ts'
import { Problem } from './problem.ts'

/** Handlers are registered for every method and answer 405 themselves, after the access check. */
export const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Methods of pages; the others are refused by one handler (`refuseOtherMethods`). */
export const PAGE_METHODS = ['GET', 'HEAD', 'POST']
export const METHODS_WITHOUT_PAGE = ALL_METHODS.filter((method) => !PAGE_METHODS.includes(method))

/**
 * The router ignores a slash at the end of a path, because a second route for each path would double the time of the start. Paths
 * that end with a slash are redirected to; those that do not end with one are not found with it.
 */
export async function checkTrailingSlash(
  siteUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { url } = request.routeOptions
  if (url === undefined || url.endsWith('*')) return undefined
  const hasSlash = request.raw.url!.split('?')[0]!.endsWith('/')
  if (hasSlash === url.endsWith('/')) return undefined
  if (hasSlash) throw new Problem('not_found')
  return redirectToSlash(siteUrl, request, reply)
}

export const moved = (location: string): Problem => new Problem('moved', { headers: { location }, members: { location } })

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Redirects to the same URL with a trailing slash, with the query unchanged. The path is relative, as clients of ephios know it. Clients
 * turn a 301 of a write into a GET, whose 200 looks as if it was written, so writes get a 308, and in the API a problem with the absolute
 * URL for clients that follow no redirect.
 */
export async function redirectToSlash(siteUrl: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // A slash would not help `/api/events/1.xml` (unknown format) or `/api/users/by_email/` (empty parameter).
  const params = request.params as Record<string, string>
  if (/\.\w+$/.test(params.id ?? params.user ?? '') || Object.values(params).includes('')) throw new Problem('not_found')
  const [path, query] = requestUrl(request).split(/\?(.*)/s)
  // `//host` would redirect to another host; browsers treat a backslash as a slash.
  const location = `${path!.replace(/^[/\\]+/, '/')}/${query === undefined ? '' : `?${query}`}`
  if (!WRITES.has(request.method)) return reply.code(301).header('location', location).send()
  if (location.startsWith('/api/')) throw moved(`${requestOrigin(request, siteUrl)}${location}`)
  return reply.code(308).header('location', location).send()
}
