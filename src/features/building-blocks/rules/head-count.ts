/** What of a block decides how many people it takes; stored ones and those that are being typed have it alike. */
export type Countable = {
  blockType: 'atomic' | 'composite'
  allowMore: boolean
  positions: readonly { optional: boolean }[]
  compositions: readonly { optional: boolean; subBlockId: number }[]
}

/** `max` null: without an upper end. `size` counts units and positions, `depth` the levels. */
export type HeadCount = { min: number; max: number | null; size: number; depth: number }

/** Beyond these a plan is a mistake: shifts made of it could not be staffed. */
export const MOST_PLACES = 20_000
export const DEEPEST = 60

const NONE: HeadCount = { min: 0, max: 0, size: 0, depth: 0 }

/** Blocks must not contain each other. What is missing counts as nothing. */
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

/** The block itself and everything that contains it, also through others. */
export function containersOf(id: number, blocks: ReadonlyMap<number, Countable>): number[] {
  const found = new Set([id])
  // Sets hand out what is added while they are walked.
  for (const here of found)
    for (const [outer, { compositions }] of blocks)
      if (compositions.some(({ subBlockId }) => subBlockId === here)) found.add(outer)
  return [...found]
}
