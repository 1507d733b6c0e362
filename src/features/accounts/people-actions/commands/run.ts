import { type Kysely, sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import { checkGivenRights } from '#features/accounts/users/commands/given-rights.ts'
import { lockAdministration } from '#features/accounts/users/commands/locks.ts'
import { mayChangeMembership } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { getAction, type PeopleAction } from '../queries.ts'
import { AT_ONCE, findUndoEnd } from '../rules.ts'
import type { ActionDetails } from '../schema.ts'
import { type ActionOutcome, performAction, takeBackAction } from './steps.ts'

export const ACTION_TASK = 'people_action'

export type StartRefusal = 'not_open' | 'group_missing' | 'group_locked' | 'qualification_missing' | 'no_mail'

type Started = { ok: true; isQueued: boolean } | { ok: false; reason: StartRefusal }

/** The action of the actor; undefined: it does not exist or belongs to somebody else. */
export async function getOwnAction(db: Kysely<DB>, { actor }: Pick<CommandContext, 'actor'>, id: number) {
  const action = await getAction(db, id)
  return action && actor.kind === 'user' && actor.userId === action.createdById ? action : undefined
}

/** Performs the action, or queues it if it concerns many people. */
export async function startAction(context: CommandContext, id: number, details: ActionDetails): Promise<Started> {
  const started = await transact(context.db, async (tx): Promise<Started> => {
    await sql`select from people_action where id = ${id} for update`.execute(tx)
    const action = await getOwnAction(tx, context, id)
    if (action?.state !== 'open') return { ok: false, reason: 'not_open' }
    const reason = await checkDetails(tx, context, action, details)
    if (reason) return { ok: false, reason }
    await tx
      .updateTable('people_action')
      .set({
        state: 'waiting',
        group_id: isAboutGroup(action) ? details.group : null,
        qualification_id: action.kind === 'grant' ? details.qualification : null,
        until: action.kind === 'grant' ? details.until : null,
      })
      .where('id', '=', id)
      .execute()
    return { ok: true, isQueued: await queueIfLarge(tx, action) }
  })
  if (started.ok && !started.isQueued) await runAction(context, id)
  return started
}

const isAboutGroup = ({ kind }: PeopleAction): boolean => kind === 'add_to_group' || kind === 'remove_from_group'

async function checkDetails(
  tx: Tx,
  context: CommandContext,
  action: PeopleAction,
  { group, qualification }: ActionDetails,
): Promise<StartRefusal | undefined> {
  const editor = requirePermission(context.actor, 'change_user')
  if (action.kind === 'invite' && context.site.isMailOff) return 'no_mail'
  const exists = async (table: 'user_group' | 'qualification', id: number | null) =>
    id !== null && (await tx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  if (isAboutGroup(action)) {
    if (!(await exists('user_group', group))) return 'group_missing'
    if (group !== null && !mayChangeMembership(editor, group)) return 'group_locked'
    if (group !== null && action.kind === 'add_to_group') await checkGivenRights(tx, context, [group])
  }
  if (action.kind === 'grant' && !(await exists('qualification', qualification))) return 'qualification_missing'
  return undefined
}

/** The job acts for the person who asked for it. */
async function queueIfLarge(tx: Tx, { id, people, createdById }: PeopleAction): Promise<boolean> {
  if (people <= AT_ONCE) return false
  await addActionJob(tx, { id, by: createdById })
  return true
}

const addActionJob = (tx: Tx, payload: { id: number; by: number }, key: string | null = null) =>
  sql`select graphile_worker.add_job(${ACTION_TASK}, ${JSON.stringify(payload)}::json, job_key := ${key}::text)`.execute(tx)

/** Begins to undo an action. False: it is too late, or was done already. */
export async function startUndo(context: CommandContext, id: number): Promise<boolean> {
  requirePermission(context.actor, 'change_user')
  const isQueued = await transact(context.db, async (tx) => {
    await sql`select from people_action where id = ${id} for update`.execute(tx)
    const action = await getOwnAction(tx, context, id)
    if (!action || !findUndoEnd(action, context.now)) return undefined
    await tx.updateTable('people_action').set({ state: 'undo_waiting', done: 0 }).where('id', '=', id).execute()
    return queueIfLarge(tx, action)
  })
  if (isQueued === undefined) return false
  if (!isQueued) await runAction(context, id)
  return true
}

type RunOptions = { onProgress?: (done: number) => void }

/**
 * Performs or undoes a waiting action in one transaction: everybody or nobody. Each person is judged by the rules for one person, with
 * the rights that the actor has now.
 */
export async function runAction(context: CommandContext, id: number, { onProgress = () => {} }: RunOptions = {}): Promise<void> {
  requirePermission(context.actor, 'change_user')
  await transact(context.db, async (tx) => {
    await lockActions(tx)
    await lockAdministration(tx)
    const action = await getAction(tx, id)
    if (action?.state !== 'waiting' && action?.state !== 'undo_waiting') return
    const isUndo = action.state === 'undo_waiting'
    const outcomes = await (isUndo ? takeBackAction : performAction)(tx, context, { action, onProgress })
    await storeOutcomes(tx, id, outcomes)
    // Last, because it locks the row, and progress is written to it meanwhile.
    await tx
      .updateTable('people_action')
      .set(isUndo ? { state: 'undone', undone_at: context.now } : { state: 'done', finished_at: context.now })
      .where('id', '=', id)
      .execute()
  })
}

/** Two actions at the same time would wait for each other’s people. */
const lockActions = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('turnout.people_action'))`.execute(tx)

/** An action that the actor may not perform any more changes nothing. */
export async function reopenAction(db: Kysely<DB>, id: number): Promise<void> {
  await sql`
    update people_action set state = case state when 'waiting' then 'open' else 'done' end
    where id = ${id} and state in ('waiting', 'undo_waiting')`.execute(db)
}

/** Actions whose process was killed: the queue would wait for hours. A job too many is harmless: it finds the action done. */
export async function resumeActions(db: Kysely<DB>): Promise<void> {
  await transact(db, async (tx) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('turnout.people_action')) as "isFree"`.execute(tx)
    if (!rows[0]?.isFree) return
    const waiting = await tx
      .selectFrom('people_action')
      .select(['id', 'created_by_id'])
      .where('state', 'in', ['waiting', 'undo_waiting'])
      .execute()
    for (const { id, created_by_id } of waiting) await addActionJob(tx, { id, by: created_by_id }, `resume ${ACTION_TASK} ${id}`)
  })
}

async function storeOutcomes(tx: Tx, id: number, outcomes: readonly ActionOutcome[]): Promise<void> {
  await sql`
    update people_action_person p set outcome = n.outcome, reason = n.reason,
      was_held = coalesce(n."wasHeld", p.was_held), expiry_before = coalesce(n.before, p.expiry_before), expiry_after = coalesce(n.after, p.expiry_after)
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb)
      as n ("userId" bigint, outcome text, reason text, "wasHeld" boolean, before timestamptz, after timestamptz)
    where p.action_id = ${id} and p.user_id = n."userId"`.execute(tx)
}
