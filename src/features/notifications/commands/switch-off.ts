import { storeNotificationChoices } from '#features/users/commands/notifications.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { getChoices } from '../queries/choices.ts'
import { ALL_KINDS, choicesFor, isKind, type Kind, wantsMail } from '../rules/kinds.ts'
import { readToken, type SwitchOff, signedText, tokenOf } from '../rules/unsubscribe.ts'

const sign = (keyring: Keyring, wish: SwitchOff): string => keyring.fingerprint(signedText(wish)).toString('base64url')

/** For a mail: without signing in, it does this one thing. */
export const switchOffToken = (keyring: Keyring, wish: SwitchOff): string => tokenOf(wish, sign(keyring, wish))

/** What a link asks for; undefined if it was not made here. */
export function readSwitchOff(keyring: Keyring, token: string): SwitchOff | undefined {
  const read = readToken(token)
  return read && secretsMatch(read.signature, sign(keyring, read.wish)) ? read.wish : undefined
}

/** One kind of mail less. Doing it again changes nothing. */
export async function switchOff(context: CommandContext, { userId, kind }: SwitchOff): Promise<void> {
  await transact(context.db, async (tx) => {
    const before = await getChoices(tx, userId, 'for update')
    if (!before || !wantsMail(kind, before)) return
    const wanted = new Set(ALL_KINDS.filter((each) => each !== kind && wantsMail(each, before)))
    await storeNotificationChoices(tx, context, userId, choicesFor(wanted, before))
  })
}

/** Exactly these kinds by mail, for oneself. */
export async function chooseMails(context: CommandContext, names: readonly string[]): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user') return
  const wanted = new Set<Kind>(names.filter(isKind))
  await transact(context.db, async (tx) => {
    const before = await getChoices(tx, actor.userId, 'for update')
    if (before) await storeNotificationChoices(tx, context, actor.userId, choicesFor(wanted, before))
  })
}
