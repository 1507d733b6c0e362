import { type Countable, type HeadCount, headCount } from './head-count.ts'

type Part = { label: string; optional: boolean; subBlockId: number }
type OutlineBlock = Omit<Countable, 'positions' | 'compositions'> & {
  name: string
  positions: readonly { label: string; optional: boolean; qualificationIds: readonly number[] }[]
  compositions: readonly Part[]
  requirements: readonly { everyone: boolean; atLeast: number; qualificationIds: readonly number[] }[]
}

/** A block with all parts, as shown on a shift. */
export type Outline = {
  title: string
  /** The name of the block if a label replaces it. */
  name: string | null
  optional: boolean
  count: HeadCount
  allowMore: boolean
  positions: OutlineBlock['positions']
  requirements: OutlineBlock['requirements']
  parts: Outline[]
  /** Number of omitted parts, to limit the size of the page. */
  leftOut: number
}

const MAX_NODES = 120

export function makeOutline(block: OutlineBlock, blocks: ReadonlyMap<number, OutlineBlock>): Outline {
  const left = { nodes: MAX_NODES }
  const known = new Map<number, HeadCount>()
  const outlineOf = (one: OutlineBlock, label: string, optional: boolean): Outline => {
    const inside = one.compositions.flatMap((part) => {
      const sub = blocks.get(part.subBlockId)
      return sub ? [{ part, sub }] : []
    })
    const included = inside.slice(0, Math.max(left.nodes, 0))
    left.nodes -= included.length
    const count = headCount(one, blocks, known)
    return {
      title: label || one.name,
      name: label && label !== one.name ? one.name : null,
      optional,
      count: optional ? { ...count, min: 0 } : count,
      allowMore: one.allowMore,
      positions: one.positions,
      requirements: one.requirements,
      leftOut: inside.length - included.length,
      parts: included.map(({ part, sub }) => outlineOf(sub, part.label, part.optional)),
    }
  }
  return outlineOf(block, '', false)
}
