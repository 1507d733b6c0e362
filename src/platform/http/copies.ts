import type { Actor } from '#platform/auth/actor.ts'
import type { Keyring } from '#platform/auth/secrets.ts'

/** Read by the service worker. */
export const COPIES_HEADER = 'x-copies-of'
const NOBODY = 'none'

/**
 * Whose copies the browser may keep for times without a connection: a mark of the person and one of the session, or `none`. The script of
 * the browser deletes the copies when it changes. No secret: neither the person nor the session follows from it.
 */
export function copiesOf(keyring: Keyring, actor: Actor): string | undefined {
  if (actor.kind === 'anonymous') return NOBODY
  if (actor.kind !== 'user' || actor.via.kind !== 'session') return undefined
  const mark = (text: string) => keyring.fingerprint(`copies\n${text}`).toString('base64url').slice(0, 12)
  return `${mark(`person ${actor.userId}`)}.${mark(`session ${actor.via.sessionHash.toString('hex')}`)}`
}
