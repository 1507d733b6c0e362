import { type Kysely, sql } from 'kysely'
import { queueAccountMail } from '#features/access/sign-in/commands/links.ts'
import { requireStaff } from '#features/accounts/users/access.ts'
import { anonymise } from '#features/accounts/users/commands/account-state.ts'
import { lockAdministration } from '#features/accounts/users/commands/locks.ts'
import { accountHooks, endCredentials } from '#features/accounts/users/points.ts'
import { getPerson, hasOtherAdministrator, type Person } from '#features/accounts/users/queries/person.ts'
import { type Editor, mayCloseAccount } from '#features/accounts/users/rules.ts'
import { mergeRemoved } from '#features/planning/removed-shifts/commands/people.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { moveKeysAbout } from '#platform/http/idempotency.ts'
import { record } from '#platform/journal/journal.ts'
import { isAddress } from '#platform/no-address.ts'
import type { MergePair } from '../queries/merge.ts'
import { mergeFields } from '../rules/merging.ts'
import { lockEventsOf, mergeParticipations, mergeQualifications, mergeTables, storeMergedFields } from './merge-steps.ts'

type MergeRefusal = 'same' | 'unknown' | 'self' | 'administrator' | 'last_administrator'
type MergeOutcome = { ok: true; name: string } | { ok: false; reason: MergeRefusal }
type MergeTools = { tables: readonly PersonalTable[]; lock?: typeof lockBoth }

/** By id, so that two merges of the same people in opposite directions wait for each other instead of ending in a deadlock. */
export async function lockBoth(tx: Tx, { remainingId, otherId }: MergePair): Promise<void> {
  await sql`select from user_profile where id in (${remainingId}, ${otherId}) order by id for update`.execute(tx)
}

/**
 * Everything of the other account becomes part of the remaining one, and the other account is left without a name. Credentials of the
 * other account end instead of moving: they were given for another account, with other permissions.
 */
export async function mergeAccounts(
  context: CommandContext,
  pair: MergePair,
  { tables, lock = lockBoth }: MergeTools,
): Promise<MergeOutcome> {
  const editor = requireStaff(context.actor)
  const { remainingId, otherId } = pair
  if (remainingId === otherId) return { ok: false, reason: 'same' }
  return transact(context.db, async (tx): Promise<MergeOutcome> => {
    await lockAdministration(tx)
    await lock(tx, pair)
    const remaining = await getPerson(tx, remainingId)
    const other = await getPerson(tx, otherId)
    if (!remaining || !other) return { ok: false, reason: 'unknown' }
    const refusal = await checkMerge(tx, editor, { remaining, other })
    if (refusal) return { ok: false, reason: refusal }
    await lockEventsOf(tx, pair)
    await accountHooks.of(context.site).endSessions(tx, otherId)
    await endCredentials(tx, context, otherId)
    const shiftIds = await mergeParticipations(tx, pair)
    await mergeRemoved(tx, context.site.added(shiftRows), pair)
    await mergeQualifications(tx, pair)
    await mergeTables(tx, tables, pair)
    await moveKeysAbout(tx, otherId, remainingId)
    await storeMergedFields(tx, remainingId, mergeFields(remaining, other))
    await anonymise(tx, context, otherId)
    await accountHooks.of(context.site).onMembershipsChanged(tx, { userIds: [remainingId], left: [], now: context.now })
    await accountHooks.of(context.site).onQualificationsChanged(tx, [remainingId], context.now)
    await refreshStatistics(tx, shiftIds)
    await record(tx, context, {
      kind: 'user.merged',
      subject: { kind: 'user', id: remainingId },
      changes: { merged_id: otherId },
      personal: { personId: remainingId, values: { former_name: other.name, former_email: other.email } },
    })
    await announceMerge(tx, context, { remaining, other, byId: editor.userId })
    return { ok: true, name: remaining.name }
  })
}

const addressesOf = ({ email, contactEmail }: Person): string[] =>
  [email, contactEmail].filter((address) => address !== null && isAddress(address)) as string[]

/**
 * To the address that stays, and to the one that is given up: the two accounts may be those of two people. Erasing the remaining account
 * deletes both from the queue.
 */
async function announceMerge(
  tx: Tx,
  { now, site }: CommandContext,
  { remaining, other, byId }: { remaining: Person; other: Person; byId: number },
): Promise<void> {
  if (site.isMailOff) return
  const mail = { kind: 'accounts_merged', userId: remaining.userId, byId, at: now.toISOString() } as const
  const kept = addressesOf(remaining)
  const [givenUp] = addressesOf(other)
  if (kept.length) await queueAccountMail(tx, mail)
  if (givenUp !== undefined && !kept.some((address) => address.toLowerCase() === givenUp.toLowerCase()))
    await queueAccountMail(tx, { ...mail, sealedEmail: site.keyring.seal(givenUp) })
}

export async function checkMerge(
  db: Kysely<DB>,
  editor: Editor,
  { remaining, other }: { remaining: Person; other: Person },
): Promise<MergeRefusal | undefined> {
  if (editor.userId === other.userId) return 'self'
  if (!mayCloseAccount(editor, other) || !mayCloseAccount(editor, remaining)) return 'administrator'
  if (other.isStaff && other.isActive && !(await hasOtherAdministrator(db, other.userId))) return 'last_administrator'
  return undefined
}
