import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ANONYMOUS, lacksFactor } from '#platform/auth/actor.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import { authenticate, authenticateGuest, authenticateVisitor } from './authenticate.ts'
import { cookieOptions } from './cookies.ts'
import type { HttpContext } from './http-context.ts'
import type { Page } from './page.ts'
import type { PageHttpContext } from './page-context.ts'

const DEVICE_SECONDS = 400 * 24 * 3600

export type Caller = { actor: Actor; sessionHash: Buffer | undefined; device: string; now: Date }

/** Visitors and guests have pages of their own, on which a session of a user does not count. */
const IDENTIFY = { visitor: authenticateVisitor, guest: authenticateGuest, session: authenticateSession } as const
export const identityOf = ({ access: { kind } }: Page): keyof typeof IDENTIFY =>
  kind === 'visitor' || kind === 'guest' ? kind : 'session'

export async function identifyCaller(
  http: PageHttpContext,
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const now = http.clock.now()
  const { actor, sessionHash } = await IDENTIFY[identityOf(page)](http, request, reply, now)
  // Pages for everybody are not closed to people who lack a required second factor; they just do not know them.
  if (page.access.kind === 'open' && lacksFactor(actor, now))
    return { actor: ANONYMOUS, sessionHash: undefined, device: deviceOf(http, page, request, reply), now }
  return { actor, sessionHash, device: deviceOf(http, page, request, reply), now }
}

/** Pages accept sessions only: a bearer token is ignored. */
async function authenticateSession(http: PageHttpContext, request: FastifyRequest, reply: FastifyReply, now: Date) {
  const { actor } = await authenticate(http, request, reply, now, { includesLacking: true, includesViewing: true })
  return actor.kind === 'user' && actor.via.kind === 'session'
    ? { actor, sessionHash: actor.via.sessionHash }
    : { actor: ANONYMOUS, sessionHash: undefined }
}

function deviceOf({ cookies, site }: HttpContext, page: Page, request: FastifyRequest, reply: FastifyReply): string {
  const known = request.cookies[cookies.device]
  if (known && /^[A-Za-z0-9]{32}$/.test(known)) return known
  if (page.kind === 'view' && page.isForPrograms) return ''
  const device = randomSecret(32)
  reply.setCookie(cookies.device, device, cookieOptions(site.url, DEVICE_SECONDS))
  return device
}
