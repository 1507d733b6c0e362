import { type Kysely, sql } from 'kysely'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { findQualificationIds, loadBlocks } from '../queries.ts'
import { type Complaint, type Draft, judgeDraft } from '../rules/draft.ts'
import { containersOf } from '../rules/head-count.ts'
import type { BuildingBlock } from '../schema.ts'
import { storeParts } from './parts.ts'

export type NamedShift = { shiftId: number; eventId: number; eventTitle: string; label: string; startTime: Date; endTime: Date }

/** Shifts that are not over and made of certain blocks: they belong to another room, and the plan of the house hands this in. */
export type ShiftsOfBlocks = {
  /** Those that the person may see, and how many there are. */
  find: (context: RequestContext, blockIds: readonly number[]) => Promise<{ count: number; named: NamedShift[] }>
  findIds: (db: Kysely<DB>, blockIds: readonly number[], now: Date) => Promise<number[]>
  /** Marks their statistics, in the same transaction. */
  touch: (tx: Tx, blockIds: readonly number[], now: Date) => Promise<unknown>
}

export type Guard = { lock: (tx: Tx) => Promise<void>; checked: () => Promise<void> }
/** Two edits that are harmless alone can close a circle together: one at a time. Shifts that are being written wait, too. */
export const GUARD: Guard = {
  lock: async (tx) => void (await sql`select pg_advisory_xact_lock(hashtext('turnout.block_composition'))`.execute(tx)),
  checked: async () => {},
}

export type SaveOutcome =
  | { ok: true; id: number }
  | { ok: false; reason: 'gone' }
  | { ok: false; reason: 'changed_meanwhile' }
  /** Shifts are affected that the person has not been told about. */
  | { ok: false; reason: 'unseen_shifts' }
  | { ok: false; reason: 'wrong'; complaints: Complaint[] }

const entry = (what: string, id: number, changes: Record<string, unknown>) => ({
  kind: `building_block.${what}` as const,
  subject: { kind: 'building_block', id },
  changes,
})

const wrong = (complaints: Complaint[]): SaveOutcome => ({ ok: false, reason: 'wrong', complaints })

/** No shift is made of it yet. */
export async function createBlock(commandContext: CommandContext, draft: Draft): Promise<SaveOutcome> {
  return transact(commandContext.db, async (tx) => {
    await GUARD.lock(tx)
    const around = { id: undefined, blocks: await loadBlocks(tx), qualificationIds: await findQualificationIds(tx) }
    const complaints = judgeDraft(draft, around)
    if (complaints.length) return wrong(complaints)
    const { id } = await tx
      .insertInto('building_block')
      .values({ name: draft.name, block_type: draft.blockType, allow_more: allowsMore(draft) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await storeParts(tx, id, draft, undefined)
    await record(tx, commandContext, entry('created', id, { name: draft.name, block_type: draft.blockType }))
    return { ok: true, id }
  })
}

const allowsMore = ({ blockType, allowMore }: Draft): boolean => blockType === 'atomic' && allowMore

/** `version`: what the person saw when they began. `seen`: the shifts that they were told about. */
export type ChangeWish = { id: number; version: number; draft: Draft; seen: readonly number[] }

/** Blocks are shared: an edit holds for every shift that uses the block. What kind it is stays. */
export async function changeBlock(
  commandContext: CommandContext,
  { id, version, draft, seen }: ChangeWish,
  shifts: ShiftsOfBlocks,
  guard: Guard = GUARD,
): Promise<SaveOutcome> {
  return transact(commandContext.db, async (tx): Promise<SaveOutcome> => {
    await guard.lock(tx)
    const blocks = await loadBlocks(tx)
    const before = blocks.get(id)
    if (!before || before.blockType !== draft.blockType) return { ok: false, reason: 'gone' }
    if (before.version !== version) return { ok: false, reason: 'changed_meanwhile' }
    const complaints = judgeDraft(draft, { id, blocks, qualificationIds: await findQualificationIds(tx) })
    await guard.checked()
    if (complaints.length) return wrong(complaints)
    const around = containersOf(id, blocks)
    if (!(await areSeen(tx, shifts, around, seen, commandContext.now))) return { ok: false, reason: 'unseen_shifts' }
    // Always written, so that the version tells of every edit.
    await tx
      .updateTable('building_block')
      .set({ name: draft.name, allow_more: allowsMore(draft) })
      .where('id', '=', id)
      .execute()
    await storeParts(tx, id, draft, before)
    await shifts.touch(tx, around, commandContext.now)
    await record(tx, commandContext, entry('changed', id, { name: draft.name, before: summaryOf(before), shifts: seen.length }))
    return { ok: true, id }
  })
}

async function areSeen(
  tx: Tx,
  shifts: ShiftsOfBlocks,
  blockIds: readonly number[],
  seen: readonly number[],
  now: Date,
): Promise<boolean> {
  const known = new Set(seen)
  return (await shifts.findIds(tx, blockIds, now)).every((id) => known.has(id))
}

/** Enough to tell afterwards what it was. */
const summaryOf = ({ name, allowMore, positions, compositions, requirements }: BuildingBlock) => ({
  name,
  allow_more: allowMore,
  positions,
  compositions: compositions.map(({ subBlockUuid, label, optional }) => ({ sub_block: subBlockUuid, label, optional })),
  requirements,
})

/** A block of its own with the same content; parts that are blocks stay shared. Undefined: there is nothing to copy. */
export async function copyBlock(commandContext: CommandContext, id: number, name: string): Promise<number | undefined> {
  return transact(commandContext.db, async (tx) => {
    await GUARD.lock(tx)
    const block = (await loadBlocks(tx, [id])).get(id)
    if (!block) return undefined
    const { id: copy } = await tx
      .insertInto('building_block')
      .values({ name: name.slice(0, 255), block_type: block.blockType, allow_more: block.allowMore })
      .returning('id')
      .executeTakeFirstOrThrow()
    await storeParts(tx, copy, draftOf(block), undefined)
    await record(tx, commandContext, entry('created', copy, { name, copy_of: id }))
    return copy
  })
}

/** What is stored, as the editor shows it. */
export function draftOf(block: BuildingBlock): Draft {
  return {
    name: block.name,
    blockType: block.blockType,
    allowMore: block.allowMore,
    positions: block.positions.map((one) => ({ ...one, qualificationIds: [...one.qualificationIds] })),
    compositions: block.compositions.map(({ id, subBlockId, label, optional }) => ({ id, subBlockId, label, optional })),
    requirements: block.requirements.map((one) => ({
      id: one.id,
      everyone: one.everyone,
      atLeast: String(one.atLeast),
      qualificationIds: [...one.qualificationIds],
    })),
  }
}

export type DeleteOutcome = { ok: true; name: string } | { ok: false; reason: 'gone' | 'unseen_shifts' }

/** It disappears from the shifts and from the blocks that contain it; people assigned to its units are assigned to none. */
export async function deleteBlock(
  commandContext: CommandContext,
  { id, seen }: { id: number; seen: readonly number[] },
  shifts: ShiftsOfBlocks,
): Promise<DeleteOutcome> {
  return transact(commandContext.db, async (tx): Promise<DeleteOutcome> => {
    await GUARD.lock(tx)
    const blocks = await loadBlocks(tx)
    const block = blocks.get(id)
    if (!block) return { ok: false, reason: 'gone' }
    const around = containersOf(id, blocks)
    if (!(await areSeen(tx, shifts, around, seen, commandContext.now))) return { ok: false, reason: 'unseen_shifts' }
    // Whoever edits a block that contained it sees that it has changed.
    const outer = around.filter(
      (each) => each !== id && blocks.get(each)!.compositions.some(({ subBlockId }) => subBlockId === id),
    )
    if (outer.length) await sql`update building_block set name = name where id = any (${outer}::bigint[])`.execute(tx)
    await shifts.touch(tx, around, commandContext.now)
    await tx.deleteFrom('building_block').where('id', '=', id).execute()
    await record(tx, commandContext, entry('deleted', id, { uuid: block.uuid, before: summaryOf(block), shifts: seen.length }))
    return { ok: true, name: block.name }
  })
}
