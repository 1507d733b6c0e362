import { requireStaff } from '#features/accounts/users/access.ts'
import { findGroupsWithRights } from '#features/accounts/users/queries/group-rights.ts'
import type { GroupRights } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findWithheldGroups } from '../queries.ts'
import { rightsState, type Withheld } from '../rules/groups.ts'
import { lockProvider } from './providers.ts'

/** `value` empty: the group is for everybody. `seen`: the rights that the person who confirms has been told. */
type Confirmation = { value: string; groupId: number; seen: string }
type ConfirmOutcome = { ok: true; group: string } | { ok: false; reason: 'unknown_group' | 'rights_changed' }

/**
 * From now on, people with this value in the claim get the group, or everybody who signs in by the provider. The rights of the group are
 * stored: a group that gets more of them is withheld until somebody confirms again. Undefined: no such provider.
 */
export async function confirmGroup(
  context: CommandContext,
  providerId: number,
  { value, groupId, seen }: Confirmation,
): Promise<ConfirmOutcome | undefined> {
  requireStaff(context.actor)
  return transact(context.db, async (tx): Promise<ConfirmOutcome | undefined> => {
    const provider = await lockProvider(tx, providerId)
    if (!provider) return undefined
    const group = (await findGroupsWithRights(tx)).find(({ id }) => id === groupId)
    if (!group || (!value && !provider.defaultGroupIds.includes(groupId))) return { ok: false, reason: 'unknown_group' }
    if (rightsState(group) !== seen) return { ok: false, reason: 'rights_changed' }
    const rights = JSON.stringify(storedRights(group))
    if (value)
      await tx
        .insertInto('identity_provider_group_value')
        .values({ identity_provider_id: providerId, value, group_id: groupId, rights, confirmed_at: context.now })
        .onConflict((conflict) =>
          conflict.columns(['identity_provider_id', 'value', 'group_id']).doUpdateSet({ rights, confirmed_at: context.now }),
        )
        .execute()
    else
      await tx
        .updateTable('identity_provider_group')
        .set({ rights })
        .where('identity_provider_id', '=', providerId)
        .where('group_id', '=', groupId)
        .execute()
    await forgetWithheld(tx, providerId, [groupId])
    await record(tx, context, {
      kind: value ? 'identity_provider.group_mapped' : 'identity_provider.group_confirmed',
      subject: { kind: 'identity_provider', id: providerId },
      changes: {
        ...(value ? { claim_value: value } : {}),
        group_id: groupId,
        permissions: [...group.permissions],
        publish_for: [...group.publishFor],
        decide_hours_for: [...group.decideHoursFor],
      },
    })
    return { ok: true, group: group.name }
  })
}

const storedRights = ({ permissions, publishFor, decideHoursFor }: GroupRights): GroupRights => ({
  permissions,
  publishFor,
  decideHoursFor,
})

/** People lose the group at their next sign-in. False: no such mapping. */
export async function removeMapping(context: CommandContext, providerId: number, mappingId: number): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const row = await tx
      .deleteFrom('identity_provider_group_value')
      .where('id', '=', mappingId)
      .where('identity_provider_id', '=', providerId)
      .returning(['value', 'group_id'])
      .executeTakeFirst()
    if (!row) return false
    await record(tx, context, {
      kind: 'identity_provider.group_unmapped',
      subject: { kind: 'identity_provider', id: providerId },
      changes: { claim_value: row.value, group_id: row.group_id },
    })
    return true
  })
}

/** From now on, a name alone keeps nobody in a group with rights. False: it was so already, or there is no such provider. */
export async function endNamedGroups(context: CommandContext, providerId: number): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const ended = await tx
      .updateTable('identity_provider')
      .set({ keeps_named_groups: false })
      .where('id', '=', providerId)
      .where('keeps_named_groups', '=', true)
      .returning('id')
      .executeTakeFirst()
    if (!ended) return false
    await record(tx, context, { kind: 'identity_provider.names_ended', subject: { kind: 'identity_provider', id: providerId } })
    return true
  })
}

/** Between two updates of the same row, so that most sign-ins write nothing here. */
const SEEN_INTERVAL_MS = 3600_000

type Decision = { joins: readonly number[]; withheld: readonly Withheld[] }

/**
 * Remembers which groups a sign-in has not given, for the page of the provider. Names of groups only, and each is logged once, so that
 * claims cannot fill the table or the log.
 */
export async function noteWithheldGroups(
  tx: Tx,
  context: CommandContext,
  providerId: number,
  { joins, withheld }: Decision,
): Promise<void> {
  const known = await findWithheldGroups(tx, providerId)
  const outdated = known.filter(({ groupId }) => joins.includes(groupId)).map(({ groupId }) => groupId)
  await forgetWithheld(tx, providerId, outdated)
  // In the order of ids, so that two sign-ins do not wait for each other.
  for (const { value = '', groupId } of withheld.toSorted((a, b) => a.groupId - b.groupId)) {
    const before = known.find((each) => each.groupId === groupId)
    if (before && context.now.getTime() - before.seenAt.getTime() < SEEN_INTERVAL_MS) continue
    const row = { value, seen_at: context.now }
    await tx
      .insertInto('identity_provider_withheld_group')
      .values({ identity_provider_id: providerId, group_id: groupId, ...row })
      .onConflict((conflict) => conflict.columns(['identity_provider_id', 'group_id']).doUpdateSet(row))
      .execute()
    if (before) continue
    await record(tx, context, {
      kind: 'identity_provider.group_withheld',
      subject: { kind: 'identity_provider', id: providerId },
      changes: { ...(value ? { claim_value: value } : {}), group_id: groupId },
    })
  }
}

async function forgetWithheld(tx: Tx, providerId: number, groupIds: readonly number[]): Promise<void> {
  if (!groupIds.length) return
  await tx
    .deleteFrom('identity_provider_withheld_group')
    .where('identity_provider_id', '=', providerId)
    .where('group_id', 'in', [...groupIds])
    .execute()
}
