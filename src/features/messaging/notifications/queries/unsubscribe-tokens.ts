import type { KindName, NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Site } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { canSwitchOff } from '../rules/channels.ts'
import { formatToken, parseToken, textToSign } from '../rules/unsubscribe.ts'
import { getKind } from './kinds.ts'

type Unsubscription = { userId: number; kinds: readonly KindName[] }

const sign = (keyring: Keyring, unsubscription: Unsubscription): string =>
  keyring.fingerprint(textToSign(unsubscription)).toString('base64url')

/** For the link in a mail. It works without a session and does nothing but switch off these kinds. */
export const makeUnsubscribeToken = (keyring: Keyring, unsubscription: Unsubscription): string =>
  formatToken(unsubscription, sign(keyring, unsubscription))

/** Undefined for tokens that this instance did not sign, and for kinds that cannot be switched off. */
export function readUnsubscribeToken(
  site: Pick<Site, 'keyring' | 'added'>,
  token: string,
): { userId: number; kinds: NotificationKind[] } | undefined {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  const { userId, signature } = parsed
  const kinds = parsed.kinds.flatMap((name) => getKind(site, name) ?? [])
  if (kinds.length < parsed.kinds.length || !kinds.every(canSwitchOff)) return undefined
  return secretsMatch(signature, sign(site.keyring, { userId, kinds: kinds.map(({ name }) => name) }))
    ? { userId, kinds }
    : undefined
}
