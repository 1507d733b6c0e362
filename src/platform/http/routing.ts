import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestUrl } from './http-context.ts'
import { Problem } from './problem.ts'

/** Handlers are registered for every method and answer 405 themselves, after the access check. */
export const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Redirects to the same URL with a trailing slash, for every method and with the query unchanged. */
export async function redirectToSlash(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // A slash would not help `/api/events/1.xml` (unknown format) or `/api/users/by_email/` (empty parameter).
  const params = request.params as Record<string, string>
  if (/\.\w+$/.test(params.id ?? params.user ?? '') || Object.values(params).includes('')) throw new Problem('not_found')
  const [path, query] = requestUrl(request).split(/\?(.*)/s)
  // `//host` would redirect to another host; browsers treat a backslash as a slash.
  return reply
    .code(301)
    .header('location', `${path!.replace(/^[/\\]+/, '/')}/${query === undefined ? '' : `?${query}`}`)
    .send()
}
