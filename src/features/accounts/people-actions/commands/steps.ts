import { sql } from 'kysely'
import { extendForMany, restoreForMany } from '#features/accounts/people/commands/grants.ts'
import { addMembersIn, removeMembersIn } from '#features/accounts/people/commands/groups.ts'
import { mayManageHidden, requirePermission } from '#features/accounts/users/access.ts'
import { deactivateIn, reactivateIn } from '#features/accounts/users/commands/account-state.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { getPerson, type Person } from '#features/accounts/users/queries/person.ts'
import { canSignIn, endOfDay, expiryAfter, isUnreachable, mayChangeMembership } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { PeopleAction } from '../queries.ts'
import { type ActionKind, findReasonNotToInvite, type SkipReason } from '../rules.ts'

export type ActionOutcome = {
  userId: number
  outcome: 'done' | 'skipped' | 'undone' | 'kept'
  reason: SkipReason | null
  /** Of a qualification, to undo it. */
  wasHeld?: boolean
  before?: Date | null
  after?: Date | null
}

type Running = { action: PeopleAction; onProgress: (done: number) => void }
type Step = (tx: Tx, context: CommandContext, run: Running & { people: readonly Person[] }) => Promise<ActionOutcome[]>

const done = (userId: number): ActionOutcome => ({ userId, outcome: 'done', reason: null })
const skipped = (userId: number, reason: SkipReason): ActionOutcome => ({ userId, outcome: 'skipped', reason })
const undone = (userId: number): ActionOutcome => ({ userId, outcome: 'undone', reason: null })
const kept = (userId: number, reason: SkipReason = 'changed'): ActionOutcome => ({ userId, outcome: 'kept', reason })

const isDone = ({ outcome }: ActionOutcome): boolean => outcome === 'done' || outcome === 'undone'
const changedIn = (outcomes: readonly ActionOutcome[]): number[] => outcomes.filter(isDone).map(({ userId }) => userId)

const invite: Step = async (tx, context, { people }) => {
  const outcomes = people.map((person) => {
    const reason = findReasonNotToInvite({
      ...person,
      canSignIn: canSignIn(person),
      isUnreachable: isUnreachable(person),
    })
    return reason ? skipped(person.userId, reason) : done(person.userId)
  })
  await accountHooks.of(context.site).sendWelcomeMails(tx, context, changedIn(outcomes))
  return outcomes
}

/** Applies the rule for one person: those who change groups may, and members for their own groups. */
function requireMembershipRight({ actor }: CommandContext, { groupId }: PeopleAction): number {
  const editor = requirePermission(actor, 'change_user')
  if (groupId === null) throw new Problem('not_found')
  if (!mayChangeMembership(editor, groupId)) throw new Problem('permission_denied')
  return groupId
}

const moveMembers =
  (move: typeof addMembersIn, missed: SkipReason): Step =>
  async (tx, context, { action, people }) => {
    const groupId = requireMembershipRight(context, action)
    const moved = new Set(await move(tx, context, { groupId, userIds: people.map(({ userId }) => userId) }))
    return people.map(({ userId }) => (moved.has(userId) ? done(userId) : skipped(userId, missed)))
  }

const grant: Step = async (tx, context, { action, people }) => {
  const { qualificationId, until } = action
  const { timeZone } = context.site
  const qualification =
    qualificationId !== null &&
    (await tx.selectFrom('qualification').select('valid_months').where('id', '=', qualificationId).executeTakeFirst())
  if (qualificationId === null || !qualification) return people.map(({ userId }) => skipped(userId, 'gone'))
  const usual = qualification.valid_months ? expiryAfter(context.now, qualification.valid_months, timeZone) : null
  const expiresAt = until === null ? usual : endOfDay(until, timeZone)
  const userIds = people.map(({ userId }) => userId)
  const granted = await extendForMany(tx, context, { userIds, qualificationId, expiresAt })
  return granted.map((each) =>
    each.ok
      ? {
          ...done(each.userId),
          wasHeld: each.before !== undefined,
          before: each.before?.expiresAt ?? null,
          after: each.expiresAt,
        }
      : skipped(each.userId, each.reason === 'unchanged' ? 'held' : each.reason === 'external' ? 'external' : 'gone'),
  )
}

const deactivate: Step = async (tx, context, { people, onProgress }) => {
  const outcomes: ActionOutcome[] = []
  for (const { userId } of people) {
    const change = await deactivateIn(tx, context, userId)
    if (!change.ok) outcomes.push(skipped(userId, change.reason))
    else outcomes.push(change.isChanged ? done(userId) : skipped(userId, 'inactive'))
    onProgress(outcomes.length)
  }
  const users = changedIn(outcomes)
  if (users.length)
    await record(tx, context, { kind: 'user.many_deactivated', subject: { kind: 'user', id: null }, changes: { users } })
  return outcomes
}

const unmoveMembers =
  (move: typeof addMembersIn): Step =>
  async (tx, context, { action, people }) => {
    const groupId = requireMembershipRight(context, action)
    const moved = new Set(await move(tx, context, { groupId, userIds: people.map(({ userId }) => userId) }))
    return people.map(({ userId }) => (moved.has(userId) ? undone(userId) : kept(userId)))
  }

const takeBackGrant: Step = async (tx, context, { action, people }) => {
  const { id, qualificationId } = action
  if (qualificationId === null) return people.map(({ userId }) => kept(userId, 'gone'))
  const { rows } = await sql<{ userId: number; wasHeld: boolean; before: Date | null; after: Date | null }>`
    select user_id as "userId", was_held as "wasHeld", expiry_before as before, expiry_after as after
    from people_action_person where action_id = ${id} and user_id = any (${people.map(({ userId }) => userId)}::bigint[])`.execute(
    tx,
  )
  const former = rows.map(({ userId, wasHeld, before, after }) => ({
    userId,
    before: wasHeld ? { expiresAt: before } : undefined,
    expiresAt: after,
  }))
  const restored = await restoreForMany(tx, context, { qualificationId, people: former })
  return people.map(({ userId }) => (restored.has(userId) ? undone(userId) : kept(userId)))
}

const reactivate: Step = async (tx, context, { people, onProgress }) => {
  const outcomes: ActionOutcome[] = []
  for (const { userId } of people) {
    const change = await reactivateIn(tx, context, userId)
    outcomes.push(change.ok && change.isChanged ? undone(userId) : kept(userId, change.ok ? 'changed' : change.reason))
    onProgress(outcomes.length)
  }
  const users = changedIn(outcomes)
  if (users.length)
    await record(tx, context, { kind: 'user.many_reactivated', subject: { kind: 'user', id: null }, changes: { users } })
  return outcomes
}

const STEPS: Record<ActionKind, { perform: Step; takeBack?: Step }> = {
  invite: { perform: invite },
  add_to_group: { perform: moveMembers(addMembersIn, 'member'), takeBack: unmoveMembers(removeMembersIn) },
  remove_from_group: { perform: moveMembers(removeMembersIn, 'no_member'), takeBack: unmoveMembers(addMembersIn) },
  grant: { perform: grant, takeBack: takeBackGrant },
  deactivate: { perform: deactivate, takeBack: reactivate },
}

export async function performAction(tx: Tx, context: CommandContext, run: Running): Promise<ActionOutcome[]> {
  const { found, gone } = await lockPeople(tx, context, run, sql`true`)
  const outcomes = await STEPS[run.action.kind].perform(tx, context, { ...run, people: found })
  return [...outcomes, ...gone.map((userId) => skipped(userId, 'gone'))]
}

export async function takeBackAction(tx: Tx, context: CommandContext, run: Running): Promise<ActionOutcome[]> {
  const { takeBack } = STEPS[run.action.kind]
  if (!takeBack) throw new Problem('not_found')
  const { found, gone } = await lockPeople(tx, context, run, sql`p.outcome = 'done'`)
  const outcomes = await takeBack(tx, context, { ...run, people: found })
  return [...outcomes, ...gone.map((userId) => kept(userId, 'gone'))]
}

/** Locks the people of the action in the order of their ids. `gone`: deleted, or hidden from the actor, since they were chosen. */
async function lockPeople(tx: Tx, { actor }: CommandContext, { action, onProgress }: Running, which: ReturnType<typeof sql>) {
  const { rows } = await sql<{ userId: number }>`
    select p.user_id as "userId" from people_action_person p where p.action_id = ${action.id} and ${which} order by p.user_id`.execute(
    tx,
  )
  const found: Person[] = []
  const gone: number[] = []
  for (const [index, { userId }] of rows.entries()) {
    await lockPerson(tx, userId)
    const person = await getPerson(tx, userId)
    if (person && (person.isVisible || mayManageHidden(actor))) found.push(person)
    else gone.push(userId)
    if (index % 50 === 49) onProgress(index + 1)
  }
  return { found, gone }
}
