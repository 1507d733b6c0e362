import { storeNotificationChoices } from '#features/users/commands/notifications.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { getKind, KINDS, type Kind, type KindName } from '../kinds/registry.ts'
import { getMailChoices } from '../queries/mail-choices.ts'
import { canSwitchOff, makeChoices, wants } from '../rules/channels.ts'
import { formatToken, parseToken, textToSign } from '../rules/unsubscribe.ts'
import type { NotificationSettings } from '../schema.ts'

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

/** Stops mails of these kinds. Repeating it changes nothing. */
export async function unsubscribe(
  context: CommandContext,
  { userId, kinds }: { userId: number; kinds: readonly Kind[] },
): Promise<void> {
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, userId, 'for update')
    if (!before || !kinds.some((kind) => wants('mail', kind, before))) return
    const wanted = KINDS.filter((each) => wants('mail', each, before) && !kinds.some(({ name }) => name === each.name))
    const names = new Set(wanted.map(({ name }) => name))
    await storeNotificationChoices(tx, context, userId, makeChoices('mail', KINDS, names, before))
  })
}

/** The user gets exactly these kinds by mail and, if the form offered them, by push. Unknown names are ignored. */
export async function chooseChannels(
  context: CommandContext,
  { kinds, push_kinds, with_push, reminder_hours }: NotificationSettings,
): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user') return
  await transact(context.db, async (tx) => {
    const before = await getMailChoices(tx, actor.userId, 'for update')
    if (!before) return
    const mail = makeChoices('mail', KINDS, new Set(kinds), before)
    const choices = with_push ? makeChoices('push', KINDS, new Set(push_kinds), mail) : mail
    await storeNotificationChoices(tx, context, actor.userId, { ...choices, reminderHours: reminder_hours })
  })
}
