import { type Kysely, sql } from 'kysely'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { checkRecentSignIn } from '#platform/http/access.ts'
import { record } from '#platform/journal/journal.ts'
import { rightsOf } from '../access.ts'
import { getImport, type PeopleImport } from '../queries/imports.ts'
import type { ImportRights } from '../rules/judgement.ts'
import { type Checked, judgeImport, storeVerdicts } from './check.ts'
import {
  AddressTakenError,
  createReferences,
  type PlannedRow,
  UNIQUE_VIOLATION,
  type Writing,
  writeBatch,
} from './write-people.ts'

export const IMPORT_TASK = 'people_import'

const BATCH = 1000
const MAX_ATTEMPTS = 3

type ApplyChoice = { goodRowsOnly: boolean; sendsInvitations: boolean /** False: the caller applies it. */; addsJob?: boolean }

/** Queues the list; a job applies it. False: it is not open any more. */
export async function queueImport(context: CommandContext, id: number, choice: ApplyChoice): Promise<boolean> {
  rightsOf(context.actor)
  return transact(context.db, async (tx) => {
    if (await addsToGroups(tx, id)) checkRecentSignIn(context)
    const queued = await tx
      .updateTable('people_import')
      .set({
        state: 'waiting',
        refusal: null,
        good_rows_only: choice.goodRowsOnly,
        sends_invitations: choice.sendsInvitations,
        done: 0,
        total: 0,
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (queued && choice.addsJob !== false) await addImportJob(tx, context, id)
    return queued !== undefined
  })
}

/** By the verdicts that the person has seen. Groups can have rights, which only a recent sign-in gives to others. */
const addsToGroups = (tx: Tx, id: number): Promise<boolean> =>
  rowsOf(tx).exists(
    sql`select from people_import_row where import_id = ${id} and result -> 'changes' @> '[{"field": "group"}]' limit 1`,
  )

/** The job acts for the person who asked for it. */
export async function addImportJob(tx: Tx, { actor }: CommandContext, id: number): Promise<void> {
  const payload = { id, by: userIdOrNull(actor) }
  await sql`select graphile_worker.add_job(${IMPORT_TASK}, ${JSON.stringify(payload)}::json)`.execute(tx)
}

type ApplyOptions = {
  /** A test shows what happens without the rights of the importer. */
  rights?: ImportRights
  onProgress?: (done: number, total: number) => void
  /** Before the commit. */
  onCommit?: () => void
}

/** Applies a waiting list in one transaction: all of its rows, or all of its good rows, or nothing. */
export async function applyImport(context: CommandContext, id: number, options: ApplyOptions): Promise<void> {
  await context.db
    .updateTable('people_import')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(context.db, async (tx) => {
        await applyIn(tx, context, id, options)
        options.onCommit?.()
      })
    } catch (error) {
      const isTaken = error instanceof AddressTakenError || (error as { code?: string }).code === UNIQUE_VIOLATION
      if (isTaken && attempt < MAX_ATTEMPTS) continue
      await reopen(context.db, id, 'failed')
      throw error
    }
  }
}

/** Nothing was written: the list can be changed and applied again. */
export async function reopen(db: Kysely<DB>, id: number, refusal: NonNullable<PeopleImport['refusal']>): Promise<void> {
  await db
    .updateTable('people_import')
    .set({ state: 'open', refusal })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}

async function applyIn(tx: Tx, context: CommandContext, id: number, { rights, onProgress }: ApplyOptions): Promise<void> {
  // Two lists with the same people would wait for each other's rows.
  await sql`select pg_advisory_xact_lock(hashtext('turnout.people_import'))`.execute(tx)
  const list = await getImport(tx, id)
  if (list?.state !== 'running') return
  const checked = await judgeImport(tx, context, list, { locks: true, ...(rights ? { rights } : {}) })
  await storeVerdicts(tx, list, checked.judgements)
  const { counts } = checked.summary
  if (!list.goodRowsOnly && counts.conflict + counts.error > 0)
    return storeRefusal(tx, context, { id, checked, refusal: 'bad_rows' })
  const planned = checked.judgements
    .flatMap(({ number, plan, key, person }): PlannedRow[] => (plan ? [{ number, key, plan, person }] : []))
    // Guardians have no guardian: they come before their children.
    .toSorted((a, b) => Math.min(1, a.plan.guardians.length) - Math.min(1, b.plan.guardians.length))
  if (!planned.length) return storeRefusal(tx, context, { id, checked, refusal: 'nothing' })
  const references = await createReferences(tx, context, planned)
  const writing: Writing = { tx, context, list, references, ids: new Map() }
  for (let at = 0; at < planned.length; at += BATCH) {
    await writeBatch(writing, planned.slice(at, at + BATCH))
    const done = Math.min(at + BATCH, planned.length)
    onProgress?.(done, planned.length)
  }
  // Last, because it locks the row, and progress is written to it meanwhile.
  await tx
    .updateTable('people_import')
    .set({
      state: 'applied',
      summary: JSON.stringify(checked.summary),
      checked_at: context.now,
      applied_at: context.now,
      done: planned.length,
      total: planned.length,
    })
    .where('id', '=', id)
    .execute()
  const changes = { created: counts.new, changed: counts.updated, skipped: counts.conflict + counts.error }
  await record(tx, context, { kind: 'user.imported', subject: { kind: 'user', id: null }, changes })
}

type RefusedList = { id: number; checked: Checked; refusal: 'bad_rows' | 'nothing' }

async function storeRefusal(tx: Tx, { now }: CommandContext, { id, checked, refusal }: RefusedList): Promise<void> {
  await tx
    .updateTable('people_import')
    .set({ state: 'open', refusal, summary: JSON.stringify(checked.summary), checked_at: now })
    .where('id', '=', id)
    .execute()
}
