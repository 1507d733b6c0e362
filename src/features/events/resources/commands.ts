import { type Kysely, sql } from 'kysely'
import { requirePermission } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import type { Changes } from '#platform/journal/kinds.ts'
import { findAllocatedIds, getAllocatedShift, getResource } from './queries.ts'
import type { CategoryForm, ResourceForm } from './schema.ts'

type Change = { ok: true; isChanged: boolean } | { ok: false; reason: 'outdated' | 'category_unknown' }

export async function createResourceCategory(context: CommandContext, { name }: CategoryForm): Promise<number> {
  requirePermission(context.actor, 'add_resource')
  return transact(context.db, async (tx) => {
    const { id } = await tx.insertInto('resource_category').values({ name }).returning('id').executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'resource_category.created',
      subject: { kind: 'resource_category', id },
      changes: { name: [null, name] },
    })
    return id
  })
}

/** Undefined: there is no such category. */
export async function changeResourceCategory(
  context: CommandContext,
  id: number,
  { name, version }: CategoryForm,
): Promise<Change | undefined> {
  requirePermission(context.actor, 'change_resource')
  return transact(context.db, async (tx): Promise<Change | undefined> => {
    const before = await tx
      .selectFrom('resource_category')
      .select(['name', 'version'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) return undefined
    if (before.version !== version) return { ok: false, reason: 'outdated' }
    if (before.name === name) return { ok: true, isChanged: false }
    await tx.updateTable('resource_category').set({ name }).where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'resource_category.changed',
      subject: { kind: 'resource_category', id },
      changes: { name: [before.name, name] },
    })
    return { ok: true, isChanged: true }
  })
}

/** A category with resources cannot be deleted. */
export async function deleteResourceCategory(context: CommandContext, id: number): Promise<'deleted' | 'in_use' | 'gone'> {
  requirePermission(context.actor, 'delete_resource')
  return transact(context.db, async (tx) => {
    const row = await tx.selectFrom('resource_category').select('name').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!row) return 'gone'
    const used = await tx.selectFrom('resource').select('id').where('category_id', '=', id).limit(1).executeTakeFirst()
    if (used) return 'in_use'
    await tx.deleteFrom('resource_category').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'resource_category.deleted',
      subject: { kind: 'resource_category', id },
      changes: { name: [row.name, null] },
    })
    return 'deleted'
  })
}

export async function createResource(context: CommandContext, { title, category }: ResourceForm): Promise<Change> {
  requirePermission(context.actor, 'add_resource')
  return transact(context.db, async (tx): Promise<Change> => {
    if (!(await lockCategory(tx, category))) return { ok: false, reason: 'category_unknown' }
    const values = { title, category_id: category }
    const { id } = await tx.insertInto('resource').values(values).returning('id').executeTakeFirstOrThrow()
    await record(tx, context, {
      kind: 'resource.created',
      subject: { kind: 'resource', id },
      changes: { title: [null, title], category_id: [null, category] },
    })
    return { ok: true, isChanged: true }
  })
}

/** Undefined: there is no such resource. */
export async function changeResource(
  context: CommandContext,
  id: number,
  { title, category, version }: ResourceForm,
): Promise<Change | undefined> {
  requirePermission(context.actor, 'change_resource')
  return transact(context.db, async (tx): Promise<Change | undefined> => {
    const before = await lockResource(tx, id)
    if (!before) return undefined
    if (before.version !== version) return { ok: false, reason: 'outdated' }
    if (!(await lockCategory(tx, category))) return { ok: false, reason: 'category_unknown' }
    const changes: Changes<{ title: string; category_id: number }> = {
      ...(before.title === title ? {} : { title: [before.title, title] }),
      ...(before.category_id === category ? {} : { category_id: [before.category_id, category] }),
    }
    if (!Object.keys(changes).length) return { ok: true, isChanged: false }
    await tx.updateTable('resource').set({ title, category_id: category }).where('id', '=', id).execute()
    await record(tx, context, { kind: 'resource.changed', subject: { kind: 'resource', id }, changes })
    return { ok: true, isChanged: true }
  })
}

/** Undefined: there is no such resource. Shifts lose it. */
export async function deleteResource(context: CommandContext, id: number): Promise<{ title: string } | undefined> {
  requirePermission(context.actor, 'delete_resource')
  return transact(context.db, async (tx) => {
    const resource = await lockResource(tx, id)
    if (!resource) return undefined
    await tx.deleteFrom('resource').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'resource.deleted',
      subject: { kind: 'resource', id },
      changes: { title: [resource.title, null] },
    })
    return resource
  })
}

/** The lock keeps the category from being deleted while a resource is put into it. */
async function lockCategory(tx: Tx, id: number): Promise<boolean> {
  const row = await tx.selectFrom('resource_category').select('id').where('id', '=', id).forShare().executeTakeFirst()
  return row !== undefined
}

async function lockResource(tx: Tx, id: number) {
  await tx.selectFrom('resource').select('id').where('id', '=', id).forUpdate().execute()
  return getResource(tx, id)
}

type Allocation = { ok: true; isChanged: boolean; eventId: number } | { ok: false; reason: 'unknown' }

/** Replaces the resources of a shift. Undefined: the actor may not change the event. */
export async function allocateResources(
  context: CommandContext,
  shiftId: number,
  ids: readonly number[],
): Promise<Allocation | undefined> {
  return transact(context.db, async (tx): Promise<Allocation | undefined> => {
    const shift = await getAllocatedShift({ db: tx, actor: context.actor }, shiftId)
    if (!shift) return undefined
    // The lock of the event orders two saves, as for all changes of a shift.
    await sql`select from event where id = ${shift.eventId} for update`.execute(tx)
    const { eventId } = shift
    const before = (await findAllocatedIds(tx, shiftId)).toSorted((a, b) => a - b)
    const after = [...new Set(ids)].sort((a, b) => a - b)
    if (JSON.stringify(before) === JSON.stringify(after)) return { ok: true, isChanged: false, eventId }
    const known = after.length ? await tx.selectFrom('resource').select('id').where('id', 'in', after).forShare().execute() : []
    if (known.length !== after.length) return { ok: false, reason: 'unknown' }
    await tx.deleteFrom('shift_resource').where('shift_id', '=', shiftId).execute()
    if (after.length)
      await tx
        .insertInto('shift_resource')
        .values(after.map((resource_id) => ({ shift_id: shiftId, resource_id })))
        .execute()
    await record(tx, context, {
      kind: 'shift.resources_changed',
      subject: { kind: 'shift', id: shiftId },
      eventId,
      changes: { resources: [before, after] },
    })
    return { ok: true, isChanged: true, eventId }
  })
}

/** Copies of an event use the same resources. */
export async function copyResources(tx: Tx, shifts: ReadonlyMap<number, number>): Promise<void> {
  await sql`
    insert into shift_resource (shift_id, resource_id)
    select pair.copy, u.resource_id
    from unnest(${[...shifts.keys()]}::bigint[], ${[...shifts.values()]}::bigint[]) as pair (original, copy)
      join shift_resource u on u.shift_id = pair.original`.execute(tx)
}

type SavedResource = { shift: number; resource: number }

/** Templates keep the resources of shifts; those that do not exist any more are left out. */
export const resourceTemplate = {
  part: 'resources' as const,
  save: async (db: Kysely<DB>, eventId: number): Promise<SavedResource[]> => {
    return rowsOf(db).all(sql<SavedResource>`
      select u.shift_id as shift, u.resource_id as resource from shift_resource u join shift s on s.id = u.shift_id
      where s.event_id = ${eventId} order by 1, 2`)
  },
  restore: async (
    tx: Tx,
    _eventId: number,
    shifts: ReadonlyMap<number, number>,
    saved: readonly SavedResource[],
  ): Promise<void> => {
    const rows = saved.flatMap(({ shift, resource }) => (shifts.has(shift) ? [{ shift: shifts.get(shift)!, resource }] : []))
    await sql`insert into shift_resource (shift_id, resource_id)
      select saved.shift, r.id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as saved (shift bigint, resource bigint)
        join resource r on r.id = saved.resource`.execute(tx)
  },
}
