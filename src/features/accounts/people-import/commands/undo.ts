import { sql } from 'kysely'
import {
  changePeople,
  type PersonChange,
  removeGuardianships,
  removeImportedPeople,
} from '#features/accounts/users/commands/imported-people.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { rightsOf } from '../access.ts'
import { getImport, type PeopleImport } from '../queries/imports.ts'
import { canBeUndone } from '../rules/import.ts'
import { findReasonToKeep, type KeptReason, type PresentPerson } from '../rules/undo.ts'
import { addImportJob } from './apply.ts'
import type { Written } from './write-people.ts'

const BATCH = 1000

/** Queues the undo of an import; a job does it. False: it is too late, or was done already. */
export async function queueUndo(context: CommandContext, id: number): Promise<boolean> {
  rightsOf(context.actor)
  return transact(context.db, async (tx) => {
    await sql`select from people_import where id = ${id} for update`.execute(tx)
    const list = await getImport(tx, id)
    if (!list || !canBeUndone(list, context.now)) return false
    await tx.updateTable('people_import').set({ state: 'undo_waiting', done: 0 }).where('id', '=', id).execute()
    await addImportJob(tx, context, id)
    return true
  })
}

type UndoOptions = { onProgress?: (done: number, total: number) => void }

/** Deletes the people that the import created and restores what it changed, except for people who were used or changed since. */
export async function undoImport(context: CommandContext, id: number, { onProgress }: UndoOptions): Promise<void> {
  const { db } = context
  await db
    .updateTable('people_import')
    .set({ state: 'undoing' })
    .where('id', '=', id)
    .where('state', '=', 'undo_waiting')
    .execute()
  try {
    await transact(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('turnout.people_import'))`.execute(tx)
      const list = await getImport(tx, id)
      if (list?.state !== 'undoing') return
      const counts = { removed: 0, restored: 0, kept: 0 }
      // Children before their guardians: who still has a child afterwards stays.
      for (const isChild of [true, false]) {
        let after = 0
        for (;;) {
          const rows = await findWrittenRows(tx, list, { isChild, after })
          if (!rows.length) break
          after = rows.at(-1)!.number
          for (const outcome of await undoBatch(tx, context, { list, rows })) counts[outcome]++
          onProgress?.(counts.removed + counts.restored + counts.kept, list.total)
        }
      }
      await tx
        .updateTable('people_import')
        .set({ state: 'undone', undone_at: context.now, done: list.total })
        .where('id', '=', id)
        .execute()
      await record(tx, context, { kind: 'user.import_undone', subject: { kind: 'user', id: null }, changes: counts })
    })
  } catch (error) {
    await db.updateTable('people_import').set({ state: 'applied' }).where('id', '=', id).where('state', '=', 'undoing').execute()
    throw error
  }
}

type WrittenRow = { number: number; userId: number | null; outcome: 'created' | 'changed'; written: Written }

type Part = { /** Rows that added guardians. */ isChild: boolean; after: number }

async function findWrittenRows(tx: Tx, { id, settings }: PeopleImport, { isChild, after }: Part): Promise<WrittenRow[]> {
  // never null: outcome, written (rows that were written have both)
  return rowsOf(tx).all(sql<WrittenRow>`
    select number, user_id as "userId", outcome, written from people_import_row
    where import_id = ${id} and sheet = ${settings.sheet} and outcome in ('created', 'changed') and number > ${after}
      and (written ? 'guardians') = ${isChild}
    order by number limit ${BATCH}`)
}

type UndoneRow = { number: number; outcome: 'removed' | 'restored' | 'kept'; reason: KeptReason | null }

async function undoBatch(
  tx: Tx,
  context: CommandContext,
  { list, rows }: { list: PeopleImport; rows: readonly WrittenRow[] },
): Promise<UndoneRow['outcome'][]> {
  const people = await lockPeople(
    tx,
    rows.flatMap(({ userId }) => (userId === null ? [] : [userId])),
  )
  const removed: number[] = []
  const changes: PersonChange[] = []
  const guardianships: { guardianId: number; childId: number }[] = []
  const undone = rows.map(({ number, userId, outcome, written }): UndoneRow => {
    const person = userId === null ? undefined : people.get(userId)
    // Deleted since: there is nothing to take back.
    if (!person || userId === null) return { number, outcome: 'removed', reason: null }
    const reason = findReasonToKeep(person, written, outcome)
    if (reason) return { number, outcome: 'kept', reason }
    for (const guardianId of written.guardians ?? []) guardianships.push({ guardianId, childId: userId })
    if (outcome === 'created') removed.push(userId)
    else changes.push(inverseOf(userId, written))
    return { number, outcome: outcome === 'created' ? 'removed' : 'restored', reason: null }
  })
  await sql`
    update people_import_row r set outcome = n.outcome, kept_because = n.reason
    from jsonb_to_recordset(${JSON.stringify(undone)}::jsonb) as n (number integer, outcome text, reason text)
    where r.import_id = ${list.id} and r.sheet = ${list.settings.sheet} and r.number = n.number`.execute(tx)
  await removeGuardianships(tx, context, guardianships)
  await removeImportedPeople(tx, context, removed)
  await changePeople(tx, context, changes)
  return undone.map(({ outcome }) => outcome)
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))

function inverseOf(userId: number, { profile, groups, grants }: Written): PersonChange {
  return {
    userId,
    profile: Object.fromEntries(Object.entries(profile).map(([name, [before, after]]) => [name, [after, before]])),
    addedGroups: [],
    removedGroups: groups,
    grants: grants.map(({ id, before, after }) => ({
      qualificationId: id,
      before: dateOf(after),
      after: before === undefined ? undefined : dateOf(before),
    })),
  }
}

/** `for update`: a participation that is added meanwhile waits until the person is deleted, and is refused then. */
async function lockPeople(tx: Tx, userIds: readonly number[]): Promise<Map<number, PresentPerson>> {
  if (!userIds.length) return new Map()
  await sql`select from user_profile where id = any (${userIds}::bigint[]) order by id for update`.execute(tx)
  const { rows } = await sql<PresentPerson & { id: number }>`
    select u.id, u.display_name, u.email, u.date_of_birth, u.phone, u.preferred_language, u.username, u.contact_email,
      array(select g.guardian_id from guardianship g where g.child_id = u.id) as "guardianIds",
      exists (select from guardianship g where g.guardian_id = u.id) as "isGuardian",
      array(select m.group_id from user_group_member m where m.user_id = u.id) as "groupIds",
      coalesce((select jsonb_agg(jsonb_build_object('id', g.qualification_id, 'until', g.expires_at))
        from qualification_grant g where g.user_id = u.id), '[]') as grants,
      (u.is_staff or u.is_superuser or not u.is_visible or exists (select from user_permission p where p.user_id = u.id)) as "isPrivileged",
      (u.password_hash is not null or u.last_sign_in_at is not null or exists (select from session s where s.user_id = u.id)
        or exists (select from external_identity x where x.user_id = u.id)) as "hasSignedIn",
      (exists (select from participation p where p.user_id = u.id) or exists (select from working_hours w where w.user_id = u.id)
        or exists (select from event_user_grant e where e.user_id = u.id)) as "takesPart"
    from user_profile u where u.id = any (${userIds}::bigint[]) and u.deleted_at is null`.execute(tx)
  return new Map(rows.map(({ id, ...person }) => [id, person]))
}
