import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { getKind, type Kind, type KindName } from '../kinds/registry.ts'
import { canSwitchOff } from '../rules/channels.ts'
import { formatToken, parseToken, textToSign } from '../rules/unsubscribe.ts'

type Unsubscription = { userId: number; kinds: readonly KindName[] }

const sign = (keyring: Keyring, unsubscription: Unsubscription): string =>
  keyring.fingerprint(textToSign(unsubscription)).toString('base64url')

/** For the link in a mail. It works without a session and does nothing but switch off these kinds. */
export const makeUnsubscribeToken = (keyring: Keyring, unsubscription: Unsubscription): string =>
  formatToken(unsubscription, sign(keyring, unsubscription))

/** Undefined for tokens that this instance did not sign, and for kinds that cannot be switched off. */
export function readUnsubscribeToken(keyring: Keyring, token: string): { userId: number; kinds: Kind[] } | undefined {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  const { userId, signature } = parsed
  const kinds = parsed.kinds.flatMap((name) => getKind(name) ?? [])
  if (kinds.length < parsed.kinds.length || !kinds.every(canSwitchOff)) return undefined
  return secretsMatch(signature, sign(keyring, { userId, kinds: kinds.map(({ name }) => name) })) ? { userId, kinds } : undefined
}
