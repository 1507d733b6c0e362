/** What determines the head count of stored blocks and drafts. */
export type Countable = {
  blockType: 'atomic' | 'composite'
  allowMore: boolean
  positions: readonly { optional: boolean }[]
  compositions: readonly { optional: boolean; subBlockId: number }[]
}

/** `max` null: unlimited. `size`: units and positions; `depth`: levels. */
export type HeadCount = { min: number; max: number | null; size: number; depth: number }

/** Limits that keep matching feasible. */
export const MAX_PLACES = 20_000
export const MAX_DEPTH = 60

const NONE: HeadCount = { min: 0, max: 0, size: 0, depth: 0 }

/** Expects no cycles. Missing blocks count as empty. */
export function headCount(
  block: Countable,
  blocks: ReadonlyMap<number, Countable>,
  known: Map<number, HeadCount> = new Map(),
): HeadCount {
  if (block.blockType === 'atomic') {
    const required = block.positions.filter(({ optional }) => !optional).length
    const all = block.positions.length
    return { min: required, max: block.allowMore ? null : all, size: all + 1, depth: 1 }
  }
  const parts = block.compositions.map(({ subBlockId, optional }) => {
    const count = countOf(subBlockId, blocks, known)
    return optional ? { ...count, min: 0 } : count
  })
  const sum = parts.reduce(
    (total, part) => ({
      min: total.min + part.min,
      max: total.max === null || part.max === null ? null : total.max + part.max,
      size: total.size + part.size,
      depth: Math.max(total.depth, part.depth),
    }),
    NONE,
  )
  return { ...sum, depth: sum.depth + 1 }
}

function countOf(id: number, blocks: ReadonlyMap<number, Countable>, known: Map<number, HeadCount>): HeadCount {
  const before = known.get(id)
  if (before) return before
  const block = blocks.get(id)
  const count = block ? headCount(block, blocks, known) : NONE
  known.set(id, count)
  return count
}

/** The block and all blocks that contain it, directly or indirectly. */
export function findContainerIds(id: number, blocks: ReadonlyMap<number, Countable>): number[] {
  const found = new Set([id])
  // Iterating over a set also visits values that are added meanwhile.
  for (const here of found)
    for (const [outer, { compositions }] of blocks)
      if (compositions.some(({ subBlockId }) => subBlockId === here)) found.add(outer)
  return [...found]
}
