import { sql } from 'kysely'
import { addServiceKey, type NewKey } from '#features/access/tokens/commands/keys.ts'
import { requireStaff } from '#features/accounts/users/access.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import {
  addServiceProfile,
  changeServiceProfile,
  closeServiceProfile,
  setServiceProfileActive,
} from '#features/accounts/users/commands/service-account-profiles.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { type Editor, membershipsAfter } from '#features/accounts/users/rules.ts'
import { type Actor, userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { getServiceAccount, type ServiceAccount } from '../queries.ts'
import { checkServiceAccount, getExpiry, normalNetworks, type Refusal, type ServiceAccountInput } from '../rules.ts'

/** Who decides about service accounts: an administrator with a session, or the operator on the command line. */
type Grantor = Editor | 'operator'
/** Throws if the actor may not manage service accounts. A parameter of the commands, for the command line and for tests. */
export type Authorize = (actor: Actor) => Grantor
export const asAdministrator: Authorize = requireStaff
export const asOperator: Authorize = () => 'operator'

type Refused = { ok: false; refusals: Refusal[] }
export type Created = ({ ok: true; accountId: number } & NewKey) | Refused

/** Groups that the grantor may give; undefined: one of them is not among these. */
const membershipsBy = (grantor: Grantor, present: readonly number[], wanted: readonly number[]): number[] | undefined =>
  grantor === 'operator' ? [...new Set(wanted)].sort((a, b) => a - b) : membershipsAfter(grantor, present, wanted)

export async function createServiceAccount(
  context: CommandContext,
  input: ServiceAccountInput,
  authorize: Authorize = asAdministrator,
): Promise<Created> {
  const { now, site } = context
  const grantor = authorize(context.actor)
  const groupIds = membershipsBy(grantor, [], input.groupIds)
  const refusals: Refusal[] = checkServiceAccount(input, { now, timeZone: site.timeZone })
  if (!groupIds) refusals.push({ field: 'groups', reason: 'groups_locked' })
  if (refusals.length || !groupIds) return { ok: false, refusals }
  return transact(context.db, async (tx): Promise<Created> => {
    if (!(await doGroupsExist(tx, groupIds))) return refuse('groups', 'groups_unknown')
    const language = site.defaultLanguage ?? 'en'
    const accountId = await addServiceProfile(tx, { name: input.name, language, groupIds, now })
    if (accountId === undefined) return refuse('name', 'name_taken')
    const createdById = userIdOrNull(context.actor)
    await tx
      .insertInto('service_account')
      .values({ user_id: accountId, ...columnsOf(context, input), created_by_id: createdById, created_at: now })
      .execute()
    const key = await addServiceKey(tx, accountId, now)
    const { expires_at, ...columns } = columnsOf(context, input)
    await record(tx, context, {
      kind: 'service_account.created',
      subject: { kind: 'service_account', id: accountId },
      changes: { ...columns, groups: groupIds, expires_at, key: key.hint },
    })
    return { ok: true, accountId, ...key }
  })
}

/** Applies to all keys of the account at once. Undefined: no such account. */
export async function changeServiceAccount(
  context: CommandContext,
  id: number,
  input: ServiceAccountInput,
  authorize: Authorize = asAdministrator,
): Promise<{ ok: true; isChanged: boolean } | Refused | undefined> {
  const { now, site } = context
  const grantor = authorize(context.actor)
  return transact(context.db, async (tx): Promise<{ ok: true; isChanged: boolean } | Refused | undefined> => {
    const account = await lockAccount(tx, id, now)
    if (!account) return undefined
    const groupIds = membershipsBy(grantor, account.groupIds, input.groupIds)
    const refusals: Refusal[] = checkServiceAccount(input, { now, timeZone: site.timeZone }, account.expiresAt)
    if (!groupIds) refusals.push({ field: 'groups', reason: 'groups_locked' })
    if (refusals.length || !groupIds) return { ok: false, refusals }
    if (!(await doGroupsExist(tx, groupIds))) return refuse('groups', 'groups_unknown')
    const columns = columnsOf(context, input)
    const changes = differences(account, { ...input, ...columns, groupIds })
    if (!Object.keys(changes).length) return { ok: true, isChanged: false }
    if (!(await changeServiceProfile(tx, id, { name: input.name, before: account.groupIds, groupIds })))
      return refuse('name', 'name_taken')
    const warned = 'expires_at' in changes ? { expiry_warned_at: null } : {}
    await tx
      .updateTable('service_account')
      .set({ ...columns, ...warned })
      .where('user_id', '=', id)
      .execute()
    await record(tx, context, { kind: 'service_account.changed', subject: { kind: 'service_account', id }, changes })
    return { ok: true, isChanged: true }
  })
}

/** Disabled: its keys are refused and work again when it is enabled. False: no such account. */
export async function setServiceAccountActive(
  context: CommandContext,
  id: number,
  isActive: boolean,
  authorize: Authorize = asAdministrator,
): Promise<boolean> {
  authorize(context.actor)
  return transact(context.db, async (tx) => {
    const account = await lockAccount(tx, id, context.now)
    if (!account) return false
    if (account.isActive === isActive) return true
    await setServiceProfileActive(tx, id, isActive)
    const kind = isActive ? 'service_account.enabled' : 'service_account.disabled'
    await record(tx, context, { kind, subject: { kind: 'service_account', id } })
    return true
  })
}

/** Its name stays in the log. Undefined: no such account. */
export async function deleteServiceAccount(
  context: CommandContext,
  id: number,
  authorize: Authorize = asAdministrator,
): Promise<{ name: string } | undefined> {
  authorize(context.actor)
  return transact(context.db, async (tx) => {
    const account = await lockAccount(tx, id, context.now)
    if (!account) return undefined
    await accountHooks.of(context.site).deletePersonalData(tx, context, id)
    await tx.deleteFrom('service_account').where('user_id', '=', id).execute()
    await closeServiceProfile(tx, id, context.now)
    const changes = { name: account.name }
    await record(tx, context, { kind: 'service_account.deleted', subject: { kind: 'service_account', id }, changes })
    return { name: account.name }
  })
}

/** Locks the profile first, as commands about people do. */
export async function lockAccount(tx: Tx, id: number, now: Date): Promise<ServiceAccount | undefined> {
  await lockPerson(tx, id)
  return getServiceAccount(tx, id, now)
}

const columnsOf = ({ site }: CommandContext, { scopes, networks, origins, lastDay }: ServiceAccountInput) => ({
  scopes: [...new Set(scopes)],
  allowed_networks: normalNetworks(networks),
  allowed_origins: [...new Set(origins)],
  expires_at: getExpiry(lastDay, site.timeZone),
})

type Wanted = ReturnType<typeof columnsOf> & { name: string; groupIds: readonly number[] }

function differences(before: ServiceAccount, after: Wanted): Record<string, unknown> {
  const lists = {
    groups: listDifference<number>(before.groupIds, after.groupIds),
    scopes: listDifference(before.scopes, after.scopes),
    allowed_networks: listDifference(before.networks, after.allowed_networks),
    allowed_origins: listDifference(before.origins, after.allowed_origins),
  }
  const isProlonged = before.expiresAt?.getTime() !== after.expires_at?.getTime()
  return {
    ...(before.name === after.name ? {} : { name: [before.name, after.name] }),
    ...Object.fromEntries(Object.entries(lists).filter(([, { added, removed }]) => added.length || removed.length)),
    ...(isProlonged ? { expires_at: [before.expiresAt, after.expires_at] } : {}),
  }
}

const listDifference = <T>(before: readonly T[], after: readonly T[]) => ({
  added: after.filter((each) => !before.includes(each)),
  removed: before.filter((each) => !after.includes(each)),
})

const refuse = (...[field, reason]: ['name', 'name_taken'] | ['groups', 'groups_unknown']): Refused => ({
  ok: false,
  refusals: [{ field, reason } as Refusal],
})

async function doGroupsExist(tx: Tx, ids: readonly number[]): Promise<boolean> {
  if (!ids.length) return true
  const { rows } = await sql`select id from user_group where id = any (${ids}::bigint[]) for key share`.execute(tx)
  return rows.length === ids.length
}
