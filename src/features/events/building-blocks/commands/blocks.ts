import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { blockHooks } from '../points.ts'
import { findQualificationIds, loadBlocks } from '../queries.ts'
import { checkDraft, type Draft, type DraftError } from '../rules/draft.ts'
import { findContainerIds } from '../rules/head-count.ts'
import type { BuildingBlock } from '../schema.ts'
import { storeParts } from './parts.ts'

export type Guard = { lock: (tx: Tx) => Promise<void>; checked: () => Promise<void> }
/** Serialises edits: two valid edits can create a cycle together. Writing shifts waits for the same lock. */
export const GUARD: Guard = {
  lock: async (tx) => void (await sql`select pg_advisory_xact_lock(hashtext('turnout.block_composition'))`.execute(tx)),
  checked: async () => {},
}

export type SaveOutcome =
  | { ok: true; id: number }
  | { ok: false; reason: 'gone' }
  | { ok: false; reason: 'changed_meanwhile' }
  /** The edit affects shifts that were not shown to the caller. */
  | { ok: false; reason: 'unseen_shifts' }
  | { ok: false; reason: 'wrong'; complaints: DraftError[] }

const wrong = (complaints: DraftError[]): SaveOutcome => ({ ok: false, reason: 'wrong', complaints })

/** No shift uses it yet. */
export async function createBlock(commandContext: CommandContext, draft: Draft): Promise<SaveOutcome> {
  return transact(commandContext.db, async (tx) => {
    await GUARD.lock(tx)
    const around = { id: undefined, blocks: await loadBlocks(tx), qualificationIds: await findQualificationIds(tx) }
    const complaints = checkDraft(draft, around)
    if (complaints.length) return wrong(complaints)
    const { id } = await tx
      .insertInto('building_block')
      .values({ name: draft.name, block_type: draft.blockType, allow_more: allowsMore(draft) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await storeParts(tx, id, draft, undefined)
    await record(tx, commandContext, {
      kind: 'building_block.created',
      subject: { kind: 'building_block', id },
      changes: { name: draft.name, block_type: draft.blockType },
    })
    return { ok: true, id }
  })
}

const allowsMore = ({ blockType, allowMore }: Draft): boolean => blockType === 'atomic' && allowMore

/** `version`: when the editor was opened. `seen`: ids of the shifts that were shown. */
type ChangeInput = { id: number; version: number; draft: Draft; seen: readonly number[] }

/** Changes every shift that uses the block. The kind of the block cannot be changed. */
export async function changeBlock(
  commandContext: CommandContext,
  { id, version, draft, seen }: ChangeInput,
  guard: Guard = GUARD,
): Promise<SaveOutcome> {
  return transact(commandContext.db, async (tx): Promise<SaveOutcome> => {
    await guard.lock(tx)
    const blocks = await loadBlocks(tx)
    const before = blocks.get(id)
    if (!before || before.blockType !== draft.blockType) return { ok: false, reason: 'gone' }
    if (before.version !== version) return { ok: false, reason: 'changed_meanwhile' }
    const complaints = checkDraft(draft, { id, blocks, qualificationIds: await findQualificationIds(tx) })
    await guard.checked()
    if (complaints.length) return wrong(complaints)
    const around = findContainerIds(id, blocks)
    if (!(await haveSeenShifts(tx, commandContext, around, seen))) return { ok: false, reason: 'unseen_shifts' }
    // Always updated, so that every edit increases the version.
    await tx
      .updateTable('building_block')
      .set({ name: draft.name, allow_more: allowsMore(draft) })
      .where('id', '=', id)
      .execute()
    await storeParts(tx, id, draft, before)
    await blockHooks.of(commandContext.site).markShiftsStale(tx, around, commandContext.now)
    await record(tx, commandContext, {
      kind: 'building_block.changed',
      subject: { kind: 'building_block', id },
      changes: { name: draft.name, before: summaryOf(before), shifts: seen.length },
    })
    return { ok: true, id }
  })
}

async function haveSeenShifts(
  tx: Tx,
  { site, now }: CommandContext,
  blockIds: readonly number[],
  seen: readonly number[],
): Promise<boolean> {
  const known = new Set(seen)
  return (await blockHooks.of(site).findShiftIds(tx, blockIds, now)).every((id) => known.has(id))
}

/** For the journal entry. */
const summaryOf = ({ name, allowMore, positions, compositions, requirements }: BuildingBlock) => ({
  name,
  allow_more: allowMore,
  positions,
  compositions: compositions.map(({ subBlockUuid, label, optional }) => ({ sub_block: subBlockUuid, label, optional })),
  requirements,
})

/** Copies the block; sub blocks stay shared. Undefined: no such block. */
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
    await record(tx, commandContext, {
      kind: 'building_block.created',
      subject: { kind: 'building_block', id: copy },
      changes: { name, copy_of: id },
    })
    return copy
  })
}

/** The stored block as a draft for the editor. */
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

/** Removes the block from shifts and from other blocks; people in its units become unassigned. */
export async function deleteBlock(
  commandContext: CommandContext,
  { id, seen }: { id: number; seen: readonly number[] },
): Promise<DeleteOutcome> {
  return transact(commandContext.db, async (tx): Promise<DeleteOutcome> => {
    await GUARD.lock(tx)
    const blocks = await loadBlocks(tx)
    const block = blocks.get(id)
    if (!block) return { ok: false, reason: 'gone' }
    const around = findContainerIds(id, blocks)
    if (!(await haveSeenShifts(tx, commandContext, around, seen))) return { ok: false, reason: 'unseen_shifts' }
    // Increases the version of blocks that contained it, so that open editors notice the change.
    const outer = around.filter(
      (each) => each !== id && blocks.get(each)!.compositions.some(({ subBlockId }) => subBlockId === id),
    )
    if (outer.length) await sql`update building_block set name = name where id = any (${outer}::bigint[])`.execute(tx)
    await blockHooks.of(commandContext.site).markShiftsStale(tx, around, commandContext.now)
    await tx.deleteFrom('building_block').where('id', '=', id).execute()
    await record(tx, commandContext, {
      kind: 'building_block.deleted',
      subject: { kind: 'building_block', id },
      changes: { uuid: block.uuid, before: summaryOf(block), shifts: seen.length },
    })
    return { ok: true, name: block.name }
  })
}
