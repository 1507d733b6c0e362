import { sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import { checkGivenRights } from '#features/accounts/users/commands/given-rights.ts'
import { lockAdministration } from '#features/accounts/users/commands/locks.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { groupState, permissionsAfter } from '#features/accounts/users/rules.ts'
import type { GroupForm } from '#features/accounts/users/schema.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { BUNDLES, type Permission } from '#platform/auth/permissions.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { checkRecentSignIn } from '#platform/http/access.ts'
import { record } from '#platform/journal/journal.ts'
import type { JournalKinds, ListChange } from '#platform/journal/kinds.ts'
import { getGroup, hasOtherManagement } from '../queries/groups.ts'

export type GroupRefusal = 'name_taken' | 'bundles_unknown' | 'bundles_last' | 'targets_unknown' | 'changed_meanwhile'
type GroupOutcome = { ok: true; id: number; isChanged: boolean } | { ok: false; reasons: GroupRefusal[] }

export async function createGroup(context: CommandContext, form: GroupForm): Promise<GroupOutcome> {
  requirePermission(context.actor, 'add_group')
  checkRecentSignIn(context)
  if (!areBundles(form.bundles)) return { ok: false, reasons: ['bundles_unknown'] }
  return transact(context.db, async (tx): Promise<GroupOutcome> => {
    const row = await tx
      .insertInto('user_group')
      .values({ name: form.name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { ok: false, reasons: ['name_taken'] }
    const permissions = permissionsAfter(BUNDLES, [], form.bundles)
    const targets = targetsOf(form, permissions)
    if (!(await doGroupsExist(tx, [...targets.publish_for, ...targets.decide_hours_for]))) throw new UnknownTargetsError()
    await writePermissions(tx, row.id, [], permissions)
    await writeTargets(tx, row.id, targets)
    const changes = { name: form.name, bundles: form.bundles, ...targets }
    await record(tx, context, { kind: 'group.created', subject: { kind: 'group', id: row.id }, changes })
    return { ok: true, id: row.id, isChanged: true }
  }).catch(toRefusal)
}

/** Undefined: no such group. */
export async function changeGroup(
  context: CommandContext,
  id: number,
  form: GroupForm,
  lock = lockAdministration,
): Promise<GroupOutcome | undefined> {
  requirePermission(context.actor, 'change_group')
  checkRecentSignIn(context)
  return transact(context.db, async (tx): Promise<GroupOutcome | undefined> => {
    await lock(tx)
    const group = await getGroup(tx, id)
    if (!group) return undefined
    if (form.seen !== undefined && form.seen !== groupState(group)) return { ok: false, reasons: ['changed_meanwhile'] }
    const reasons: GroupRefusal[] = []
    if (!areBundles(form.bundles)) reasons.push('bundles_unknown')
    const isDemoted = group.bundles.includes('management') && !form.bundles.includes('management')
    if (isDemoted && !(await hasOtherManagement(tx, id))) reasons.push('bundles_last')
    if (form.name !== group.name && (await isTaken(tx, form.name, id))) reasons.push('name_taken')
    const permissions = permissionsAfter(BUNDLES, group.permissions, form.bundles)
    const targets = targetsOf(form, permissions)
    if (!(await doGroupsExist(tx, [...targets.publish_for, ...targets.decide_hours_for]))) reasons.push('targets_unknown')
    if (reasons.length) return { ok: false, reasons }
    const changes: JournalKinds['group.changed']['changes'] = {
      ...(form.name === group.name ? {} : { name: [group.name, form.name] }),
      ...difference('permissions', group.permissions, permissions),
      ...difference('publish_for', group.publishFor, targets.publish_for),
      ...difference('decide_hours_for', group.decideHoursFor, targets.decide_hours_for),
    }
    if (!Object.keys(changes).length) return { ok: true, id, isChanged: false }
    await tx.updateTable('user_group').set({ name: form.name }).where('id', '=', id).execute()
    await writePermissions(tx, id, group.permissions, permissions)
    await writeTargets(tx, id, targets)
    await record(tx, context, { kind: 'group.changed', subject: { kind: 'group', id }, changes })
    return { ok: true, id, isChanged: true }
  })
}

type GroupDeletion = { ok: true; name: string } | { ok: false; reason: 'bundles_last' }

/** Foreign keys delete the grants of the group, so its members no longer see its events. */
export async function deleteGroup(
  context: CommandContext,
  id: number,
  lock = lockAdministration,
): Promise<GroupDeletion | undefined> {
  requirePermission(context.actor, 'delete_group')
  checkRecentSignIn(context)
  return transact(context.db, async (tx): Promise<GroupDeletion | undefined> => {
    await lock(tx)
    const group = await getGroup(tx, id)
    if (!group) return undefined
    if (group.bundles.includes('management') && !(await hasOtherManagement(tx, id))) return { ok: false, reason: 'bundles_last' }
    await tx.deleteFrom('user_group').where('id', '=', id).execute()
    const changes = { name: group.name, members: group.members, permissions: group.permissions }
    await record(tx, context, { kind: 'group.deleted', subject: { kind: 'group', id }, changes })
    return { ok: true, name: group.name }
  })
}

type Membership = { groupId: number; userIds: readonly number[] }

/** Returns how many people were added; undefined: no such group. Skips members and unknown people. */
export async function addMembers(context: CommandContext, membership: Membership): Promise<number | undefined> {
  requirePermission(context.actor, 'change_group')
  return transact(context.db, async (tx) => {
    await checkGivenRights(tx, context, [membership.groupId])
    return (await addMembersIn(tx, context, membership))?.length
  })
}

export async function removeMembers(context: CommandContext, membership: Membership): Promise<number | undefined> {
  requirePermission(context.actor, 'change_group')
  return transact(context.db, async (tx) => (await removeMembersIn(tx, context, membership))?.length)
}

/** Returns who was added. The caller has checked that the actor may change the members of the group. */
export async function addMembersIn(
  tx: Tx,
  context: CommandContext,
  { groupId, userIds }: Membership,
): Promise<number[] | undefined> {
  if (!(await doGroupsExist(tx, [groupId]))) return undefined
  const { rows } = await sql<{ user_id: number }>`
    insert into user_group_member (group_id, user_id)
    select ${groupId}, u.id from user_profile u where u.id = any (${[...userIds]}::bigint[]) and u.deleted_at is null
      and not u.is_service_account order by u.id
    on conflict do nothing returning user_id`.execute(tx)
  const added = rows.map(({ user_id }) => user_id)
  await accountHooks.of(context.site).onMembershipsChanged(tx, { userIds: added, left: [], now: context.now })
  await recordMembers(tx, context, groupId, { added })
  return added
}

/** Returns who was removed. The caller has checked that the actor may change the members of the group. */
export async function removeMembersIn(
  tx: Tx,
  context: CommandContext,
  { groupId, userIds }: Membership,
): Promise<number[] | undefined> {
  if (!(await doGroupsExist(tx, [groupId]))) return undefined
  if (!userIds.length) return []
  const rows = await tx
    .deleteFrom('user_group_member')
    .where('group_id', '=', groupId)
    .where('user_id', 'in', userIds)
    .where(sql<boolean>`not exists (select from user_profile u where u.id = user_id and u.is_service_account)`)
    .returning('user_id')
    .execute()
  const removed = rows.map(({ user_id }) => user_id)
  await accountHooks.of(context.site).onMembershipsChanged(tx, { userIds: removed, left: [groupId], now: context.now })
  await recordMembers(tx, context, groupId, { removed })
  return removed
}

async function recordMembers(tx: Tx, context: CommandContext, id: number, members: ListChange<number>): Promise<void> {
  const [changed = []] = Object.values(members)
  if (changed.length)
    await record(tx, context, { kind: 'group.members_changed', subject: { kind: 'group', id }, changes: { members } })
}

const areBundles = (names: readonly string[]): boolean => names.every((name) => Object.hasOwn(BUNDLES, name))

type Targets = { publish_for: number[]; decide_hours_for: number[] }

/** Publishing needs the permission to add events, so targets are not stored without it. */
const targetsOf = (form: GroupForm, permissions: readonly string[]): Targets => ({
  publish_for: permissions.includes('add_event') ? form.publish_for.toSorted((a, b) => a - b) : [],
  decide_hours_for: form.decide_hours_for.toSorted((a, b) => a - b),
})

class UnknownTargetsError extends Error {}
/** Throwing rolls back the group that was already inserted. */
function toRefusal(error: unknown): GroupOutcome {
  if (error instanceof UnknownTargetsError) return { ok: false, reasons: ['targets_unknown'] }
  throw error
}

async function doGroupsExist(tx: Tx, ids: readonly number[]): Promise<boolean> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return true
  const { rows } = await sql`select id from user_group where id = any (${wanted}::bigint[]) for key share`.execute(tx)
  return rows.length === wanted.length
}

const isTaken = async (tx: Tx, name: string, id: number): Promise<boolean> =>
  (await tx.selectFrom('user_group').select('id').where('name', '=', name).where('id', '!=', id).executeTakeFirst()) !== undefined

function difference<T>(name: string, before: readonly T[], after: readonly T[]): Record<string, { added: T[]; removed: T[] }> {
  const added = after.filter((each) => !before.includes(each))
  const removed = before.filter((each) => !after.includes(each))
  return added.length || removed.length ? { [name]: { added, removed } } : {}
}

async function writePermissions(tx: Tx, id: number, before: readonly string[], after: readonly string[]): Promise<void> {
  const removed = before.filter((permission) => !after.includes(permission))
  const added = after.filter((permission) => !before.includes(permission))
  if (removed.length)
    await tx.deleteFrom('group_permission').where('group_id', '=', id).where('permission', 'in', removed).execute()
  if (added.length)
    await tx
      .insertInto('group_permission')
      .values(added.map((permission) => ({ group_id: id, permission: permission as Permission })))
      .execute()
}

async function writeTargets(tx: Tx, id: number, { publish_for, decide_hours_for }: Targets): Promise<void> {
  await tx.deleteFrom('group_grant').where('group_id', '=', id).execute()
  const rows = [
    ...publish_for.map((target) => ({ target_group_id: target, permission: 'publish_event_for_group' })),
    ...decide_hours_for.map((target) => ({ target_group_id: target, permission: 'decide_working_hours_for_group' })),
  ]
  if (rows.length)
    await tx
      .insertInto('group_grant')
      .values(rows.map((row) => ({ group_id: id, ...row })))
      .execute()
}
