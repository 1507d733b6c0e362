import { type Countable, type HeadCount, headCount } from './head-count.ts'

type Part = { label: string; optional: boolean; subBlockId: number }
export type Outlined = Omit<Countable, 'positions' | 'compositions'> & {
  name: string
  positions: readonly { label: string; optional: boolean; qualificationIds: readonly number[] }[]
  compositions: readonly Part[]
  requirements: readonly { everyone: boolean; atLeast: number; qualificationIds: readonly number[] }[]
}

/** A block at its place, with everything inside, as people will see it on a shift. */
export type Outline = {
  title: string
  /** Of the block, where a label stands in its place. */
  name: string | null
  optional: boolean
  count: HeadCount
  allowMore: boolean
  positions: Outlined['positions']
  requirements: Outlined['requirements']
  parts: Outline[]
  /** Parts that are not told, so that a page stays a page. */
  leftOut: number
}

const MOST_NODES = 120

export function outlineOf(block: Outlined, blocks: ReadonlyMap<number, Outlined>): Outline {
  const left = { nodes: MOST_NODES }
  const known = new Map<number, HeadCount>()
  const tell = (one: Outlined, label: string, optional: boolean): Outline => {
    const inside = one.compositions.flatMap((part) => {
      const sub = blocks.get(part.subBlockId)
      return sub ? [{ part, sub }] : []
    })
    const told = inside.slice(0, Math.max(left.nodes, 0))
    left.nodes -= told.length
    const count = headCount(one, blocks, known)
    return {
      title: label || one.name,
      name: label && label !== one.name ? one.name : null,
      optional,
      count: optional ? { ...count, min: 0 } : count,
      allowMore: one.allowMore,
      positions: one.positions,
      requirements: one.requirements,
      leftOut: inside.length - told.length,
      parts: told.map(({ part, sub }) => tell(sub, part.label, part.optional)),
    }
  }
  return tell(block, '', false)
}
