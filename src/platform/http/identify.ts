import type { IncomingMessage } from 'node:http'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Authenticators } from '#platform/auth/authenticator.ts'
import type { Credentials } from './access.ts'

export type Identity = { actor: Actor; credentials: Credentials }

const LONGEST_TOKEN = 1_000

/** A token in the header decides alone, whatever cookie comes with it. */
export async function identify(
  raw: IncomingMessage,
  sessionId: string | undefined,
  authenticators: Authenticators,
  now: Date,
  options?: { extendsSession: boolean },
): Promise<Identity> {
  const bearer = bearerOf(raw)
  if (bearer !== undefined) {
    const actor = bearer && bearer.length <= LONGEST_TOKEN ? await authenticators.bearer(bearer, now) : undefined
    return actor ? { actor, credentials: 'valid' } : { actor: ANONYMOUS, credentials: 'invalid' }
  }
  const actor = sessionId ? await authenticators.session(sessionId, now, options) : undefined
  return actor ? { actor, credentials: 'valid' } : { actor: ANONYMOUS, credentials: 'none' }
}

/** Undefined: no bearer scheme at all; empty: a bearer header that names no single token. */
function bearerOf(raw: IncomingMessage): string | undefined {
  // The raw list: `headers` keeps the first of several, and a proxy before us may have believed the last.
  const headers = raw.rawHeaders.filter((_, at, all) => at % 2 === 1 && all[at - 1]!.toLowerCase() === 'authorization')
  const tokens = headers.map((header) => /^\s*bearer(?:\s+(.*))?$/i.exec(header)).filter((match) => match !== null)
  if (!tokens.length) return undefined
  if (headers.length > 1) return ''
  return /^\s*(\S+)\s*$/.exec(tokens[0]![1] ?? '')?.[1] ?? ''
}
