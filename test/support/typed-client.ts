import type { Scope } from '#platform/auth/scopes.ts'
import { type ClientOptions, TurnoutClient } from '../../clients/typescript/src/client.ts'
import type { Person } from './people.ts'
import type { World } from './world.ts'

/** For worlds that clients call by fetch, which sends the address as the host. */
export const REACHABLE = { allowedHosts: '127.0.0.1' }

export const addressOf = (world: World): string => `http://127.0.0.1:${world.line.port}`

/** The published client with a token of this person; it does not wait between attempts. */
export async function clientOf(
  world: World,
  person: Person,
  scopes: Scope[],
  { retry, ...options }: Partial<ClientOptions> = {},
): Promise<TurnoutClient> {
  const token = await world.token(person, scopes)
  return new TurnoutClient({ url: addressOf(world), token, retry: { wait: async () => {}, ...retry }, ...options })
}

export type Fetch = typeof globalThis.fetch

/** Carries out each request and loses the answer to the first `count` of them. */
export function losingAnswers(count: number, fetch: Fetch = globalThis.fetch): Fetch {
  let lost = 0
  return async (input, init) => {
    const response = await fetch(input, init)
    if (lost >= count) return response
    lost++
    await response.text()
    throw new TypeError('fetch failed', { cause: new Error('socket hang up') })
  }
}
