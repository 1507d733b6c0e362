import type { Tx } from '#platform/db/transaction.ts'
import { type Draft, parseCount } from '../rules/draft.ts'
import type { BuildingBlock } from '../schema.ts'

/**
 * Writes positions, sub blocks and requirements. Existing rows keep their ids, because ids of compositions are part of the
 * paths that assign people to units. An id of another block creates a new row.
 */
export async function storeParts(tx: Tx, blockId: number, draft: Draft, before: BuildingBlock | undefined): Promise<void> {
  const { positions, compositions } = draft.blockType === 'atomic' ? { ...draft, compositions: [] } : { ...draft, positions: [] }
  await storePositions(tx, blockId, positions, before)
  await storeCompositions(tx, blockId, compositions, before)
  await storeRequirements(tx, blockId, draft.requirements, before)
}

type Row = { id: number | null }
const idsOf = (rows: readonly { id: number }[] | undefined) => new Set((rows ?? []).map(({ id }) => id))
/** The second row with the same id becomes a new row. */
function takeKnownId<R extends Row>(row: R, own: Set<number>): number | undefined {
  if (row.id === null || !own.delete(row.id)) return undefined
  return row.id
}

async function storePositions(tx: Tx, blockId: number, rows: Draft['positions'], before: BuildingBlock | undefined) {
  const own = idsOf(before?.positions)
  for (const row of rows) {
    const values = { label: row.label, optional: row.optional }
    const known = takeKnownId(row, own)
    const id =
      known ??
      (
        await tx
          .insertInto('block_position')
          .values({ ...values, block_id: blockId })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    if (known !== undefined) {
      await tx.updateTable('block_position').set(values).where('id', '=', id).execute()
      await tx.deleteFrom('block_position_qualification').where('position_id', '=', id).execute()
    }
    const needs = row.qualificationIds.map((qualification_id) => ({ position_id: id, qualification_id }))
    if (needs.length) await tx.insertInto('block_position_qualification').values(needs).execute()
  }
  if (own.size)
    await tx
      .deleteFrom('block_position')
      .where('id', 'in', [...own])
      .execute()
}

async function storeCompositions(tx: Tx, blockId: number, rows: Draft['compositions'], before: BuildingBlock | undefined) {
  const own = idsOf(before?.compositions)
  for (const row of rows) {
    const values = { label: row.label, optional: row.optional, sub_block_id: row.subBlockId }
    const id = takeKnownId(row, own)
    if (id === undefined)
      await tx
        .insertInto('block_composition')
        .values({ ...values, block_id: blockId })
        .execute()
    else await tx.updateTable('block_composition').set(values).where('id', '=', id).execute()
  }
  if (own.size)
    await tx
      .deleteFrom('block_composition')
      .where('id', 'in', [...own])
      .execute()
}

async function storeRequirements(tx: Tx, blockId: number, rows: Draft['requirements'], before: BuildingBlock | undefined) {
  const own = idsOf(before?.requirements)
  for (const row of rows) {
    const values = { everyone: row.everyone, at_least: row.everyone ? 0 : (parseCount(row.atLeast) ?? 0) }
    const known = takeKnownId(row, own)
    const id =
      known ??
      (
        await tx
          .insertInto('block_requirement')
          .values({ ...values, block_id: blockId })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    if (known !== undefined) {
      await tx.updateTable('block_requirement').set(values).where('id', '=', id).execute()
      await tx.deleteFrom('block_requirement_qualification').where('requirement_id', '=', id).execute()
    }
    const needs = row.qualificationIds.map((qualification_id) => ({ requirement_id: id, qualification_id }))
    if (needs.length) await tx.insertInto('block_requirement_qualification').values(needs).execute()
  }
  if (own.size)
    await tx
      .deleteFrom('block_requirement')
      .where('id', 'in', [...own])
      .execute()
}
