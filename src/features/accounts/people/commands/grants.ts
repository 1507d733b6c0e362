import { requirePermission } from '#features/accounts/users/access.ts'
import { lockAndRequirePerson } from '#features/accounts/users/commands/people.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { endOfDay, expiryAfter } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'

/**
 * The grant expires at the end of the day `until` in the time zone of the instance; null: never. `usual`: a new grant without a day counts
 * for the usual period of the qualification.
 */
type GrantInput = { userId: number; qualificationId: number; until: string | null; usual?: boolean }
export type GrantOutcome = { ok: true; title: string; expiresAt: Date | null } | { ok: false; reason: 'unknown' | 'external' }

type Extension = {
  userId: number
  qualificationId: number
  expiresAt: Date | null
  /** The request that was approved; the person is notified of the decision. */
  requestId?: number
  /** The event that grants the qualification to its participants. */
  eventId?: number
}

/**
 * Grants a qualification, or extends it to the later of both expiries, in the transaction of its caller, who has locked the person.
 * Checks no permission: the caller has decided.
 */
export async function extendQualification(
  tx: Tx,
  context: Pick<CommandContext, 'actor' | 'now' | 'requestId' | 'site'>,
  { userId, qualificationId, expiresAt: wanted, requestId, eventId }: Extension,
): Promise<'granted' | 'extended' | 'unchanged' | 'unknown' | 'external'> {
  const { title, held } = await readGrant(tx, userId, qualificationId)
  if (title === undefined) return 'unknown'
  if (held?.externally_managed) return 'external'
  const expiresAt = held && (held.expires_at === null || (wanted !== null && held.expires_at > wanted)) ? held.expires_at : wanted
  if (held && held.expires_at?.getTime() === expiresAt?.getTime()) return 'unchanged'
  await storeGrant(tx, context, { userId, qualificationId, before: held, expiresAt, requestId, eventId })
  return held ? 'extended' : 'granted'
}

/** Grants a qualification or changes when it expires. */
export async function grantQualification(context: CommandContext, input: GrantInput): Promise<GrantOutcome> {
  requirePermission(context.actor, 'change_user')
  const { userId, qualificationId, until, usual = false } = input
  const { timeZone } = context.site
  return transact(context.db, async (tx): Promise<GrantOutcome> => {
    await lockAndRequirePerson(tx, context, userId)
    const { title, validMonths, held } = await readGrant(tx, userId, qualificationId)
    if (title === undefined) return { ok: false, reason: 'unknown' }
    if (held?.externally_managed) return { ok: false, reason: 'external' }
    const period = usual && !held && validMonths ? expiryAfter(context.now, validMonths, timeZone) : null
    const expiresAt = until === null ? period : endOfDay(until, timeZone)
    if (held && held.expires_at?.getTime() === expiresAt?.getTime()) return { ok: true, title, expiresAt }
    await storeGrant(tx, context, { userId, qualificationId, before: held, expiresAt })
    return { ok: true, title, expiresAt }
  })
}

export async function withdrawQualification(
  context: CommandContext,
  { userId, qualificationId }: Omit<GrantInput, 'until' | 'usual'>,
): Promise<GrantOutcome> {
  requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx): Promise<GrantOutcome> => {
    await lockAndRequirePerson(tx, context, userId)
    const { title, held } = await readGrant(tx, userId, qualificationId)
    if (title === undefined || !held) return { ok: false, reason: 'unknown' }
    if (held.externally_managed) return { ok: false, reason: 'external' }
    await tx
      .deleteFrom('qualification_grant')
      .where('user_id', '=', userId)
      .where('qualification_id', '=', qualificationId)
      .execute()
    await accountHooks.of(context.site).onQualificationsChanged(tx, [userId], context.now)
    await record(tx, context, {
      kind: 'user.qualification_withdrawn',
      subject: { kind: 'user', id: userId },
      changes: { qualification_id: qualificationId, expires_at: [held.expires_at, null] },
    })
    return { ok: true, title, expiresAt: null }
  })
}

type StoredGrant = Omit<Extension, 'requestId' | 'eventId'> & {
  before: { expires_at: Date | null } | undefined
  requestId?: number | undefined
  eventId?: number | undefined
}

/** Writes the grant with its journal entry, and updates what depends on it. */
async function storeGrant(
  tx: Tx,
  context: Pick<CommandContext, 'actor' | 'now' | 'requestId' | 'site'>,
  { userId, qualificationId, before, expiresAt, requestId, eventId }: StoredGrant,
): Promise<void> {
  await tx
    .insertInto('qualification_grant')
    .values({ user_id: userId, qualification_id: qualificationId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'qualification_id']).doUpdateSet({ expires_at: expiresAt }))
    .execute()
  await accountHooks.of(context.site).onQualificationsChanged(tx, [userId], context.now)
  await record(tx, context, {
    kind: before ? 'user.qualification_changed' : 'user.qualification_granted',
    subject: { kind: 'user', id: userId },
    ...(eventId === undefined ? {} : { eventId }),
    changes: {
      qualification_id: qualificationId,
      expires_at: [before?.expires_at ?? null, expiresAt],
      ...(requestId === undefined ? {} : { request: requestId }),
      ...(eventId === undefined ? {} : { event_id: eventId }),
    },
  })
}

async function readGrant(tx: Tx, userId: number, qualificationId: number) {
  const qualification = await tx
    .selectFrom('qualification')
    .select(['title', 'valid_months'])
    .where('id', '=', qualificationId)
    .executeTakeFirst()
  const held = await tx
    .selectFrom('qualification_grant')
    .select(['expires_at', 'externally_managed'])
    .where('user_id', '=', userId)
    .where('qualification_id', '=', qualificationId)
    .executeTakeFirst()
  return { title: qualification?.title, validMonths: qualification?.valid_months, held }
}
