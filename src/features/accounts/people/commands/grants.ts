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
  const expiresAt = laterOf(held, wanted)
  if (held && held.expires_at?.getTime() === expiresAt?.getTime()) return 'unchanged'
  await storeGrant(tx, context, { userId, qualificationId, before: held, expiresAt, requestId, eventId })
  return held ? 'extended' : 'granted'
}

/** A grant is never shortened by another one. */
const laterOf = (held: { expires_at: Date | null } | undefined, wanted: Date | null): Date | null =>
  held && (held.expires_at === null || (wanted !== null && held.expires_at > wanted)) ? held.expires_at : wanted

type ManyGrants = Omit<Extension, 'userId' | 'requestId' | 'eventId'> & { userIds: readonly number[] }
type GrantedOne =
  | { userId: number; ok: true; before: { expiresAt: Date | null } | undefined; expiresAt: Date | null }
  | { userId: number; ok: false; reason: 'unknown' | 'external' | 'unchanged' }

/** Grants or extends a qualification for many people with one journal entry. The caller has locked them and checked the permission. */
export async function extendForMany(
  tx: Tx,
  context: CommandContext,
  { userIds, qualificationId, expiresAt: wanted }: ManyGrants,
): Promise<GrantedOne[]> {
  const outcomes: GrantedOne[] = []
  for (const userId of userIds) {
    const { title, held } = await readGrant(tx, userId, qualificationId)
    const expiresAt = laterOf(held, wanted)
    const isSame = held !== undefined && held.expires_at?.getTime() === expiresAt?.getTime()
    const reason =
      title === undefined ? 'unknown' : held?.externally_managed ? 'external' : isSame ? ('unchanged' as const) : undefined
    if (reason) outcomes.push({ userId, ok: false, reason })
    else {
      await writeGrant(tx, { userId, qualificationId, expiresAt })
      outcomes.push({ userId, ok: true, before: held && { expiresAt: held.expires_at }, expiresAt })
    }
  }
  const users = outcomes.filter(({ ok }) => ok).map(({ userId }) => userId)
  if (!users.length) return outcomes
  await accountHooks.of(context.site).onQualificationsChanged(tx, users, context.now)
  const changes = { qualification_id: qualificationId, expires_at: wanted, users }
  await record(tx, context, { kind: 'user.many_qualified', subject: { kind: 'user', id: null }, changes })
  return outcomes
}

type ManyFormer = {
  qualificationId: number
  people: readonly { userId: number; before: { expiresAt: Date | null } | undefined; expiresAt: Date | null }[]
}

/** Gives people the grant that they had before, except for those whose grant was changed since; returns whose was. */
export async function restoreForMany(
  tx: Tx,
  context: CommandContext,
  { qualificationId, people }: ManyFormer,
): Promise<Set<number>> {
  const restored = new Set<number>()
  for (const { userId, before, expiresAt } of people) {
    const { held } = await readGrant(tx, userId, qualificationId)
    if (!held || held.externally_managed || held.expires_at?.getTime() !== expiresAt?.getTime()) continue
    if (before) await writeGrant(tx, { userId, qualificationId, expiresAt: before.expiresAt })
    else await deleteGrant(tx, { userId, qualificationId })
    restored.add(userId)
  }
  const users = [...restored]
  if (!users.length) return restored
  await accountHooks.of(context.site).onQualificationsChanged(tx, users, context.now)
  const changes = { qualification_id: qualificationId, users }
  await record(tx, context, { kind: 'user.many_disqualified', subject: { kind: 'user', id: null }, changes })
  return restored
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
    await deleteGrant(tx, { userId, qualificationId })
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
  await writeGrant(tx, { userId, qualificationId, expiresAt })
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

async function writeGrant(tx: Tx, { userId, qualificationId, expiresAt }: Extension): Promise<void> {
  await tx
    .insertInto('qualification_grant')
    .values({ user_id: userId, qualification_id: qualificationId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'qualification_id']).doUpdateSet({ expires_at: expiresAt }))
    .execute()
}

async function deleteGrant(tx: Tx, { userId, qualificationId }: Omit<Extension, 'expiresAt'>): Promise<void> {
  await tx
    .deleteFrom('qualification_grant')
    .where('user_id', '=', userId)
    .where('qualification_id', '=', qualificationId)
    .execute()
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
