import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { challengeEnd } from '../rules.ts'

type ChallengePurpose = 'add' | 'sign_in' | 'second_step' | 'confirm'
/** `binding`: the session, the begun sign-in or the browser that may answer. */
export type ChallengeUse = { purpose: ChallengePurpose; binding: string }
type Challenge = ChallengeUse & { kind: 'passkey'; challenge: string; userHandle?: string; until: number }
type OpenChallenge = { challenge: string; sealed: string }

type Context = Pick<CommandContext, 'now' | 'site'>
const CHALLENGE_BYTES = 32

/** The browser keeps the challenge, sealed, so that nothing is stored for people who do not answer. */
export function openChallenge({ now, site }: Context, use: ChallengeUse, userHandle?: string): OpenChallenge {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const until = challengeEnd(now).getTime()
  const value: Challenge = { kind: 'passkey', ...use, challenge, until, ...(userHandle ? { userHandle } : {}) }
  return { challenge, sealed: site.keyring.seal(JSON.stringify(value)) }
}

type ClaimedChallenge = { challenge: string; userHandle: string | undefined }

/** Of several answers to the same challenge only the first inserts the row, whether the answer is right or wrong. */
export async function claimChallenge(
  db: Kysely<DB>,
  context: Context,
  sealed: string,
  use: ChallengeUse,
): Promise<ClaimedChallenge | undefined> {
  const value = unseal(context, sealed)
  if (!value || value.until <= context.now.getTime() || value.purpose !== use.purpose || value.binding !== use.binding)
    return undefined
  const row = await db
    .insertInto('used_passkey_challenge')
    .values({ challenge_hash: hashSecret(value.challenge), expires_at: new Date(value.until) })
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .returning('challenge_hash')
    .executeTakeFirst()
  return row && { challenge: value.challenge, userHandle: value.userHandle }
}

function unseal({ site }: Context, sealed: string): Challenge | undefined {
  try {
    const value = JSON.parse(site.keyring.unseal(sealed)) as Challenge
    return value.kind === 'passkey' ? value : undefined
  } catch {
    // Sealed with another key or forged: counts as absent.
    return undefined
  }
}
