import { storeNotificationChoices } from '#features/users/commands/notifications.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { getKind, KINDS, type Kind, type KindName } from '../kinds/registry.ts'
import { getMailChoices } from '../queries/mail-choices.ts'
import { canSwitchOff, makeMailChoices, wantsMail } from '../rules/mail-choices.ts'
import { formatToken, parseToken, textToSign } from '../rules/unsubscribe.ts'

export type Unsubscription = { userId: number; kind: KindName }

const sign = (keyring: Keyring, unsubscription: Unsubscription): string =>
  keyring.fingerprint(textToSign(unsubscription)).toString('base64url')

/** For the link in a mail. It works without a session and does nothing but switch off this kind. */
export const makeUnsubscribeToken = (keyring: Keyring, unsubscription: Unsubscription): string =>
  formatToken(unsubscription, sign(keyring, unsubscription))

/** Undefined for tokens that this instance did not sign, and for kinds that cannot be switched off. */
export function readUnsubscribeToken(keyring: Keyring, token: string): { userId: number; kind: Kind } | undefined {
  const parsed = parseToken(token)
  const kind = parsed && getKind(parsed.kind)
  if (!kind || !canSwitchOff(kind)) return undefined
  const { userId } = parsed
  return secretsMatch(parsed.signature, sign(keyring, { userId, kind: kind.name })) ? { userId, kind } : undefined
}

/** Stops mails of this kind. Repeating it changes nothing. */
export async function unsubscribe(context: CommandContext, { userId, kind }: { userId: number; kind: Kind }): Promise<void> {
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, userId, 'for update')
    if (!before || !wantsMail(kind, before)) return
    const wanted = KINDS.filter((each) => each.name !== kind.name && wantsMail(each, before))
    const names = new Set(wanted.map(({ name }) => name))
    await storeNotificationChoices(tx, context, userId, makeMailChoices(KINDS, names, before))
  })
}

/** The user gets exactly these kinds by mail. Unknown names are ignored. */
export async function chooseMails(context: CommandContext, names: readonly string[]): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user') return
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, actor.userId, 'for update')
    if (before) await storeNotificationChoices(tx, context, actor.userId, makeMailChoices(KINDS, new Set(names), before))
  })
}
