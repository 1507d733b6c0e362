import type { Kysely } from 'kysely'
import { requirePerson } from '#features/access/sign-in/commands/sessions.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { hasRecentProof } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getLinkedAccount, getProvider, hasPassword, type Identity } from '../queries.ts'
import { readPendingLink } from './state-cookie.ts'

type NewLink = {
  provider: { id: number; label: string }
  person: Identity
  userId: number
  /** The provider has created the account, so nobody has to be warned. */
  isNewAccount: boolean
}

export async function linkIdentity(
  tx: Tx,
  context: CommandContext,
  { provider, person, userId, isNewAccount }: NewLink,
): Promise<void> {
  const { issuer, subject } = person
  await tx
    .insertInto('external_identity')
    .values({
      identity_provider_id: provider.id,
      issuer,
      subject,
      user_id: userId,
      linked_at: context.now,
      last_used_at: context.now,
    })
    .execute()
  await record(tx, context, {
    kind: 'user.identity_linked',
    subject: { kind: 'user', id: userId },
    changes: { identity_provider_id: provider.id, label: provider.label, ...(isNewAccount ? { is_new: true } : {}) },
  })
}

/** The provider at which the person signed in, to sign out there, too. */
export async function rememberExternalSession(
  tx: Tx,
  sessionHash: Buffer,
  { identityProviderId, idTokenSealed }: { identityProviderId: number; idTokenSealed: string },
): Promise<void> {
  await tx
    .insertInto('external_session')
    .values({ session_hash: sessionHash, identity_provider_id: identityProviderId, id_token_sealed: idTokenSealed })
    .execute()
}

export async function markLinkUsed(tx: Tx, { issuer, subject }: Identity, now: Date): Promise<void> {
  await tx
    .updateTable('external_identity')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** `other_person`: somebody else is signed in. `linked_elsewhere`: the identity belongs to another account. */
type LinkOutcome =
  | { ok: true; next: string }
  | { ok: false; reason: 'expired' | 'other_person' | 'linked_elsewhere' | 'not_recent' }

/** Links an identity with the account of the signed-in person, who has just shown who they are and has confirmed it. */
export async function confirmLink(
  context: CommandContext,
  cookie: string | undefined,
  isRecent = hasRecentProof,
): Promise<LinkOutcome> {
  const { actor } = context
  const pending = readPendingLink(context, cookie)
  if (!pending) return { ok: false, reason: 'expired' }
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || actor.userId !== pending.userId)
    return { ok: false, reason: 'other_person' }
  if (!isRecent(actor, context.now)) return { ok: false, reason: 'not_recent' }
  return transact(context.db, async (tx): Promise<LinkOutcome> => {
    const linked = await getLinkedAccount(tx, pending)
    if (linked && linked.userId !== actor.userId) return { ok: false, reason: 'linked_elsewhere' }
    const provider = await getProvider(tx, pending.providerId)
    if (!provider) return { ok: false, reason: 'expired' }
    if (!linked) await linkIdentity(tx, context, { provider, person: pending, userId: actor.userId, isNewAccount: false })
    return { ok: true, next: pending.next }
  })
}

/** People without a password keep their links: they could not sign in otherwise. */
export async function unlinkIdentity(context: CommandContext, identityId: number): Promise<'unlinked' | 'gone' | 'no_password'> {
  const userId = requirePerson(context)
  return transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    if (!(await hasPassword(tx, userId))) return 'no_password'
    const row = await tx
      .deleteFrom('external_identity')
      .where('id', '=', identityId)
      .where('user_id', '=', userId)
      .returning('identity_provider_id')
      .executeTakeFirst()
    if (!row) return 'gone'
    const { label } = (await getProvider(tx, row.identity_provider_id))!
    await record(tx, context, {
      kind: 'user.identity_unlinked',
      subject: { kind: 'user', id: userId },
      changes: { identity_provider_id: row.identity_provider_id, label },
    })
    return 'unlinked'
  })
}

/** For the deletion of a person. */
export async function deleteIdentitiesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('external_identity').where('user_id', '=', userId).execute()
}

/** Only saves space: a sealed state expires by itself. */
export async function deleteExpiredStates(db: Kysely<DB>, now: Date): Promise<void> {
  await db.deleteFrom('used_sign_in_state').where('expires_at', '<=', now).execute()
}
